"""The eight symmetries of the square, for the moves and positions of every game: 0 leaves all as it is, 1 to 3 turn the
board by quarters, clockwise, and 4 to 7 turn it over.

The moves of a board of boards move board and cell alike. Moving a position and then playing the moved move leads to the
same position as playing the move first.

>>> from ninefold.games import find_game
>>> classic = find_game("classic")
>>> str(transform(classic.begin().play(0), 1)), transform_move(classic, 0, 1)
('..X/.../... O first=X line_ends=yes', 2)
"""

from __future__ import annotations

from functools import cache
from typing import cast

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.game import Game
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.position import Position, SymmetricPosition

IDENTITY = 0


def transform(position: Position, symmetry: int) -> Position:
    """A position on the board that a symmetry has turned."""
    if not hasattr(position, "transform"):
        raise NotAllowed("no_symmetry")
    return cast("SymmetricPosition", position).transform(_checked(symmetry))


def transform_move(game: Game, move: int, symmetry: int) -> int:
    """Where a symmetry takes a move."""
    return move_table(game)[_checked(symmetry)][move]


@cache
def move_table(game: Game) -> tuple[tuple[int, ...], ...]:
    """Where each of the eight symmetries takes each move: the cells of its path are moved one by one."""
    numbers = {path: move for move, path in enumerate(game.paths)}
    return tuple(tuple(numbers[tuple(goes[cell] for cell in path)] for path in game.paths) for goes in SYMMETRIES)


def compose(first: int, second: int) -> int:
    """The symmetry that does the same as one after the other."""
    one, other = SYMMETRIES[_checked(first)], SYMMETRIES[_checked(second)]
    return SYMMETRIES.index(tuple(other[one[cell]] for cell in CELLS))


def inverse(symmetry: int) -> int:
    """The symmetry that undoes another one."""
    return next(other for other in range(len(SYMMETRIES)) if compose(symmetry, other) == IDENTITY)


def canonical(position: Position) -> tuple[Position, int]:
    """The same position for all that are symmetric to each other, and the symmetry that leads to it."""
    images = [(str(transform(position, symmetry)), symmetry) for symmetry in range(len(SYMMETRIES))]
    symmetry = min(images)[1]
    return transform(position, symmetry), symmetry


def _checked(symmetry: int) -> int:
    if not (isinstance(symmetry, int) and 0 <= symmetry < len(SYMMETRIES)):
        raise Unreadable("no_such_symmetry", symmetry=repr(symmetry))
    return symmetry
