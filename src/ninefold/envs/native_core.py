"""Batches on the CPU by the native core: NumPy arrays in, new NumPy arrays out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.messages import text
from ninefold.envs.arrays import Array
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.codec import GameTables
from ninefold.envs.counter_rng import WORD

if TYPE_CHECKING:
    from ninefold.core.native import BigBatch, TableBatch

MAX_MOVES = 37  # that fit into a packed word
ArrayTypes = tuple[tuple[tuple[int, ...], type[np.generic]], ...]  # shapes and types of arrays
S = TypeVar("S", BatchState, BatchView)


class GameShape(NamedTuple):
    """The shape of one game in the arrays."""

    position: tuple[int, ...]
    mask: int
    planes: tuple[int, ...]
    moves: int

    def state(self, count: int) -> ArrayTypes:
        """The shapes and types of the arrays of a state."""
        position, mask = ((count, *self.position), np.int32), ((count, self.mask), np.int32)
        return position, mask, ((count,), np.int8), ((count,), np.bool_)

    def view(self, count: int) -> ArrayTypes:
        """The shapes and types of the arrays of a view."""
        planes, legal = ((count, *self.planes), np.bool_), ((count, self.moves), np.bool_)
        return planes, legal, ((count, 2), np.float32), ((count,), np.bool_), ((count,), np.int8)


class NativeCore:
    """Every step writes into new arrays, or into those of ``out``; nothing else is changed."""

    def __init__(self, kernels: TableBatch | BigBatch, shape: GameShape) -> None:
        self._kernels, self._shape = kernels, shape

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        after = self._arrays(BatchState, len(action), out)
        self._run(self._kernels.step, (*_inputs(state), _moves(action), *after), after, len(action))
        return after

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        action = np.empty(len(state.done), np.int32)
        self._kernels.random_action(*_inputs(state), *_words(key), action)
        return action

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        after = self._arrays(BatchState, len(state.done), out)
        self._run(self._kernels.random_step, (*_inputs(state), *_words(key), *after), after, len(state.done))
        return after

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        count = len(state.done)
        after = self._arrays(BatchState, count)
        ended, score = np.empty(count, np.int32), np.empty(count, np.int32)
        self._kernels.rollout(*_inputs(state), *_words(key), steps, ended, score, *after)
        return Rollout(after, ended, score)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        count = len(state.done)
        view = self._arrays(BatchView, count, out)
        planes, legal, rewards, done, turn = view
        inputs = *_inputs(state), np.ascontiguousarray(state.reward)
        self._run(self._kernels.view, (*inputs, planes, legal, rewards, turn), view, count)
        self._run(np.copyto, (done, state.done), view, count)
        return view

    def _arrays(self, kind: type[S], count: int, out: S | None = None) -> S:
        """The arrays to write into: new ones, or those that were given."""
        if out is None:
            return kind(*(np.empty(shape, dtype) for shape, dtype in self._types(kind, count)))
        if not isinstance(out, kind):
            raise TypeError(text("envs.out_class", expected=kind.__name__, found=type(out).__name__))
        return out

    def _run(
        self, kernel: Callable[..., None], arguments: tuple[Any, ...], out: BatchState | BatchView, count: int
    ) -> None:
        """Run a kernel. It checks the arrays that it writes to; which of them is wrong is found out afterwards, because
        checking all of them takes longer than a step of few games."""
        try:
            kernel(*arguments)
        except (TypeError, ValueError):
            self._check_out(out, count)
            raise

    def _check_out(self, out: BatchState | BatchView, count: int) -> None:
        for name, array, (shape, dtype) in zip(out._fields, out, self._types(type(out), count), strict=True):
            fits = isinstance(array, np.ndarray) and (array.shape, array.dtype) == (shape, dtype)
            if not (fits and array.flags.carray):
                raise ValueError(text("envs.out_array", name=name, dtype=dtype.__name__, shape=shape))

    def _types(self, kind: type[BatchState | BatchView], count: int) -> ArrayTypes:
        return self._shape.state(count) if kind is BatchState else self._shape.view(count)


def _inputs(state: BatchState) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    return np.ascontiguousarray(state.position), np.ascontiguousarray(state.mask)


def _moves(action: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """As int32; numbers that do not fit are illegal actions in any case."""
    if action.dtype == np.int32:
        return np.ascontiguousarray(action)
    inside = (action >= 0) & (action < WORD // 2)
    return np.where(inside, action, -1).astype(np.int32)


def _words(key: RandomKey) -> tuple[int, int, int]:
    return int(key.seed) % WORD, int(key.counter) % WORD, int(key.first) % WORD


def plays(tables: GameTables) -> bool:
    """True if there is a native core, and the moves of a game fit into its words."""
    return engine.is_native() and tables.legal.shape[1] <= MAX_MOVES


def table_core(tables: GameTables, threads: int) -> NativeCore:
    kernels = engine.table_batch(tables.transitions, tables.masks, tables.planes, tables.turn, threads)
    return NativeCore(kernels, GameShape((), tables.masks.shape[1], tables.planes.shape[1:], tables.legal.shape[1]))
