"""Batches on the CPU by the native core: NumPy arrays in, new NumPy arrays out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.envs.arrays import Array
from ninefold.envs.batch import Draw, Rollout, State, View
from ninefold.envs.codec import Tables
from ninefold.envs.random_stream import WORD

if TYPE_CHECKING:
    from ninefold._native import BigBatch, TableBatch

MOST_MOVES = 37  # what a packed word has room for
Kinds = tuple[tuple[tuple[int, ...], type[np.generic]], ...]  # shapes and types of arrays
S = TypeVar("S", State, View)


class Shape(NamedTuple):
    """What one game takes in the arrays."""

    position: tuple[int, ...]
    mask: int
    planes: tuple[int, ...]
    moves: int

    def state(self, count: int) -> Kinds:
        """The shapes and types of a state of so many games."""
        position, mask = ((count, *self.position), np.int32), ((count, self.mask), np.int32)
        return position, mask, ((count,), np.int8), ((count,), np.bool_)

    def view(self, count: int) -> Kinds:
        planes, legal = ((count, *self.planes), np.bool_), ((count, self.moves), np.bool_)
        return planes, legal, ((count, 2), np.float32), ((count,), np.bool_), ((count,), np.int8)


class NativeCore:
    """Every step writes new arrays, or those that were given for it; nothing else is changed."""

    def __init__(self, kernels: TableBatch | BigBatch, shape: Shape) -> None:
        self._kernels, self._shape = kernels, shape

    def step(self, state: State, action: Array, out: State | None = None) -> State:
        after = self._room(State, len(action), out)
        self._run(self._kernels.step, (*_places(state), _moves(action), *after), after, len(action))
        return after

    def random_action(self, state: State, draw: Draw) -> Array:
        action = np.empty(len(state.done), np.int32)
        self._kernels.random_action(*_places(state), *_words(draw), action)
        return action

    def random_step(self, state: State, draw: Draw, out: State | None = None) -> State:
        after = self._room(State, len(state.done), out)
        self._run(self._kernels.random_step, (*_places(state), *_words(draw), *after), after, len(state.done))
        return after

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        count = len(state.done)
        after = self._room(State, count)
        ended, score = np.empty(count, np.int32), np.empty(count, np.int32)
        self._kernels.rollout(*_places(state), *_words(draw), steps, ended, score, *after)
        return Rollout(after, ended, score)

    def view(self, state: State, out: View | None = None) -> View:
        count = len(state.done)
        seen = self._room(View, count, out)
        planes, legal, rewards, done, turn = seen
        given = *_places(state), np.ascontiguousarray(state.reward)
        self._run(self._kernels.view, (*given, planes, legal, rewards, turn), seen, count)
        self._run(np.copyto, (done, state.done), seen, count)
        return seen

    def _room(self, kind: type[S], count: int, given: S | None = None) -> S:
        """New arrays, or those that were given."""
        if given is None:
            return kind(*(np.empty(shape, dtype) for shape, dtype in self._kinds(kind, count)))
        if not isinstance(given, kind):
            raise TypeError(f"out is a {kind.__name__}, not a {type(given).__name__}.")
        return given

    def _run(self, kernel: Callable[..., None], arguments: tuple[Any, ...], out: State | View, count: int) -> None:
        """Runs a kernel. It checks the arrays that it writes to; which of them it cannot take is found out afterwards,
        because looking at all of them takes longer than a step of few games."""
        try:
            kernel(*arguments)
        except (TypeError, ValueError):
            self._refuse_misfits(out, count)
            raise

    def _refuse_misfits(self, out: State | View, count: int) -> None:
        for name, array, (shape, dtype) in zip(out._fields, out, self._kinds(type(out), count), strict=True):
            fits = isinstance(array, np.ndarray) and (array.shape, array.dtype) == (shape, dtype)
            if not (fits and array.flags.carray):
                sort = f"of the type {dtype.__name__} and the shape {shape}"
                raise ValueError(f"out.{name} is an array {sort}, in one piece, that can be written to.")

    def _kinds(self, kind: type[State | View], count: int) -> Kinds:
        return self._shape.state(count) if kind is State else self._shape.view(count)


def _places(state: State) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    return np.ascontiguousarray(state.position), np.ascontiguousarray(state.mask)


def _moves(action: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """As int32; what does not fit there is no move in any case."""
    if action.dtype == np.int32:
        return np.ascontiguousarray(action)
    inside = (action >= 0) & (action < WORD // 2)
    return np.where(inside, action, -1).astype(np.int32)


def _words(draw: Draw) -> tuple[int, int, int]:
    return int(draw.seed) % WORD, int(draw.counter) % WORD, int(draw.first) % WORD


def plays(tables: Tables) -> bool:
    """Whether there is a native core, and it has room for the moves of a game."""
    return engine.is_native() and tables.legal.shape[1] <= MOST_MOVES


def table_core(tables: Tables, threads: int) -> NativeCore:
    kernels = engine.table_batch(tables.transitions, tables.masks, tables.planes, tables.turn, threads)
    return NativeCore(kernels, Shape((), tables.masks.shape[1], tables.planes.shape[1:], tables.legal.shape[1]))
