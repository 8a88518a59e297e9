"""Batches of small games in arrays of any library of the array API standard: a step is one lookup in the table."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ninefold.envs import counter_rng
from ninefold.envs.array_core import ArrayRollout, random_bits, refuse_out, rewards_of
from ninefold.envs.arrays import Array, astype, put, signed, take_rows
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.codec import DONE_BIT, REWARD_BIT, STATE_BITS, GameTables


class ArrayTableCore:
    """The tables as arrays of a library on a device. The library can trace and compile everything here."""

    def __init__(self, tables: GameTables, library: ModuleType, device: Any) -> None:
        self._library, self._device = library, device
        self._width = tables.legal.shape[1]
        self._transitions = put(library, device, tables.transitions.reshape(-1))
        self._ranked = put(library, device, tables.ranked.reshape(-1))
        self._counts = put(library, device, tables.counts)
        self._masks = put(library, device, tables.masks)
        self._planes = put(library, device, tables.planes)
        self._legal = put(library, device, tables.legal)
        self._turn = put(library, device, tables.turn)
        self._rollout = ArrayRollout(self.random_step, library, device)

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        xp = self._library
        refuse_out(out)
        columns = self._width + 1  # the last one is for illegal actions; -1 leads to it too
        column = astype(xp, xp.clip(signed(xp, action), -1, self._width) % columns, xp.int32)
        word = take_rows(xp, self._transitions, state.position * columns + column)
        return self._unpacked(word, word & STATE_BITS)

    def _unpacked(self, word: Array, position: Array) -> BatchState:
        xp = self._library
        reward = astype(xp, word >> REWARD_BIT & 3, xp.int8) - 1
        return BatchState(
            position, take_rows(xp, self._masks, position), reward, astype(xp, word & 1 << DONE_BIT, xp.bool)
        )

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        xp = self._library
        bits = random_bits(xp, self._device, state.position.shape[0], key)
        rank = counter_rng.random_below(bits, take_rows(xp, self._counts, state.position))
        return take_rows(xp, self._ranked, state.position * self._width + rank)

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        return self.step(state, self.random_action(state, key), out)

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        return self._rollout(state, steps, key)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        xp = self._library
        refuse_out(out)
        return BatchView(
            take_rows(xp, self._planes, state.position),
            take_rows(xp, self._legal, state.position),
            rewards_of(xp, state.reward),
            state.done,
            take_rows(xp, self._turn, state.position),
        )
