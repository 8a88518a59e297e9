"""X and O as large as there is room for, drawn with half blocks, which every terminal has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ninefold.core.position import Side

_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


# By hand where there is too little room for a circle.
_SMALL = {Side.X: ("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"), Side.O: ("▄▀▀▀▄", "█   █", "▀▄▄▄▀")}


# The same a little lower, for marks that stand close above each other: half a row between them keeps them apart.
CLOSE = {Side.X: ("▄   ▄", " ▀▄▀ ", "▄▀ ▀▄"), Side.O: (" ▄▄▄ ", "█   █", "▀▄▄▄▀")}


@cache
def large_mark(side: Side, height: int) -> tuple[str, ...]:
    """The rows of a mark. A column is about as wide as half a row is high, so it is nearly a square."""
    if height <= 3:
        return _SMALL[side] if height == 3 else (side.name,)
    size = 2 * height
    width = size - 1
    dot = _cross(width, size) if side is Side.X else _ring(width, size)
    return tuple(
        "".join(_BLOCKS[dot(column, 2 * row), dot(column, 2 * row + 1)] for column in range(width))
        for row in range(height)
    )


def _cross(width: int, height: int) -> Callable[[int, int], bool]:
    def dot(x: int, y: int) -> bool:
        along = y * (width - 1) / (height - 1)
        return any(abs(x - middle) <= max(0.5, width / 16) for middle in (along, width - 1 - along))

    return dot


def _ring(width: int, height: int) -> Callable[[int, int], bool]:
    across, down = (width - 1) / 2, (height - 1) / 2

    def inside(x: int, y: int, less: float) -> bool:
        return ((x - across) / (across + 0.5 - less)) ** 2 + ((y - down) / (down + 0.5 - less)) ** 2 <= 1

    thick = max(1.0, width / 8)
    return lambda x, y: inside(x, y, 0) and not inside(x, y, thick)
