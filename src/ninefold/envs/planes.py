"""A position as planes of booleans, as one side sees it. The planes are the last axis, mine before theirs.

A board of nine cells is ``(3, 3, 3)``: my marks, their marks, and where I may place one. A board of boards is
``(9, 9, 5)``, by board and cell as moves are numbered: my marks, their marks, the boards that count for me, those that
count for them, and where I may place a mark.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position, Side

Planes = npt.NDArray[np.bool_]


def shape_of(game: Game) -> tuple[int, int, int]:
    return (9, 9, 5) if game.picture.boards else (3, 3, 3)


def planes_of(game: Game, position: Position, side: Side | None = None) -> Planes:
    """A position as the side to move sees it, or as the given side does. A side that is not to move may place
    nothing."""
    side = position.turn if side is None else side
    cells = position.cells
    columns = [[mark is side for mark in cells], [mark is side.other for mark in cells]]
    if game.picture.boards:
        owners = cast("BoardOfBoards", position).owners
        columns += [[name in owner for owner in owners for _ in range(9)] for name in (side.name, side.other.name)]
    columns.append(_places(game, position) if side is position.turn else [False] * len(cells))
    return np.stack(columns, axis=-1, dtype=np.bool_).reshape(shape_of(game))


def turned(planes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The planes of ended games, where nobody may place a mark, as the other side sees them: every pair is swapped."""
    pairs = range(0, planes.shape[-1] - 1, 2)
    return planes[..., [*(plane for pair in pairs for plane in (pair + 1, pair)), -1]]


def _places(game: Game, position: Position) -> list[bool]:
    """The cells on which a legal move places a mark: the first of its path, or the last where that names a board."""
    boards = game.picture.boards
    open_cells = {move if boards else game.paths[move][0] for move in position.moves()}
    return [cell in open_cells for cell in range(len(position.cells))]
