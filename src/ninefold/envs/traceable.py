"""Cores around cores: one that JAX and PyTorch can trace, and one for a single game without an axis for games."""

from __future__ import annotations

from types import ModuleType
from typing import Any, TypeVar

from ninefold.envs.array_core import refuse_out
from ninefold.envs.arrays import Array, is_traced
from ninefold.envs.batch import BatchCore, BatchState, BatchView, RandomKey, Rollout

S = TypeVar("S", BatchState, BatchView)


class TraceableCore:
    """A fast core for arrays with values, and one of array operations while a library traces a function. Both give the
    same arrays."""

    def __init__(self, fast: BatchCore, traced: BatchCore, library: ModuleType) -> None:
        self._fast, self._traced, self._library = fast, traced, library

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        return self._core(*state, action).step(state, action, out)

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        return self._core(*state, *key).random_action(state, key)

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        return self._core(*state, *key).random_step(state, key, out)

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        return self._core(*state, *key).rollout(state, steps, key)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        return self._core(*state).view(state, out)

    def _core(self, *arrays: Any) -> BatchCore:
        return self._traced if is_traced(self._library, *arrays) else self._fast


class SingleGameCore:
    """Steps one game, as ``jax.vmap(env.step)`` has it, as a batch of one."""

    def __init__(self, core: BatchCore, library: ModuleType) -> None:
        self._core, self._library = core, library

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._one(self._core.step(self._many(state), self._reshaped(action, (1,)), None))

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        return self._reshaped(self._core.random_action(self._many(state), key), ())

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._one(self._core.random_step(self._many(state), key, None))

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        after, *totals = self._core.rollout(self._many(state), steps, key)
        return Rollout(self._one(after), *(self._reshaped(total, ()) for total in totals))

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        refuse_out(out)
        return self._one(self._core.view(self._many(state), None))

    def _many(self, state: BatchState) -> BatchState:
        return BatchState(*(self._reshaped(array, (1, *array.shape)) for array in state))

    def _one(self, arrays: S) -> S:
        return type(arrays)(*(self._reshaped(array, tuple(array.shape[1:])) for array in arrays))

    def _reshaped(self, array: Array, shape: tuple[int, ...]) -> Array:
        return self._library.reshape(array, shape)
