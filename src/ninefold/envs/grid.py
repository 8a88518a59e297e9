"""A board of boards as one grid of nine rows and nine columns, as pictures and convolutions have it.

Planes and moves are numbered by board and then by cell. On the grid, board and cell become a row and a column; a game
on nine cells has a grid of three by three, and its planes are on it already.

>>> from ninefold.games import find_game
>>> ultimate = find_game("ultimate")
>>> action_cells(ultimate)[13].tolist(), int(cell_actions(ultimate)[1, 4])
([1, 4], 13)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.envs.start import game_of

__all__ = ["action_cells", "cell_actions", "policy_from_grid", "policy_to_grid", "to_grid"]

LAYOUTS = ("boards", "grid")
# The place on the grid of each board and cell, and also the board and cell of each place: it is its own inverse.
ORDER = np.arange(81).reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(-1)


def to_grid(planes: Any) -> Any:
    """Planes ``(..., 9, 9, P)`` by board and cell as planes by row and column, or back. Arrays of any library.

    >>> planes = np.arange(81).reshape(9, 9, 1)
    >>> to_grid(planes)[0, :, 0].tolist()
    [0, 1, 2, 9, 10, 11, 18, 19, 20]
    """
    shape = tuple(planes.shape)
    if shape[-3:-1] != (9, 9):
        return planes
    return planes.reshape(*shape[:-3], 81, shape[-1])[..., ORDER, :].reshape(shape)


def policy_to_grid(policy: Any) -> Any:
    """Values of the 81 moves of a board of boards, ``(..., 81)``, as ``(..., 9, 9)`` by row and column.

    >>> policy_to_grid(np.arange(81))[0].tolist()
    [0, 1, 2, 9, 10, 11, 18, 19, 20]
    """
    if tuple(policy.shape[-1:]) != (81,):
        raise ValueError(f"A policy of a board of boards has the shape (..., 81), not {tuple(policy.shape)}.")
    return policy[..., ORDER].reshape(*policy.shape[:-1], 9, 9)


def policy_from_grid(grid: Any) -> Any:
    """Values by row and column, ``(..., 9, 9)``, as values of the 81 moves of a board of boards.

    >>> values = np.arange(81)
    >>> bool((policy_from_grid(policy_to_grid(values)) == values).all())
    True
    """
    if tuple(grid.shape[-2:]) != (9, 9):
        raise ValueError(f"The grid of a board of boards has the shape (..., 9, 9), not {tuple(grid.shape)}.")
    return grid.reshape(*grid.shape[:-2], 81)[..., ORDER]


def action_cells(game: str | Game) -> npt.NDArray[np.int64]:
    """The row and the column of the mark that each action places, ``(actions, 2)``.

    >>> action_cells("ultimate")[[0, 9, 80]].tolist()
    [[0, 0], [0, 3], [8, 8]]
    """
    game = game_of(game)
    side = grid_side(game)
    placed = ORDER if game.picture.boards else np.array([path[0] for path in game.paths])
    return np.stack(np.divmod(placed, side), axis=-1)


def cell_actions(game: str | Game) -> npt.NDArray[np.int64]:
    """The action that places a mark on each cell and does nothing else, by row and column.

    >>> cell_actions("ultimate")[0, 3]
    np.int64(9)
    """
    game = game_of(game)
    side = grid_side(game)
    return (ORDER if game.picture.boards else np.arange(9)).reshape(side, side)


def grid_side(game: Game) -> int:
    """How many rows and columns the grid of a game has."""
    return 9 if game.picture.boards else 3


def checked_layout(layout: str) -> str:
    if layout not in LAYOUTS:
        raise Unreadable("no_such_layout", layout=quoted(str(layout)), layouts=" ".join(LAYOUTS))
    return layout
