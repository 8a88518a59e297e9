"""Batches on the CPU by the native core: NumPy arrays in, new NumPy arrays out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ninefold import engine
from ninefold.envs.arrays import Array
from ninefold.envs.batch import Draw, Rollout, State, View
from ninefold.envs.stream import WORD
from ninefold.envs.tables import Tables

if TYPE_CHECKING:
    from ninefold._native import BigBatch, TableBatch

MOST_MOVES = 37  # what a packed word has room for


class Shape(NamedTuple):
    """What one game takes in the arrays."""

    position: tuple[int, ...]
    mask: int
    planes: tuple[int, ...]
    moves: int


class NativeCore:
    """Every step writes new arrays, or those that were given for it; nothing else is changed."""

    def __init__(self, kernels: TableBatch | BigBatch, shape: Shape) -> None:
        self._kernels, self._shape = kernels, shape

    def step(self, state: State, action: Array, out: State | None = None) -> State:
        after = out or self._room(len(action))
        self._kernels.step(*_places(state), _moves(action), *after)
        return after

    def random_action(self, state: State, draw: Draw) -> Array:
        action = np.empty(len(state.done), np.int32)
        self._kernels.random_action(*_places(state), *_words(draw), action)
        return action

    def random_step(self, state: State, draw: Draw, out: State | None = None) -> State:
        after = out or self._room(len(state.done))
        self._kernels.random_step(*_places(state), *_words(draw), *after)
        return after

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        count = len(state.done)
        after, ended, score = self._room(count), np.empty(count, np.int32), np.empty(count, np.int32)
        self._kernels.rollout(*_places(state), *_words(draw), steps, ended, score, *after)
        return Rollout(after, ended, score)

    def view(self, state: State, out: View | None = None) -> View:
        planes, legal, rewards, _, turn = out or self._blank(len(state.done))
        self._kernels.view(*_places(state), np.ascontiguousarray(state.reward), planes, legal, rewards, turn)
        return View(planes, legal, rewards, state.done, turn)

    def _blank(self, count: int) -> View:
        planes, legal = np.empty((count, *self._shape.planes), np.bool_), np.empty((count, self._shape.moves), np.bool_)
        return View(planes, legal, np.empty((count, 2), np.float32), None, np.empty(count, np.int8))

    def _room(self, count: int) -> State:
        return State(
            np.empty((count, *self._shape.position), np.int32),
            np.empty((count, self._shape.mask), np.int32),
            np.empty(count, np.int8),
            np.empty(count, np.bool_),
        )


def _places(state: State) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    return np.ascontiguousarray(state.position), np.ascontiguousarray(state.mask)


def _moves(action: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """As int32; what does not fit there is no move in any case."""
    if action.dtype == np.int32:
        return np.ascontiguousarray(action)
    inside = (action >= 0) & (action < WORD // 2)
    return np.where(inside, action, -1).astype(np.int32)


def _words(draw: Draw) -> tuple[int, int, int]:
    return draw.seed % WORD, int(draw.counter) % WORD, draw.first % WORD


def plays(tables: Tables) -> bool:
    """Whether there is a native core, and it has room for the moves of a game."""
    return engine.is_native() and tables.legal.shape[1] <= MOST_MOVES


def table_core(tables: Tables, threads: int) -> NativeCore:
    kernels = engine.table_batch(tables.transitions, tables.masks, tables.planes, tables.turn, threads)
    return NativeCore(kernels, Shape((), tables.masks.shape[1], tables.planes.shape[1:], tables.legal.shape[1]))
