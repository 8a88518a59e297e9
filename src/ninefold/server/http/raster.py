"""Positions as PNG and GIF: the pictures of ``core/svg.py`` in pixels, so that there is one set of shapes and colours.

Pillow draws them. It is imported when a picture is drawn; the extra ``server`` has it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from ninefold.core.palette import LIGHT

if TYPE_CHECKING:
    from PIL import Image, ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Point = tuple[float, float]
Box = tuple[int, int, int, int]  # left, top, right, bottom
Rgba = tuple[int, int, int, int]

CARD = (1200, 630)  # the size that previews of links have
_MARGIN = 40
_SMOOTH = 2  # pixels are drawn so many times larger, then reduced
_FRAME, _FRAME_MS, _LAST_MS = 360, 700, 3_000  # of an animation: pixels, and milliseconds
_STEP = re.compile(r"([MLlhvZ])([^MLlhvZ]*)")


class _Shape(NamedTuple):
    """An element of a picture that is drawn, and how opaque it is with all that it is in. Equal ones look alike."""

    tag: str
    given: tuple[tuple[str, str], ...]
    opacity: float


@lru_cache(maxsize=4096)
def _box(shape: _Shape, scale: float) -> Box:
    """The pixels that a shape may touch."""
    points, width = _reach(shape.tag, dict(shape.given))
    across, down = zip(*points, strict=True)
    edges = (min(across) - width, min(down) - width, max(across) + width, max(down) + width)
    left, top, right, bottom = (edge * scale for edge in edges)
    return floor(left) - 1, floor(top) - 1, ceil(right) + 2, ceil(bottom) + 2


def _reach(tag: str, given: dict[str, str]) -> tuple[list[Point], float]:
    """Points around which everything lies, and how far from them."""
    width = float(given.get("stroke-width", "1")) / 2 if "stroke" in given else 0
    if tag == "path":
        return [point for points in _subpaths(given["d"]) for point in points], width
    if tag == "circle":
        return [(float(given["cx"]), float(given["cy"]))], width + float(given["r"])
    left, top = float(given.get("x", "0")), float(given.get("y", "0"))
    return [(left, top), (left + float(given["width"]), top + float(given["height"]))], width


def _shapes(picture: str) -> tuple[float, list[_Shape]]:
    """The size of a picture, and what is drawn there, one over the other."""
    root = ET.fromstring(picture)  # noqa: S314 - it is drawn by core/svg.py, and is no input of anybody
    return float(root.attrib["viewBox"].split()[2]), list(_inside(root, 1))


def _inside(element: ET.Element, opacity: float) -> Iterator[_Shape]:
    for inner in element:
        tag, shown = inner.tag.rpartition("}")[2], opacity * float(inner.get("opacity", "1"))
        if tag in ("rect", "circle", "path"):
            yield _Shape(tag, tuple(inner.attrib.items()), shown)
        elif tag not in ("g", "title"):
            raise ValueError(f"svg.py has a new kind of element: {tag}")
        yield from _inside(inner, shown)


def draw_board(picture: str, size: int) -> Image.Image:
    """A picture by ``svg``, so many pixels wide and high."""
    width, shapes = _shapes(picture)
    return _draw(shapes, size / width, (0, 0, size, size))


def _draw(shapes: Iterable[_Shape], scale: float, box: Box) -> Image.Image:
    """The pixels in a box. What does not touch it is not drawn."""
    from PIL import Image

    left, top, right, bottom = box
    image = Image.new("RGB", ((right - left) * _SMOOTH, (bottom - top) * _SMOOTH), "#fff")
    painter = _Painter(image, scale * _SMOOTH, (left * _SMOOTH, top * _SMOOTH))
    for shape in shapes:
        if _overlap(_box(shape, scale), box):
            painter.draw(shape)
    return image.reduce(_SMOOTH)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class _Painter:
    """Draws the few kinds of elements that ``svg`` writes, on a part of the picture."""

    def __init__(self, image: Image.Image, scale: float, origin: Point) -> None:
        from PIL import ImageDraw

        self._scale, self._origin = scale, origin
        self._solid, self._blended = ImageDraw.Draw(image), ImageDraw.Draw(image, "RGBA")  # the first is much faster

    def draw(self, shape: _Shape) -> None:
        given = dict(shape.given)
        fill = _colour(given.get("fill", "#000"), given.get("fill-opacity", "1"), shape.opacity)
        stroke = _colour(given.get("stroke", "none"), given.get("stroke-opacity", "1"), shape.opacity)
        is_solid = all(colour is None or colour[3] == 255 for colour in (fill, stroke))
        canvas = self._solid if is_solid else self._blended
        width = self._length(given.get("stroke-width", "1")) if stroke else 0
        if shape.tag == "rect":
            left, top = self._point(given.get("x", "0"), given.get("y", "0"))
            corner = (left + self._length(given["width"]), top + self._length(given["height"]))
            canvas.rounded_rectangle(
                (left, top, *corner), self._length(given.get("rx", "0")), fill, stroke, round(width)
            )
        elif shape.tag == "circle":
            (x, y), reach = self._point(given["cx"], given["cy"]), self._length(given["r"]) + width / 2
            canvas.ellipse((x - reach, y - reach, x + reach, y + reach), fill, stroke, round(width))
        else:
            for points in _subpaths(given["d"]):
                self._path(canvas, [self._point(x, y) for x, y in points], fill, stroke, width)

    def _length(self, text: str) -> float:
        return float(text) * self._scale

    def _point(self, x: str | float, y: str | float) -> Point:
        return float(x) * self._scale - self._origin[0], float(y) * self._scale - self._origin[1]

    def _path(
        self, canvas: ImageDraw.ImageDraw, points: list[Point], fill: Rgba | None, stroke: Rgba | None, width: float
    ) -> None:
        if stroke is None:
            canvas.polygon(points, fill)
            return
        canvas.line(points, stroke, round(width))
        for x, y in points:  # all ends are round
            canvas.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), stroke)


def _subpaths(path: str) -> list[list[Point]]:
    """The points of each part of a path."""
    parts: list[list[Point]] = []
    for letter, numbers in _STEP.findall(path):
        values = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", numbers)]
        if letter == "M":
            parts.append([(values[0], values[1])])
            continue
        parts[-1].append(parts[-1][0] if letter == "Z" else _next_point(letter, values, *parts[-1][-1]))
    return parts


def _next_point(letter: str, values: list[float], x: float, y: float) -> Point:
    if letter == "L":
        return values[0], values[1]
    if letter == "l":
        return x + values[0], y + values[1]
    return (x + values[0], y) if letter == "h" else (x, y + values[0])


def _colour(name: str, opacity: str, group: float) -> Rgba | None:
    from PIL import ImageColor

    if name == "none":
        return None
    red, green, blue = ImageColor.getrgb(name)[:3]
    return red, green, blue, round(255 * float(opacity) * group)


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
    return _png(image)


def _wrapped(text: str, font: FreeTypeFont | ImageFont, room: float) -> list[str]:
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        rows[-1:] = [longer] if font.getlength(longer) <= room or not rows[-1] else [rows[-1], word]
    return rows


def _png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


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

    frame, before = Image.new("P", (_FRAME, _FRAME)), set[_Shape]()
    frame.putpalette(palette.getpalette() or [])
    for picture in pictures:
        width, shapes = _shapes(picture)
        scale, now = _FRAME / width, set(shapes)
        frame = frame.copy()
        for box in _joined(_box(shape, scale) for shape in now ^ before):
            drawn = _draw(shapes, scale, box).quantize(palette=palette, dither=Image.Dither.NONE)
            frame.paste(drawn, box[:2])
        before = now
        yield frame


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that cover these, none of which overlaps another, inside a frame."""
    joined: list[Box] = []
    for box in boxes:
        new = (max(box[0], 0), max(box[1], 0), min(box[2], _FRAME), min(box[3], _FRAME))
        while touched := [other for other in joined if _overlap(new, other)]:
            joined = [other for other in joined if other not in touched]
            lefts, tops, rights, bottoms = zip(new, *touched, strict=True)
            new = (min(lefts), min(tops), max(rights), max(bottoms))
        joined.append(new)
    return joined
