"""A picture of ``core/svg.py`` in pixels, so that there is one set of shapes and colours.

Pillow draws it. It is imported when a picture is drawn; the extras ``server`` and ``agents`` have it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Point = tuple[float, float]
Box = tuple[int, int, int, int]  # left, top, right, bottom
Rgba = tuple[int, int, int, int]

_SMOOTH = 2  # pixels are drawn so many times larger, then reduced
_STEP = re.compile(r"([MLlhvZ])([^MLlhvZ]*)")


class Shape(NamedTuple):
    """An element of a picture that is drawn, and how opaque it is with all that it is in. Equal ones look alike."""

    tag: str
    given: tuple[tuple[str, str], ...]
    opacity: float


@lru_cache(maxsize=4096)
def box_of(shape: Shape, scale: float) -> Box:
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


def shapes_of(picture: str) -> tuple[float, list[Shape]]:
    """The size of a picture, and what is drawn there, one over the other."""
    root = ET.fromstring(picture)  # noqa: S314 - it is drawn by core/svg.py, and is no input of anybody
    return float(root.attrib["viewBox"].split()[2]), list(_inside(root, 1))


def _inside(element: ET.Element, opacity: float) -> Iterator[Shape]:
    for inner in element:
        tag, shown = inner.tag.rpartition("}")[2], opacity * float(inner.get("opacity", "1"))
        if tag in ("rect", "circle", "path"):
            yield Shape(tag, tuple(inner.attrib.items()), shown)
        elif tag not in ("g", "title"):
            raise ValueError(f"svg.py has a new kind of element: {tag}")
        yield from _inside(inner, shown)


def draw_board(picture: str, size: int) -> Image.Image:
    """A picture by ``svg``, so many pixels wide and high."""
    width, shapes = shapes_of(picture)
    return draw_shapes(shapes, size / width, (0, 0, size, size))


def draw_shapes(shapes: Iterable[Shape], scale: float, box: Box) -> Image.Image:
    """The pixels in a box. What does not touch it is not drawn."""
    from PIL import Image

    left, top, right, bottom = box
    image = Image.new("RGB", ((right - left) * _SMOOTH, (bottom - top) * _SMOOTH), "#fff")
    painter = _Painter(image, scale * _SMOOTH, (left * _SMOOTH, top * _SMOOTH))
    for shape in shapes:
        if overlap(box_of(shape, scale), box):
            painter.draw(shape)
    return image.reduce(_SMOOTH)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class _Painter:
    """Draws the few kinds of elements that ``svg`` writes, on a part of the picture."""

    def __init__(self, image: Image.Image, scale: float, origin: Point) -> None:
        from PIL import ImageDraw

        self._scale, self._origin = scale, origin
        self._solid, self._blended = ImageDraw.Draw(image), ImageDraw.Draw(image, "RGBA")  # the first is much faster

    def draw(self, shape: Shape) -> None:
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


def png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()
