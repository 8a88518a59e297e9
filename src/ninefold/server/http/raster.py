"""Positions as PNG and GIF: the pictures of ``core/svg.py`` in pixels, so that there is one set of shapes and colours.

Pillow draws them. It is imported when a picture is drawn; the extra ``server`` has it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ninefold.core.palette import LIGHT

if TYPE_CHECKING:
    from PIL import Image, ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Point = tuple[float, float]
Rgba = tuple[int, int, int, int]

CARD = (1200, 630)  # the size that previews of links have
_MARGIN = 40
_SMOOTH = 2  # pixels are drawn so many times larger, then reduced
_FRAME, _FRAME_MS, _LAST_MS = 360, 700, 3_000  # of an animation: pixels, and milliseconds
_STEP = re.compile(r"([MLlhvZ])([^MLlhvZ]*)")


def draw_board(picture: str, size: int) -> Image.Image:
    """A picture by ``svg``, so many pixels wide and high."""
    from PIL import Image, ImageDraw

    root = ET.fromstring(picture)  # noqa: S314 - it is drawn by core/svg.py, and is no input of anybody
    scale = size * _SMOOTH / float(root.attrib["viewBox"].split()[2])
    image = Image.new("RGB", (size * _SMOOTH, size * _SMOOTH), "#fff")
    painter = _Painter(ImageDraw.Draw(image, "RGBA"), scale)
    for element in root.iter():
        painter.draw(element.tag.rpartition("}")[2], element.attrib)
    return image.resize((size, size), Image.Resampling.LANCZOS)


class _Painter:
    """Draws the few kinds of elements that ``svg`` writes."""

    def __init__(self, canvas: ImageDraw.ImageDraw, scale: float) -> None:
        self._canvas, self._scale = canvas, scale

    def draw(self, tag: str, given: dict[str, str]) -> None:
        if tag == "rect":
            self._rect(given)
        elif tag == "circle":
            x, y, radius = (self._length(given[name]) for name in ("cx", "cy", "r"))
            half = self._stroke_width(given) / 2 if "stroke" in given else 0
            box = (x - radius - half, y - radius - half, x + radius + half, y + radius + half)
            self._canvas.ellipse(box, _fill(given), _stroke(given), round(2 * half))
        elif tag == "path":
            for points in _subpaths(given["d"]):
                self._path([(x * self._scale, y * self._scale) for x, y in points], given)
        elif tag not in ("svg", "g", "title"):
            raise ValueError(f"svg.py has a new kind of element: {tag}")

    def _length(self, text: str) -> float:
        return float(text) * self._scale

    def _stroke_width(self, given: dict[str, str]) -> float:
        return self._length(given.get("stroke-width", "1"))

    def _rect(self, given: dict[str, str]) -> None:
        left, top, radius = (self._length(given.get(name, "0")) for name in ("x", "y", "rx"))
        box = (left, top, left + self._length(given["width"]), top + self._length(given["height"]))
        width = round(self._stroke_width(given)) if "stroke" in given else 0
        self._canvas.rounded_rectangle(box, radius, _fill(given), _stroke(given), width)

    def _path(self, points: list[Point], given: dict[str, str]) -> None:
        stroke, width = _stroke(given), self._stroke_width(given)
        if stroke is None:
            self._canvas.polygon(points, _fill(given))
            return
        self._canvas.line(points, stroke, round(width))
        if given.get("stroke-linecap") == "round":
            for x, y in points:
                self._canvas.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), stroke)


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


def _colour(name: str, opacity: str) -> Rgba:
    from PIL import ImageColor

    red, green, blue = ImageColor.getrgb(name)[:3]
    return red, green, blue, round(255 * float(opacity))


def _fill(given: dict[str, str]) -> Rgba | None:
    name = given.get("fill", "#000")
    return None if name == "none" else _colour(name, given.get("fill-opacity", "1"))


def _stroke(given: dict[str, str]) -> Rgba | None:
    name = given.get("stroke", "none")
    return None if name == "none" else _colour(name, given.get("stroke-opacity", "1"))


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
    from PIL import Image

    drawn = [draw_board(picture, _FRAME) for picture in pictures]
    palette = drawn[-1].quantize(64)  # one for all: what does not change takes no room
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in drawn]
    times = [*[_FRAME_MS] * (len(frames) - 1), _LAST_MS]
    written = io.BytesIO()
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return written.getvalue()
