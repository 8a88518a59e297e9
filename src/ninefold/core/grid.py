"""The geometry of nine cells, and the names people give them.

Cells are indexed row by row from the top left, here and in every array that leaves the program:

    0 1 2
    3 4 5
    6 7 8

A set of cells is an int with one bit a cell (bit 0 is the top left).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from ninefold.core.messages import Message

CELLS = range(9)
FULL = 0b111_111_111
OUTSIDE = -1  # the cell of coordinates that are readable but not on the board

LINES: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip
LINE_NAMES = ("Row 1", "Row 2", "Row 3", "Col 1", "Col 2", "Col 3", "Diagonal", "Anti-diagonal")
LINE_MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(other for other in CELLS if abs(cell // 3 - other // 3) + abs(cell % 3 - other % 3) == 1) for cell in CELLS
)

HAS_LINE = tuple(any(mask & line == line for line in LINE_MASKS) for mask in range(512))
FREE = tuple(tuple(cell for cell in CELLS if not mask >> cell & 1) for mask in range(512))


_PAIR = re.compile(r"\[(-?[0-9]{1,3}),(-?[0-9]{1,3})\]|(-?[0-9]),(-?[0-9])")


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """The eight symmetries of nine cells, as where each cell goes: the rim is turned, or turned over."""
    rim = (0, 1, 2, 5, 8, 7, 6, 3)  # around the middle
    found = []
    for direction in (1, -1):
        for turn in (0, 2, 4, 6):
            goes = [4] * 9
            for place, cell in enumerate(rim):
                goes[cell] = rim[(turn + direction * place) % 8]
            found.append(tuple(goes))
    return tuple(found)


SYMMETRIES = _symmetries()


@cache
def moved(mask: int, symmetry: int) -> int:
    """Where a symmetry takes a set of cells."""
    return sum(1 << SYMMETRIES[symmetry][cell] for cell in CELLS if mask >> cell & 1)


def lines_in(mask: int) -> tuple[tuple[int, int, int], ...]:
    """The lines of three that a set of cells holds."""
    return tuple(line for line, bits in zip(LINES, LINE_MASKS, strict=True) if mask & bits == bits)


def completed_line(marks: Sequence[object], mark: object) -> tuple[int, int, int] | None:
    """The first line whose three cells all have this mark."""
    return next((line for line in LINES if all(marks[cell] is mark for cell in line)), None)


def mask_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in set(cells))


class Naming(NamedTuple):
    """The names of the nine cells."""

    names: tuple[str, ...]
    help: Message

    def name(self, cell: int) -> str:
        return self.names[cell]

    def format(self, cells: Iterable[int]) -> str:
        """The names of cells, one after the other."""
        return " ".join(self.names[cell] for cell in cells)

    def parse_cell(self, text: str) -> int | None:
        """The cell with exactly this name."""
        return self.names.index(text) if text in self.names else None

    def parse_cells(self, text: str) -> tuple[int, ...] | None:
        """Cells written one after the other, by name or by row and column; None when that is not what the text is.

        >>> NUMPAD.parse_cells("27"), READING.parse_cells("1,1"), ROW_COLUMN.parse_cells("[0,0][3,1]")
        ((7, 0), (4,), (0, -1))
        """
        found = []
        while text:
            pair = _PAIR.match(text)
            name = next((name for name in self.names if text.startswith(name)), None)
            if pair:
                row, column = (int(number) for number in pair.groups() if number is not None)
                found.append(row * 3 + column if row in range(3) and column in range(3) else OUTSIDE)
                text = text[pair.end() :]
            elif name:
                found.append(self.names.index(name))
                text = text[len(name) :]
            else:
                return None
        return tuple(found)


READING = Naming(tuple("123456789"), Message("naming.reading"))
NUMPAD = Naming(tuple("789456123"), Message("naming.numpad"))
ROW_COLUMN = Naming(tuple(f"[{cell // 3},{cell % 3}]" for cell in CELLS), Message("naming.row_column"))


def rows(marks: str) -> str:
    """Nine characters as three rows: ``XX./OO./...``."""
    return "/".join(marks[row : row + 3] for row in (0, 3, 6))
