"""Squared and ultimate, which have no table: the native rules step them on the CPU, and the same rules on a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position, Side
from ninefold.envs.arrays import Array, put, to_numpy, untraced
from ninefold.envs.batch import Core, Draw, Rollout, State, View
from ninefold.envs.cuda_core import CudaBig, is_cuda
from ninefold.envs.native_core import NativeCore, Shape
from ninefold.envs.table_core import refuse_out
from ninefold.games.squared import Squared

SHAPE = Shape((11,), 3, (9, 9, 5), 81)
Ints = npt.NDArray[np.int32]


class BigCodec:
    """A position as the words of ``native/rules.hpp``: the marks of X and of O, two boards a word; the boards of
    both; then drawn boards, the board to play in (9 for any) and the side to move."""

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
        raise NotAllowed("other_rules", "This position is played by other rules than the batch.")
    return position


def _mask(moves: Sequence[int]) -> list[int]:
    bits = sum(1 << move for move in moves)
    return [bits >> 32 * word & 0xFFFFFFFF for word in range(SHAPE.mask)]


class Borrowed:
    """The native core for CPU arrays of another library: seen in place as NumPy's, and handed back as its own."""

    def __init__(self, core: NativeCore, library: ModuleType, device: Any) -> None:
        self._core, self._library, self._device = core, library, device

    def step(self, state: State, action: Array, out: State | None = None) -> State:
        refuse_out(out)
        return self._state(self._core.step(_seen(state), _numbers(action)))

    def random_action(self, state: State, draw: Draw) -> Array:
        return self._put(self._core.random_action(_seen(state), _drawn(draw)))

    def random_step(self, state: State, draw: Draw, out: State | None = None) -> State:
        refuse_out(out)
        return self._state(self._core.random_step(_seen(state), _drawn(draw)))

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        after, ended, score = self._core.rollout(_seen(state), steps, _drawn(draw))
        return Rollout(self._state(after), self._put(ended), self._put(score))

    def view(self, state: State, out: View | None = None) -> View:
        refuse_out(out)
        return View(*map(self._put, self._core.view(_seen(state))))

    def _state(self, state: State) -> State:
        return State(*map(self._put, state))

    def _put(self, array: npt.NDArray[Any]) -> Array:
        return put(self._library, self._device, array)


def _seen(state: State) -> State:
    return State(*map(_numbers, state))


def _numbers(array: Array) -> npt.NDArray[Any]:
    with untraced():
        return to_numpy(array)


def _drawn(draw: Draw) -> Draw:
    with untraced():
        return Draw(*map(int, draw))


def big_core(start: Position, library: ModuleType, device: Any, resets: bool, threads: int) -> Core:
    rules = _squared(start).rules
    facts = rules.drawn == "both", rules.tie_break == "boards", int(rules.first), resets
    if is_cuda(library, device):
        return CudaBig(*facts, SHAPE, library, device)
    core = NativeCore(engine.big_batch(*facts, threads), SHAPE)
    return core if library is np else Borrowed(core, library, device)
