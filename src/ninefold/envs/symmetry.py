"""The eight symmetries for arrays: planes, actions, masks and policies of any game, to make eight samples of one.

>>> import numpy as np
>>> from ninefold.envs.symmetry import symmetries_of
>>> symmetries = symmetries_of("classic")
>>> symmetries.actions(np.array([0, 1, 4]), 1).tolist()
[2, 5, 4]

A symmetry is a number from 0 to 7 as in ``core.symmetry``, which has positions and single moves, or an array of them,
one for every sample. Arrays are of NumPy, JAX or PyTorch; with JAX all of it can be traced. Shapes are always checked,
and numbers outside their range are refused in NumPy arrays: other libraries do not check theirs.
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
from ninefold.envs.grid import ORDER, checked_layout, grid_side
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

    def __repr__(self) -> str:
        return f"<GameSymmetries of {self.game.id}, layout {self.layout}>"

    def actions(self, action: Array, symmetry: Any) -> Array:
        """Where actions go.

        >>> symmetries_of("classic").actions(np.array([0, 1, 4]), 1).tolist()
        [2, 5, 4]
        """
        symmetry, moves = _checked(symmetry), self._action_goes.shape[1]
        if isinstance(_array("actions", action), np.ndarray):
            _check_range("actions", action, moves)
        if isinstance(symmetry, int):
            return _put(self._action_goes[symmetry], action)[action]
        return _put(self._action_goes, action)[_put(symmetry, action), action]

    def policy(self, policy: Array, symmetry: Any) -> Array:
        """Values of the actions, which are the last axis: probabilities, logits, visits or a mask.

        >>> symmetries_of("classic").policy(np.array([1, 0, 0, 0, 0, 0, 0, 0, 0]), 1).tolist()
        [0, 0, 1, 0, 0, 0, 0, 0, 0]
        """
        moves = self._action_from.shape[1]
        if tuple(_array("policy", policy).shape[-1:]) != (moves,):
            shape = tuple(policy.shape)
            raise ValueError(f"A policy of {self.game.id} has the shape (..., {moves}), not {shape}.")
        return _gather(policy, self._action_from, symmetry)

    mask = policy

    def planes(self, planes: Array, symmetry: Any) -> Array:
        """Planes of observations, ``(..., rows, columns, planes)``.

        >>> planes = np.zeros((3, 3, 1), int)
        >>> planes[0, 0] = 1
        >>> symmetries_of("classic").planes(planes, 1)[..., 0].tolist()
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
        """
        shape, side = tuple(_array("planes", planes).shape), grid_side(self.game)
        if len(shape) < 3 or shape[-3:-1] != (side, side):
            raise ValueError(f"Planes of {self.game.id} have the shape (..., {side}, {side}, planes), not {shape}.")
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
    xp, symmetry = _namespace(array), _checked(symmetry)
    if isinstance(symmetry, int):
        return array[(..., _put(sources[symmetry], array), *[slice(None)] * behind)]
    rows = _put(sources, array)[_put(symmetry, array)]
    if rows.ndim == 1:  # one symmetry, as an array or while a function is traced
        return array[(..., rows, *[slice(None)] * behind)]
    rows = rows.reshape(*rows.shape, *[1] * behind)
    if hasattr(xp, "take_along_dim"):  # PyTorch, which also wants these numbers in 64 bits
        return xp.take_along_dim(array, rows.long(), dim=-1 - behind)
    return xp.take_along_axis(array, rows, axis=-1 - behind)


def _checked(symmetry: Any) -> Any:
    """A symmetry as a number, or an array of them."""
    if isinstance(symmetry, list | tuple):
        symmetry = np.asarray(symmetry)
    if not hasattr(symmetry, "shape") or isinstance(symmetry, np.generic):
        return checked(symmetry)
    if isinstance(symmetry, np.ndarray):
        _check_range("symmetry", symmetry, COUNT)
    return symmetry


def _array(name: str, array: Array) -> Array:
    if not hasattr(array, "shape"):
        raise TypeError(f"{name} must be an array of NumPy, JAX or PyTorch, not {array!r}.")
    return array


def _check_range(name: str, numbers: Any, end: int) -> None:
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name} must be an array of integers, not {numbers.dtype}.")
    wrong = numbers[(numbers < 0) | (numbers >= end)]
    if wrong.size:
        raise IndexError(f"{name} must be numbers from 0 to {end - 1}, not {wrong.flat[0]}.")


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
