"""A learning curve as an SVG picture that stands on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 30, 60, 50
PARTS = 4  # of an axis, each with its number


class Axis(NamedTuple):
    """The name of an axis, and its highest number; the lowest is 0."""

    name: str
    high: float

    def marks(self) -> list[float]:
        return [self.high * part / PARTS for part in range(PARTS + 1)]


def chart(title: str, across: Axis, up: Axis, points: Sequence[tuple[float, float]]) -> str:
    """The points joined by a line, over a grid."""

    def x(number: float) -> float:
        return LEFT + number / across.high * (WIDTH - LEFT - RIGHT)

    def y(number: float) -> float:
        return HEIGHT - BOTTOM - number / up.high * (HEIGHT - TOP - BOTTOM)

    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', _text(10, 24, title, "start")]
    for mark in across.marks():
        body.append(_line([(x(mark), TOP), (x(mark), HEIGHT - BOTTOM)], "#ddd"))
        body.append(_text(x(mark), HEIGHT - BOTTOM + 18, short(mark), "middle"))
    for mark in up.marks():
        body.append(_line([(LEFT, y(mark)), (WIDTH - RIGHT, y(mark))], "#ddd"))
        body.append(_text(LEFT - 8, y(mark) + 4, short(mark), "end"))
    body.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, across.name, "middle"))
    body.append(_text(10, TOP - 14, up.name, "start"))
    body.append(_line([(x(a), y(b)) for a, b in points], "#0072b2", 2))
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *body, "</svg>", ""])


def short(number: float) -> str:
    """A number in a few characters.

    >>> [short(number) for number in (0, 0.25, 12, 66_500, 480_000, 1_340_000)]
    ['0', '0.25', '12', '66.5k', '480k', '1.34M']
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def _line(points: Sequence[tuple[float, float]], colour: str, width: int = 1) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
