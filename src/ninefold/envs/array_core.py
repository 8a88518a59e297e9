"""What the cores share whose steps are operations of an array library, so that it can trace and compile them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ninefold.core.messages import text
from ninefold.envs import counter_rng
from ninefold.envs.arrays import Array, astype, device_argument, is_jax, put
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout

RandomStep = Callable[[BatchState, RandomKey], BatchState]


def random_bits(xp: ModuleType, device: Any, count: int, key: RandomKey) -> Array:
    """Random bits for so many games."""
    first = counter_rng.signed(key.first) if isinstance(key.first, int) else key.first
    games = xp.arange(count, dtype=xp.int32, **device_argument(device)) + first
    return counter_rng.random_bits(counter_rng.counter_key(key.seed, key.counter), games)


class ArrayRollout:
    """Many random steps: a loop, which JAX compiles as a scan, once for a number of steps."""

    def __init__(self, random_step: RandomStep, library: ModuleType, device: Any) -> None:
        self._random_step, self._library, self._device = random_step, library, device
        self._compiled: Any = None

    def __call__(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        if not is_jax(self._library):
            return self._in_a_loop(state, steps, key)
        import jax

        self._compiled = self._compiled or jax.jit(self._in_a_scan, static_argnames="steps")
        numbers = RandomKey(*(self._number(number) for number in key))
        rollout: Rollout = self._compiled(state, steps=steps, key=numbers)
        return rollout

    def _number(self, number: Any) -> Array:
        """An array, so that nothing is compiled again for another number."""
        if not isinstance(number, int):
            return number
        return put(self._library, self._device, np.asarray(counter_rng.signed(number), np.int32))

    def _in_a_loop(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        totals = self._zeros(state)
        for step in range(steps):
            state, totals = self._advance(state, totals, key._replace(counter=key.counter + step))
        return Rollout(state, *totals)

    def _in_a_scan(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        from jax import lax

        def advance(carry: tuple[BatchState, tuple[Array, Array]], step: Array) -> tuple[Any, None]:
            state, totals = carry
            return self._advance(state, totals, key._replace(counter=key.counter + step)), None

        counters = self._library.arange(steps, dtype=self._library.int32)
        (state, totals), _ = lax.scan(advance, (state, self._zeros(state)), counters)
        return Rollout(state, *totals)

    def _zeros(self, state: BatchState) -> tuple[Array, Array]:
        zeros = astype(self._library, self._library.zeros_like(state.done), self._library.int32)
        return zeros, zeros

    def _advance(
        self, state: BatchState, totals: tuple[Array, Array], key: RandomKey
    ) -> tuple[BatchState, tuple[Array, Array]]:
        xp = self._library
        state, (ended, score) = self._random_step(state, key), totals
        return state, (ended + astype(xp, state.done, xp.int32), score + astype(xp, state.reward, xp.int32))


def refuse_out(out: BatchState | BatchView | None) -> None:
    if out is not None:
        raise ValueError(text("envs.no_out"))
