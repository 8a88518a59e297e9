"""What is to be seen on a board, and where on the screen its squares are. Nothing here knows a rule or a colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core.position import Side

NONE: frozenset[int] = frozenset()
GRID_HEIGHTS = tuple(range(1, 25, 2))  # of a cell; odd, so that it has a middle
BOARDS_CELLS = ((3, 1), (7, 3), (11, 5), (15, 7))  # width and height of a cell in a board of boards


class BoardScene(NamedTuple):
    """A board as it is shown. Squares are 0 to 8, or 0 to 80 in a board of boards, whose boards are 0 to 8."""

    marks: tuple[Side | None, ...]
    names: tuple[str, ...] = ()  # what the nine cells are called, if that is to be seen
    owners: tuple[str, ...] = ()  # of boards
    open: frozenset[int] = NONE  # boards that may be played in
    playable: frozenset[int] = NONE  # squares on which a move can begin now
    last: frozenset[int] = NONE  # squares that the last move changed
    line: frozenset[int] = NONE  # cells, or boards, that decided the game
    ghosts: Mapping[int, Side] = {}  # marks that a move would leave
    target: frozenset[int] = NONE  # boards where a move would send the opponent
    sent: str = ""  # who would be sent there
    chosen: int | None = None  # the square, or
    chosen_board: int | None = None  # the board that was chosen on the way to a move
    options: frozenset[int] = NONE  # squares that can be chosen next
    picked: frozenset[int] = NONE  # squares of a claim
    winning: Mapping[int, str] = {}  # empty squares on which a side could win: "X", "O" or "XO"
    values: Mapping[int, str] = {}  # what moves are worth
    hint: frozenset[int] = NONE  # squares that a hint names
    cursor: int | None = None


class Fit(NamedTuple):
    """How large the squares are, and so where they are."""

    boards: bool
    cell_width: int
    cell_height: int
    gap: int = 0  # rows between boards

    @property
    def block_width(self) -> int:
        """Of a board in a board of boards, with its frame."""
        return 3 * self.cell_width + 2

    @property
    def block_height(self) -> int:
        return 3 * self.cell_height + 2

    @property
    def width(self) -> int:
        return 3 * self.block_width + 2 if self.boards else self.block_width

    @property
    def height(self) -> int:
        return 3 * self.block_height + 2 * self.gap if self.boards else self.block_height

    def block(self, board: int) -> tuple[int, int]:
        """The row and the column where a board of a board of boards begins."""
        row, column = divmod(board, 3)
        return row * (self.block_height + self.gap), column * (self.block_width + 1)

    def corner(self, square: int) -> tuple[int, int]:
        """The row and the column where a square begins."""
        row, column = divmod(square % 9, 3)
        if not self.boards:
            return row * (self.cell_height + 1), column * (self.cell_width + 1)
        top, left = self.block(square // 9)
        return top + 1 + row * self.cell_height, left + 1 + column * self.cell_width

    def square(self, row: int, column: int) -> int | None:
        """The square at a place, if there is one."""
        for square in range(81 if self.boards else 9):
            top, left = self.corner(square)
            if top <= row < top + self.cell_height and left <= column < left + self.cell_width:
                return square
        return None


def fit(boards: bool, width: int, height: int) -> Fit:
    """The largest squares that fit, or the smallest there are."""
    if boards:
        sizes = [Fit(True, *cell, gap) for cell in BOARDS_CELLS for gap in (0, 1)]
    else:
        sizes = [Fit(False, 2 * cell + 1, cell) for cell in GRID_HEIGHTS]
    fitting = [size for size in sizes if size.width <= width and size.height <= height]
    return fitting[-1] if fitting else sizes[0]
