"""The eight symmetries for arrays: planes, actions, masks and policies of any game, to make eight samples of one.

>>> import numpy as np
>>> from ninefold.envs.symmetry import symmetries_of
>>> symmetries = symmetries_of("classic")
>>> symmetries.actions(np.array([0, 1, 4]), 1).tolist()
[2, 5, 4]

A symmetry is a number from 0 to 7 as in ``core.symmetry``, which has positions and single moves, or an array of them,
one for every sample. Arrays are of NumPy, JAX or PyTorch; with JAX all of it can be traced.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np

from ninefold.core.game import Game
from ninefold.core.grid import SYMMETRIES
from ninefold.core.symmetry import checked, move_table
from ninefold.envs.arrays import Array, device_argument, device_of
from ninefold.envs.grid import ORDER, checked_layout
from ninefold.envs.start import game_of

__all__ = ["GameSymmetries", "symmetries_of"]

COUNT = len(SYMMETRIES)


class GameSymmetries:
    """The symmetries of a game as tables. With the layout ``grid``, planes of a board of boards are by row and column,
    as in the environments.

    >>> symmetries = symmetries_of("classic")
    >>> [int(symmetries.actions(np.array(0), symmetry)) for symmetry in range(4)]
    [0, 2, 8, 6]
    """

    game: Game
    layout: str

    def __init__(self, game: Game, layout: str = "boards") -> None:
        self.game, self.layout = game, checked_layout(layout)
        self._action_goes = np.array(move_table(game), np.int32)
        self._action_from = np.argsort(self._action_goes, axis=1).astype(np.int32)
        self._cell_from = np.argsort(self._cell_goes(), axis=1).astype(np.int32)

    def actions(self, action: Array, symmetry: Any) -> Array:
        """Where actions go.

        >>> symmetries_of("classic").actions(np.array([0, 1, 4]), 1).tolist()
        [2, 5, 4]
        """
        if isinstance(symmetry, int):
            return _put(self._action_goes[checked(symmetry)], action)[action]
        return _put(self._action_goes, action)[_put(symmetry, action), action]

    def policy(self, policy: Array, symmetry: Any) -> Array:
        """Values of the actions, which are the last axis: probabilities, logits, visits or a mask.

        >>> symmetries_of("classic").policy(np.array([1, 0, 0, 0, 0, 0, 0, 0, 0]), 1).tolist()
        [0, 0, 1, 0, 0, 0, 0, 0, 0]
        """
        return _gather(policy, self._action_from, symmetry)

    mask = policy

    def planes(self, planes: Array, symmetry: Any) -> Array:
        """Planes of observations, ``(..., rows, columns, planes)``.

        >>> planes = np.zeros((3, 3, 1), int)
        >>> planes[0, 0] = 1
        >>> symmetries_of("classic").planes(planes, 1)[..., 0].tolist()
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
        """
        shape = tuple(planes.shape)
        cells = shape[-3] * shape[-2]
        flat = planes.reshape(*shape[:-3], cells, shape[-1])
        return _gather(flat, self._cell_from, symmetry, behind=1).reshape(shape)

    def _cell_goes(self) -> Any:
        """Where the cell of each place of the planes goes."""
        if not self.game.picture.boards:
            return np.array(SYMMETRIES)
        goes = np.array([[board[b] * 9 + board[c] for b in range(9) for c in range(9)] for board in SYMMETRIES])
        return ORDER[goes[:, ORDER]] if self.layout == "grid" else goes


def _gather(array: Array, sources: Any, symmetry: Any, behind: int = 0) -> Array:
    """Along the axis that has so many behind it, at every place what was at its source."""
    xp = _namespace(array)
    if isinstance(symmetry, int):
        return array[(..., _put(sources[checked(symmetry)], array), *[slice(None)] * behind)]
    rows = _put(sources, array)[_put(symmetry, array)]
    if rows.ndim == 1:  # one symmetry, as an array or while a function is traced
        return array[(..., rows, *[slice(None)] * behind)]
    rows = rows.reshape(*rows.shape, *[1] * behind)
    if hasattr(xp, "take_along_dim"):  # PyTorch, which also wants these numbers in 64 bits
        return xp.take_along_dim(array, rows.long(), dim=-1 - behind)
    return xp.take_along_axis(array, rows, axis=-1 - behind)


def _put(table: Any, array: Array) -> Array:
    """A table in the library of an array and on its device."""
    return _namespace(array).asarray(table, **device_argument(device_of(array)))


def _namespace(array: Array) -> Any:
    """The library of an array."""
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    return sys.modules[type(array).__module__.partition(".")[0]]  # PyTorch has no such method


@cache
def symmetries_of(game: str | Game, layout: str = "boards") -> GameSymmetries:
    """The symmetries of a game.

    >>> symmetries_of("ultimate", "grid").layout
    'grid'
    """
    return GameSymmetries(game_of(game), layout)
