"""Small games in arrays of any library of the array API standard: a step is one look-up in the compiled table."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ninefold.envs import random_stream
from ninefold.envs.arrays import Array, astype, placed, put, rows, signed
from ninefold.envs.batch import Draw, Rollout, State, View
from ninefold.envs.codec import DONE_BIT, REWARD_BIT, STATE_BITS, Tables


class ArrayTable:
    """The tables as arrays of a library on a device. Everything here can be traced and compiled by the library."""

    def __init__(self, tables: Tables, library: ModuleType, device: Any) -> None:
        self._library, self._device = library, device
        self._width = tables.legal.shape[1]
        self._transitions = put(library, device, tables.transitions.reshape(-1))
        self._ranked = put(library, device, tables.ranked.reshape(-1))
        self._counts = put(library, device, tables.counts)
        self._masks = put(library, device, tables.masks)
        self._planes = put(library, device, tables.planes)
        self._legal = put(library, device, tables.legal)
        self._turn = put(library, device, tables.turn)

    def step(self, state: State, action: Array, out: State | None = None) -> State:
        xp = self._library
        refuse_out(out)
        columns = self._width + 1  # the last one is for what is no move, and comes before the first one too
        column = astype(xp, xp.clip(signed(xp, action), -1, self._width) % columns, xp.int32)
        word = rows(xp, self._transitions, state.position * columns + column)
        return self._unpacked(word, word & STATE_BITS)

    def _unpacked(self, word: Array, position: Array) -> State:
        xp = self._library
        reward = astype(xp, word >> REWARD_BIT & 3, xp.int8) - 1
        return State(position, rows(xp, self._masks, position), reward, astype(xp, word & 1 << DONE_BIT, xp.bool))

    def random_action(self, state: State, draw: Draw) -> Array:
        xp = self._library
        games = xp.arange(state.position.shape[0], dtype=xp.int32, **placed(self._device))
        first = random_stream.signed(draw.first) if isinstance(draw.first, int) else draw.first
        bits = random_stream.bits(random_stream.key(draw.seed, draw.counter), games + first)
        rank = random_stream.below(bits, rows(xp, self._counts, state.position))
        return rows(xp, self._ranked, state.position * self._width + rank)

    def random_step(self, state: State, draw: Draw, out: State | None = None) -> State:
        return self.step(state, self.random_action(state, draw), out)

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        xp = self._library
        ended = score = xp.zeros_like(state.position)
        for step in range(steps):
            state = self.random_step(state, draw._replace(counter=draw.counter + step))
            ended = ended + astype(xp, state.done, xp.int32)
            score = score + astype(xp, state.reward, xp.int32)
        return Rollout(state, ended, score)

    def view(self, state: State, out: View | None = None) -> View:
        xp = self._library
        refuse_out(out)
        reward = astype(xp, state.reward, xp.float32)
        return View(
            rows(xp, self._planes, state.position),
            rows(xp, self._legal, state.position),
            xp.stack((reward, -reward), axis=-1),
            state.done,
            rows(xp, self._turn, state.position),
        )


def refuse_out(out: State | View | None) -> None:
    if out is not None:
        raise ValueError("out: only NumPy batches of the native core write into arrays that are given.")
