"""Batches of small games in arrays of any library of the array API standard: a step is one lookup in the table."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ninefold.envs import counter_rng
from ninefold.envs.array_core import ArrayRollout, random_bits, refuse_out
from ninefold.envs.arrays import Array, astype, put, signed, take_rows
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.big_rules import popcount
from ninefold.envs.codec import REWARD_BIT, STATE_BITS, GameTables, Ints


class PackedTransitions(NamedTuple):
    """All that a step returns in one int32, where it fits: the state, the reward of X plus one, whether the game has
    ended, and the legal moves after it."""

    by_move: Ints  # state, move: as in the tables of the game
    by_rank: Ints  # state, rank: the same for the legal move of that rank
    state_bits: int
    with_mask: bool


def packed_transitions(tables: GameTables) -> PackedTransitions:
    states, width = tables.legal.shape
    bits = (states - 1).bit_length()
    with_mask = bits + 3 + width < 32
    state = tables.transitions & STATE_BITS
    words = state | tables.transitions >> REWARD_BIT << bits
    if with_mask:
        words |= tables.masks[state, 0] << bits + 3
    return PackedTransitions(words, np.take_along_axis(words, tables.ranked, axis=1), bits, with_mask)


class ArrayTableCore:
    """The tables as arrays of a library on a device. The library can trace and compile everything here."""

    def __init__(self, tables: GameTables, library: ModuleType, device: Any) -> None:
        self._library, self._device = library, device
        states, self._width = tables.legal.shape
        by_move, by_rank, self._state_bits, self._with_mask = packed_transitions(tables)
        self._by_move = put(library, device, by_move.reshape(-1))
        self._by_rank = put(library, device, by_rank.reshape(-1))
        self._ranked = put(library, device, tables.ranked.reshape(-1))
        self._masks = put(library, device, tables.masks)
        self._planes, self._shape = put(library, device, tables.planes.reshape(states, -1)), tables.planes.shape[1:]
        self._legal = put(library, device, tables.legal)
        self._turn = put(library, device, tables.turn)
        self._signs = put(library, device, np.array([1, -1], np.int8))
        self._rollout = ArrayRollout(self.random_step, library, device)

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        xp = self._library
        refuse_out(out)
        columns = self._width + 1  # the last one is for illegal actions
        column = astype(xp, xp.clip(signed(xp, action), -1, self._width), xp.int32)
        column = xp.where(column < 0, self._width, column)
        return self._unpacked(take_rows(xp, self._by_move, state.position * columns + column))

    def _unpacked(self, word: Array) -> BatchState:
        xp, bits = self._library, self._state_bits
        position = word & (1 << bits) - 1
        mask = (word >> bits + 3)[..., None] if self._with_mask else take_rows(xp, self._masks, position)
        return BatchState(position, mask, astype(xp, word >> bits & 3, xp.int8) - 1, (word >> bits + 2 & 1) == 1)

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        return take_rows(self._library, self._ranked, self._drawn(state, key))

    def _drawn(self, state: BatchState, key: RandomKey) -> Array:
        """Where the rank of a random legal move is in the tables by rank."""
        count = sum(popcount(state.mask[..., word]) for word in range(state.mask.shape[-1]))
        bits = random_bits(self._library, self._device, state.position.shape[0], key)
        return state.position * self._width + counter_rng.random_below(bits, count)

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._unpacked(take_rows(self._library, self._by_rank, self._drawn(state, key)))

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        return self._rollout(state, steps, key)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        xp = self._library
        refuse_out(out)
        planes = take_rows(xp, self._planes, state.position)
        return BatchView(
            xp.reshape(planes, (-1, *self._shape)),
            take_rows(xp, self._legal, state.position),
            astype(xp, state.reward[..., None] * self._signs, xp.float32),
            state.done,
            take_rows(xp, self._turn, state.position),
        )
