"""A position as planes of booleans, as one side sees it, without any array library.

A board of nine cells has three planes: my marks, their marks, and where I may place one. A board of boards has five, by
board and cell as moves are numbered: my marks, their marks, the boards that count for me, those that count for them,
and where I may place a mark.
"""

from __future__ import annotations

from typing import cast

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position, Side


def planes(game: Game, position: Position, side: Side | None = None) -> list[list[bool]]:
    """Every plane as a list of its cells, as the side to move sees the position, or as the given side does. A side that
    is not to move may place nothing."""
    side = position.turn if side is None else side
    cells = position.cells
    found = [[mark is side for mark in cells], [mark is side.other for mark in cells]]
    if game.picture.boards:
        owners = cast("BoardOfBoards", position).owners
        found += [[name in owner for owner in owners for _ in range(9)] for name in (side.name, side.other.name)]
    found.append(_places(game, position) if side is position.turn else [False] * len(cells))
    return found


def _places(game: Game, position: Position) -> list[bool]:
    """The cells on which a legal move places a mark: the first of its path, or the last where that names a board."""
    boards = game.picture.boards
    open_cells = {move if boards else game.paths[move][0] for move in position.moves()}
    return [cell in open_cells for cell in range(len(position.cells))]
