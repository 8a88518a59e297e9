"""A position as planes of booleans, as one side sees it. The planes are the last axis, mine before theirs.

A board of nine cells is ``(3, 3, 3)``: my marks, their marks, and where I may place one. A board of boards is
``(9, 9, 5)``, by board and cell as moves are numbered: my marks, their marks, the boards that count for me, those that
count for them, and where I may place a mark.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core import planes as core_planes
from ninefold.core.game import Game
from ninefold.core.position import Position, Side

Planes = npt.NDArray[np.bool_]


def shape_of(game: Game) -> tuple[int, int, int]:
    return (9, 9, 5) if game.picture.boards else (3, 3, 3)


def planes_of(game: Game, position: Position, side: Side | None = None) -> Planes:
    """A position as the side to move sees it, or as the given side does. A side that is not to move may place
    nothing."""
    return np.stack(core_planes.planes(game, position, side), axis=-1, dtype=np.bool_).reshape(shape_of(game))


def turned(planes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The planes of ended games, where nobody may place a mark, as the other side sees them: every pair is swapped."""
    pairs = range(0, planes.shape[-1] - 1, 2)
    return planes[..., [*(plane for pair in pairs for plane in (pair + 1, pair)), -1]]
