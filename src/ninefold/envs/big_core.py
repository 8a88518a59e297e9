"""Batches of squared and ultimate, which have no table: the native rules step them on the CPU and on a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position, Side
from ninefold.envs.array_big_core import ArrayBigCore
from ninefold.envs.array_core import refuse_out
from ninefold.envs.arrays import Array, put, to_numpy
from ninefold.envs.batch import BatchCore, BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.big_rules import RuleFlags
from ninefold.envs.codec import Ints
from ninefold.envs.cuda_core import CudaBigCore, is_cuda
from ninefold.envs.native_core import GameShape, NativeCore
from ninefold.envs.traceable import TraceableCore
from ninefold.games.squared import Squared

SHAPE = GameShape((11,), 3, (9, 9, 5), 81)


class BigCodec:
    """A position as the words of a ``Position`` in ``native/rules.hpp``: the marks of X and of O, two boards a word;
    the boards won by each; then the drawn boards, the board to play in (9 for any) and the side to move."""

    def __init__(self, start: Position) -> None:
        self._rules = _squared(start).rules

    def write(self, positions: Sequence[Position]) -> tuple[Ints, Ints]:
        words = np.array([self._words(_squared(position)) for position in positions], np.uint16)
        masks = np.array([_mask(position.moves()) for position in positions], np.uint32)
        return words.view(np.int32), masks.view(np.int32)

    def read(self, position: Ints) -> list[Position]:
        return [self._position(row) for row in np.ascontiguousarray(position).view(np.uint16).tolist()]

    def _words(self, position: Squared) -> list[int]:
        board = engine.ANY_BOARD if position.board is None else position.board
        dead = (position.won_x, position.won_o, position.drawn)
        return [*position.x, *position.o, *dead, board | position.turn << 8]

    def _position(self, row: list[int]) -> Squared:
        won_x, won_o, drawn, last = row[18:]
        board = None if last & 0xFF == engine.ANY_BOARD else last & 0xFF
        return Squared(tuple(row[:9]), tuple(row[9:18]), won_x, won_o, drawn, board, Side(last >> 8), self._rules)


def _squared(position: Position) -> Squared:
    if not isinstance(position, Squared):
        raise NotAllowed("other_rules.squared")
    return position


def _mask(moves: Sequence[int]) -> list[int]:
    bits = sum(1 << move for move in moves)
    return [bits >> 32 * word & 0xFFFFFFFF for word in range(SHAPE.mask)]


class BorrowedCore:
    """The native core for CPU arrays of another library: they are viewed as NumPy arrays, and the results converted."""

    def __init__(self, core: NativeCore, library: ModuleType, device: Any) -> None:
        self._core, self._library, self._device = core, library, device

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._state(self._core.step(_as_numpy(state), to_numpy(action)))

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        return self._put(self._core.random_action(_as_numpy(state), _numbers(key)))

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self._state(self._core.random_step(_as_numpy(state), _numbers(key)))

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        after, ended, score = self._core.rollout(_as_numpy(state), steps, _numbers(key))
        return Rollout(self._state(after), self._put(ended), self._put(score))

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        refuse_out(out)
        return BatchView(*map(self._put, self._core.view(_as_numpy(state))))

    def _state(self, state: BatchState) -> BatchState:
        return BatchState(*map(self._put, state))

    def _put(self, array: npt.NDArray[Any]) -> Array:
        return put(self._library, self._device, array)


def _as_numpy(state: BatchState) -> BatchState:
    return BatchState(*map(to_numpy, state))


def _numbers(key: RandomKey) -> RandomKey:
    return RandomKey(*map(int, key))


def flags_of(start: Position, resets: bool) -> RuleFlags:
    rules = _squared(start).rules
    return RuleFlags(rules.drawn == "both", rules.tie_break == "boards", int(rules.first), resets)


def big_core(start: Position, library: ModuleType, device: Any, resets: bool, threads: int) -> BatchCore:
    """The native core for arrays with values; the rules in arrays while a library traces a function, and where there is
    no native core."""
    flags = flags_of(start, resets)
    arrays = ArrayBigCore(flags, library, device)
    try:
        native = _native(flags, library, device, threads)
    except NotAllowed:
        return arrays
    return native if library is np else TraceableCore(native, arrays, library)


def _native(flags: RuleFlags, library: ModuleType, device: Any, threads: int) -> BatchCore:
    if is_cuda(library, device):
        return CudaBigCore(*flags, SHAPE, library, device)
    core = NativeCore(engine.big_batch(*flags, threads), SHAPE)
    return core if library is np else BorrowedCore(core, library, device)
