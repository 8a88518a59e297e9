"""Squared and ultimate in arrays of any library, which can trace and compile everything here."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ninefold.envs import big_rules as rules
from ninefold.envs import counter_rng
from ninefold.envs.array_core import ArrayRollout, random_bits, refuse_out, rewards_of
from ninefold.envs.arrays import Array, astype, put, signed
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.big_rules import Columns, RuleFlags

MOVES = 81


class ArrayBigCore:
    """Equal to the native core in every array."""

    def __init__(self, flags: RuleFlags, library: ModuleType, device: Any) -> None:
        self._flags, self._library, self._device = flags, library, device
        self._bits = put(library, device, np.arange(32, dtype=np.int32))
        self._cells = put(library, device, np.arange(9, dtype=np.int32))
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
        xp, flags = self._library, self._flags
        before = rules.columns_of(state.position)
        low, middle, high = _words(state.mask)
        over = low | middle | high == 0
        after, died = rules.play(xp, before, move)
        ends = died & rules.ended(after, flags)
        forfeited = xp.where(over, 0, 2 * before.turn - 1)
        reward = xp.where(legal, xp.where(ends, rules.result(xp, after, flags), 0), forfeited)
        done = ends | ~legal
        if flags.resets:
            after = self._chosen(done, rules.start_columns(xp, flags, move), after)
        else:
            after = self._chosen(legal, after, self._chosen(over, before, self._forfeited(before)))
        return BatchState(rules.words_of(xp, after), self._mask(after, done), astype(xp, reward, xp.int8), done)

    def _chosen(self, where: Array, one: Columns, other: Columns) -> Columns:
        xp = self._library
        marks = tuple(xp.where(where, *pair) for pair in zip(one.marks, other.marks, strict=True))
        return Columns(marks, *(xp.where(where, *pair) for pair in zip(one[1:], other[1:], strict=True)))

    def _forfeited(self, before: Columns) -> Columns:
        """The opponent wins all boards."""
        all_boards = before.turn * 0 + 0x1FF
        won_x, won_o = all_boards * before.turn, all_boards * (1 - before.turn)
        none = before.turn * 0
        return before._replace(won_x=won_x, won_o=won_o, drawn=none, board=none + rules.ANY_BOARD, turn=1 - before.turn)

    def _mask(self, after: Columns, done: Array) -> Array:
        xp = self._library
        words = rules.legal_words(xp, after)
        if not self._flags.resets:
            words = tuple(xp.where(done, 0, word) for word in words)
        return xp.stack(words, axis=-1)

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        xp = self._library
        low, middle, high = _words(state.mask)
        first = rules.popcount(low)
        second = first + rules.popcount(middle)
        bits = random_bits(xp, self._device, state.done.shape[0], key)
        rank = counter_rng.random_below(bits, second + rules.popcount(high))
        word = xp.where(rank < first, low, xp.where(rank < second, middle, high))
        before = xp.where(rank < first, 0, xp.where(rank < second, first, second))
        number = astype(xp, rank >= first, xp.int32) + astype(xp, rank >= second, xp.int32)
        move = 32 * number + rules.nth_bit(xp, word, rank - before)
        return xp.where(low | middle | high == 0, 0, move)

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        low, middle, high = _words(state.mask)
        return self._stepped(state, self.random_action(state, key), low | middle | high != 0)

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        return self._rollout(state, steps, key)

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        xp = self._library
        refuse_out(out)
        columns = rules.columns_of(state.position)
        legal = self._legal(state.mask)
        planes = [self._by_turn(columns.turn, *pair) for pair in (self._marks(columns), self._scoring(columns))]
        shape = tuple(state.done.shape)
        places = xp.reshape(legal, (*shape, 9, 9))
        observation = xp.stack((*planes[0], *planes[1], places), axis=-1)
        return BatchView(
            observation,
            legal,
            rewards_of(xp, state.reward),
            state.done,
            astype(xp, columns.turn, xp.int8),
        )

    def _legal(self, mask: Array) -> Array:
        xp = self._library
        bits = xp.reshape(mask[..., None] >> self._bits & 1 == 1, (*mask.shape[:-1], 96))
        return bits[..., :MOVES]

    def _marks(self, columns: Columns) -> tuple[Array, Array]:
        """The cells of X and of O, by board and cell."""
        xp = self._library
        x, o = (xp.stack([rules.marks_in(columns, side, b) for b in rules.BOARDS], axis=-1) for side in (0, 1))
        return tuple(side[..., None] >> self._cells & 1 == 1 for side in (x, o))

    def _scoring(self, columns: Columns) -> tuple[Array, Array]:
        """The boards that count for X and for O, in every cell of them."""
        xp = self._library
        boards = [side[..., None] >> self._cells & 1 == 1 for side in rules.scoring(columns, self._flags)]
        return tuple(xp.broadcast_to(side[..., None], (*side.shape, 9)) for side in boards)

    def _by_turn(self, turn: Array, x: Array, o: Array) -> tuple[Array, Array]:
        """Mine and theirs."""
        x_moves = (turn == 0)[..., None, None]
        return self._library.where(x_moves, x, o), self._library.where(x_moves, o, x)


def _words(mask: Array) -> tuple[Array, Array, Array]:
    return mask[..., 0], mask[..., 1], mask[..., 2]
