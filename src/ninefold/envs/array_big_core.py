"""Squared and ultimate in arrays of any library, which can trace and compile everything here."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ninefold.core.grid import FULL
from ninefold.envs import counter_rng
from ninefold.envs.array_core import ArrayRollout, random_bits, refuse_out
from ninefold.envs.arrays import Array, astype, put, signed
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.big_rules import (
    ANY_BOARD,
    BigBoard,
    BigRules,
    MarkWords,
    RuleFlags,
    big_words,
    columns_of,
    places_by_board,
    popcount,
)

MOVES = 81
# Where the planes of a cell are in the word of its board: mine, theirs, what counts for me and for them, open cells.
PLANE_BITS = [1 << bit for cell in range(9) for bit in (cell, 9 + cell, 27, 28, 18 + cell)]


class ArrayBigCore:
    """Equal to the native core in every array."""

    def __init__(self, flags: RuleFlags, library: ModuleType, device: Any) -> None:
        self._flags, self._library, self._device = flags, library, device
        self._rules = BigRules(flags, library, device)
        self._halves = put(library, device, np.array([0, 16], np.int32))
        self._cells = put(library, device, np.arange(9, dtype=np.int32))
        self._cell_bits = put(library, device, 1 << np.arange(9, dtype=np.int32))
        self._planes = put(library, device, np.array(PLANE_BITS, np.int32))
        self._signs = put(library, device, np.array([1, -1], np.int8))
        self._rollout = ArrayRollout(self.random_step, library, device)

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        xp = self._library
        refuse_out(out)
        move = astype(xp, xp.clip(signed(xp, action), -1, MOVES), xp.int32)
        low, middle, high = _words(state.mask)
        word = xp.where(move < 32, low, xp.where(move < 64, middle, high))
        legal = (word >> (move & 31) & 1 == 1) & (move >= 0) & (move < MOVES)
        return self._stepped(state, xp.where(legal, move, 0), legal)

    def _stepped(self, state: BatchState, move: Array, legal: Array) -> BatchState:
        """The state after moves. Games whose move is not legal are forfeited, or were over before."""
        xp = self._library
        marks, before = columns_of(state.position)
        over = _is_empty(state.mask)
        mark, after = self._rules.play(marks, before, move)
        ends, result = self._rules.result(after)
        lost = xp.where(over, 0, 2 * before.turn - 1)
        reward = xp.where(legal, xp.where(ends, result, 0), lost)
        if not self._flags.resets:
            after = self._chosen(legal, after, self._chosen(over, before, _forfeited(before)))
        mark = mark._replace(bit=xp.where(legal, mark.bit, 0))
        return self._state(self._rules.with_mark(marks, mark), after, reward, ends | ~legal)

    def _state(self, marks: MarkWords, big: BigBoard, reward: Array, done: Array) -> BatchState:
        """The arrays of a state, with new games where they are reset, and without legal moves where they have ended."""
        xp = self._library
        if self._flags.resets:
            marks = tuple(xp.where(done, 0, word) for word in marks)
            big = BigBoard(
                *(xp.where(done, *pair) for pair in zip((0, 0, 0, ANY_BOARD, self._flags.first), big, strict=True))
            )
        position = xp.stack((*marks, *big_words(big)), axis=-1)
        legal = self._rules.legal_words(marks, big)
        if not self._flags.resets:
            legal = tuple(xp.where(done, 0, word) for word in legal)
        return BatchState(position, xp.stack(legal, axis=-1), astype(xp, reward, xp.int8), done)

    def _chosen(self, where: Array, one: BigBoard, other: BigBoard) -> BigBoard:
        return BigBoard(*(self._library.where(where, *pair) for pair in zip(one, other, strict=True)))

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        words = _words(state.mask)
        bits = random_bits(self._library, self._device, state.done.shape[0], key)
        rank = counter_rng.random_below(bits, sum(map(popcount, words)))
        return self._library.where(_is_empty(state.mask), 0, self._rules.nth_move(words, rank))

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._stepped(state, self.random_action(state, key), ~_is_empty(state.mask))

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        return self._rollout(state, steps, key)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        xp = self._library
        refuse_out(out)
        boards, places, turn = self._boards(state)
        observation = boards[..., None] & self._planes != 0
        legal = places[..., None] & self._cell_bits != 0
        return BatchView(
            xp.reshape(observation, (-1, 9, 9, 5)),
            xp.reshape(legal, (-1, MOVES)),
            astype(xp, state.reward[..., None] * self._signs, xp.float32),
            state.done,
            astype(xp, turn, xp.int8),
        )

    def _boards(self, state: BatchState) -> tuple[Array, Array, Array]:
        """All that is seen of every board, in one word each; where a mark may be placed there; and the side to move."""
        xp = self._library
        _, big = columns_of(state.position)
        halves = xp.reshape(state.position[..., None] >> self._halves & FULL, (-1, 22))
        x, o, x_moves = halves[..., :9], halves[..., 9:18], (big.turn == 0)[..., None]
        mine, theirs = xp.where(x_moves, x, o), xp.where(x_moves, o, x)
        places = xp.stack(places_by_board(_words(state.mask)), axis=-1)
        for_x, for_o = (side[..., None] >> self._cells & 1 for side in self._rules.scoring(big))
        for_me, for_them = xp.where(x_moves, for_x, for_o), xp.where(x_moves, for_o, for_x)
        return mine | theirs << 9 | places << 18 | for_me << 27 | for_them << 28, places, big.turn


def _words(mask: Array) -> tuple[Array, Array, Array]:
    return mask[..., 0], mask[..., 1], mask[..., 2]


def _is_empty(mask: Array) -> Array:
    low, middle, high = _words(mask)
    return low | middle | high == 0


def _forfeited(before: BigBoard) -> BigBoard:
    """The opponent wins all boards."""
    nothing = before.turn * 0
    return BigBoard(FULL * before.turn, FULL * (1 - before.turn), nothing, nothing + ANY_BOARD, 1 - before.turn)
