"""Pictures of games to share: a PNG for the preview of a link, and a GIF of the whole game.

Pillow draws them. It is imported when a picture is drawn; the extra ``server`` has it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ninefold.core.palette import LIGHT
from ninefold.core.raster import Box, Shape, box_of, draw_board, draw_shapes, overlap, png, shapes_of

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

CARD = (1200, 630)  # the size that previews of links have
_MARGIN = 40
_FRAME, _FRAME_MS, _LAST_MS = 360, 700, 3_000  # of an animation: pixels, and milliseconds


def card(picture: str, title: str, lines: Sequence[str]) -> bytes:
    """A PNG for the preview of a link: a board, and beside it a title and lines of text."""
    from PIL import Image, ImageDraw, ImageFont

    width, height = CARD
    side = height - 2 * _MARGIN
    image = Image.new("RGB", CARD, LIGHT.ground)
    image.paste(draw_board(picture, side), (_MARGIN, _MARGIN))
    draw = ImageDraw.Draw(image)
    left, top, room = side + 2 * _MARGIN, 2 * _MARGIN, width - side - 3 * _MARGIN
    texts = [(title, 52, LIGHT.ink), *((line, 32, LIGHT.ink) for line in lines), ("Ninefold", 28, LIGHT.soft)]
    for text, size, colour in texts:
        font = ImageFont.load_default(size)
        for row in _wrapped(text, font, room):
            draw.text((left, top), row, colour, font)
            top += round(size * 1.3)
        top += 20
    return png(image)


def _wrapped(text: str, font: FreeTypeFont | ImageFont, room: float) -> list[str]:
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        rows[-1:] = [longer] if font.getlength(longer) <= room or not rows[-1] else [rows[-1], word]
    return rows


def animation(pictures: Sequence[str]) -> bytes:
    """A GIF that shows pictures by ``svg`` one after the other, and the last one longer; then it starts again."""
    frames = list(_frames(pictures, _palette(pictures)))
    times = [*[_FRAME_MS] * (len(frames) - 1), _LAST_MS]
    written = io.BytesIO()
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return written.getvalue()


def _palette(pictures: Sequence[str]) -> Image.Image:
    """The colours of all frames, so that what does not change takes no room: of the start, the middle and the end."""
    from PIL import Image

    sample = Image.new("RGB", (_FRAME, 3 * _FRAME))
    for place, picture in enumerate((pictures[0], pictures[len(pictures) // 2], pictures[-1])):
        sample.paste(draw_board(picture, _FRAME), (0, place * _FRAME))
    return sample.quantize(96)


def _frames(pictures: Sequence[str], palette: Image.Image) -> Iterator[Image.Image]:
    """Each picture, drawn with the colours of a palette. Only what differs from the one before is drawn anew."""
    from PIL import Image

    frame, before = Image.new("P", (_FRAME, _FRAME)), set[Shape]()
    frame.putpalette(palette.getpalette() or [])
    for picture in pictures:
        width, shapes = shapes_of(picture)
        scale, now = _FRAME / width, set(shapes)
        frame = frame.copy()
        for box in _joined(box_of(shape, scale) for shape in now ^ before):
            drawn = draw_shapes(shapes, scale, box).quantize(palette=palette, dither=Image.Dither.NONE)
            frame.paste(drawn, box[:2])
        before = now
        yield frame


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that cover these, none of which overlaps another, inside a frame."""
    joined: list[Box] = []
    for box in boxes:
        new = (max(box[0], 0), max(box[1], 0), min(box[2], _FRAME), min(box[3], _FRAME))
        while touched := [other for other in joined if overlap(new, other)]:
            joined = [other for other in joined if other not in touched]
            lefts, tops, rights, bottoms = zip(new, *touched, strict=True)
            new = (min(lefts), min(tops), max(rights), max(bottoms))
        joined.append(new)
    return joined
