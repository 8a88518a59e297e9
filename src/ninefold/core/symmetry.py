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

from contextlib import suppress
from functools import cache
from typing import cast

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.game import Game
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.integers import as_integer
from ninefold.core.position import Position, SymmetricPosition

__all__ = ["canonical", "compose", "inverse", "move_table", "transform", "transform_move"]

IDENTITY = 0


def transform(position: Position, symmetry: int) -> Position:
    """A position on the board that a symmetry has turned.

    >>> from ninefold import find_game
    >>> corner = find_game("classic").begin().play(0)
    >>> [transform(corner, symmetry).cells.index(0) for symmetry in range(4)]
    [0, 2, 8, 6]
    """
    if not hasattr(position, "why_not"):
        raise TypeError(f"A position is what game.begin() and game.parse(text) return, not {position!r}.")
    if not hasattr(position, "transform"):
        raise NotAllowed("no_symmetry")
    return cast("SymmetricPosition", position).transform(checked(symmetry))


def transform_move(game: Game, move: int, symmetry: int) -> int:
    """Where a symmetry takes a move.

    >>> from ninefold import find_game
    >>> transform_move(find_game("classic"), 0, 1)
    2
    """
    table, number = move_table(game)[checked(symmetry)], as_integer("move", move)
    if not 0 <= number < len(table):
        raise IndexError(f"The moves of {game.id} are 0 to {len(table) - 1}, not {number}.")
    return table[number]


@cache
def move_table(game: Game) -> tuple[tuple[int, ...], ...]:
    """Where each of the eight symmetries takes each move: the cells of its path are moved one by one.

    >>> from ninefold import find_game
    >>> table = move_table(find_game("classic"))
    >>> len(table), table[1]
    (8, (2, 5, 8, 1, 4, 7, 0, 3, 6))
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be what find_game(name) returns, not {game!r}.")
    numbers = {path: move for move, path in enumerate(game.paths)}
    return tuple(tuple(numbers[tuple(goes[cell] for cell in path)] for path in game.paths) for goes in SYMMETRIES)


def compose(first: int, second: int) -> int:
    """The symmetry that does the same as one after the other.

    >>> compose(1, 1), compose(1, 3)
    (2, 0)
    """
    one, other = SYMMETRIES[checked(first)], SYMMETRIES[checked(second)]
    return SYMMETRIES.index(tuple(other[one[cell]] for cell in CELLS))


def inverse(symmetry: int) -> int:
    """The symmetry that undoes another one.

    >>> inverse(1), inverse(2)
    (3, 2)
    """
    return next(other for other in range(len(SYMMETRIES)) if compose(symmetry, other) == IDENTITY)


def canonical(position: Position) -> tuple[Position, int]:
    """The same position for all that are symmetric to each other, and the symmetry that leads to it.

    >>> from ninefold import find_game
    >>> start = find_game("classic").begin()
    >>> len({canonical(start.play(move))[0] for move in start.moves()})
    3
    """
    images = [(str(transform(position, symmetry)), symmetry) for symmetry in range(len(SYMMETRIES))]
    symmetry = min(images)[1]
    return transform(position, symmetry), symmetry


def checked(symmetry: int) -> int:
    with suppress(TypeError):
        number = as_integer("symmetry", symmetry)
        if 0 <= number < len(SYMMETRIES):
            return number
    raise Unreadable("no_such_symmetry", symmetry=repr(symmetry))
