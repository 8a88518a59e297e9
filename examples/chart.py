"""Curves as an SVG picture that stands on its own."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")  # told apart by people who are colour-blind


class Curve(NamedTuple):
    name: str
    points: Sequence[tuple[float, float]]


class Axis(NamedTuple):
    """From the lowest to the highest number, in equal steps or, with ``log``, in equal ratios."""

    name: str
    low: float
    high: float
    log: bool = False

    def share(self, number: float) -> float:
        """How far along the axis a number is."""
        if self.log:
            return log10(number / self.low) / log10(self.high / self.low)
        return (number - self.low) / (self.high - self.low)

    def marks(self) -> list[float]:
        if self.log:
            return [10.0**power for power in range(floor(log10(self.low) + 0.999), floor(log10(self.high) + 0.001) + 1)]
        return [self.low + (self.high - self.low) * part / 4 for part in range(5)]


def chart(title: str, across: Axis, up: Axis, curves: Sequence[Curve]) -> str:
    """All curves in one picture, each with its name at its end."""

    def x(number: float) -> float:
        return LEFT + across.share(number) * (WIDTH - LEFT - RIGHT)

    def y(number: float) -> float:
        return HEIGHT - BOTTOM - up.share(number) * (HEIGHT - TOP - BOTTOM)

    body = [f'<text x="{LEFT}" y="22" font-weight="bold">{title}</text>']
    for mark in across.marks():
        body.append(_line(x(mark), TOP, x(mark), HEIGHT - BOTTOM, "#ddd"))
        body.append(f'<text x="{x(mark):g}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{short(mark)}</text>')
    for mark in up.marks():
        body.append(_line(LEFT, y(mark), WIDTH - RIGHT, y(mark), "#ddd"))
        body.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:g}" text-anchor="end">{short(mark)}</text>')
    body.append(f'<text x="{(LEFT + WIDTH) / 2:g}" y="{HEIGHT - 12}" text-anchor="middle">{across.name}</text>')
    body.append(f'<text x="{LEFT - 60}" y="{TOP - 12}">{up.name}</text>')
    for curve, colour in zip(curves, COLOURS, strict=False):
        path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in curve.points)
        body.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end, height = curve.points[-1]
        body.append(f'<text x="{x(end) - 4:.1f}" y="{y(height) - 6:.1f}" text-anchor="end" fill="{colour}">{curve.name}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def short(number: float) -> str:
    """A number as a chart has room for it.

    >>> [short(number) for number in (0, 0.25, 12, 65_536, 2e9)]
    ['0', '0.25', '12', '66k', '2G']
    """
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}" if number < 10 * size else f"{number / size:.0f}{letter}"
    return f"{number:.3g}"


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}"/>'
