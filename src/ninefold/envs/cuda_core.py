"""Batches on a GPU: squared and ultimate by the rules of the native core, whole rollouts of small games in one kernel.

The kernels, ``native/batch/batch.cu``, are compiled for the GPU when they are first needed. That takes CuPy, whatever
library the arrays are of; without it, and in functions that a library traces, its own operations do the same.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.envs.array_core import refuse_out
from ninefold.envs.arrays import Array, astype, is_traced, put, take_rows
from ninefold.envs.batch import BatchState, BatchView, RandomKey, Rollout
from ninefold.envs.codec import DONE_BIT, REWARD_BIT, STATE_BITS, GameTables
from ninefold.envs.counter_rng import WORD
from ninefold.envs.native_core import GameShape
from ninefold.envs.table_core import ArrayTableCore

KERNELS = "batch/batch.cu"
COUNT_BIT = 21
THREADS = 256
ROLLOUT_THREADS = 512  # of a block, in rollouts of small games; of 256, 512 and 1,024 the fastest on an H200
_CUDA = 2  # the device type in DLPack


def is_cuda(library: ModuleType, device: Any) -> bool:
    """True if the arrays of a library, on this device or on its default one, are on an NVIDIA GPU."""
    return library is not np and _dlpack_device(library, device)[0] == _CUDA


def _dlpack_device(library: ModuleType, device: Any) -> tuple[int, int]:
    """The type of a device and its number, as DLPack has them."""
    kind, number = put(library, device, np.zeros(1, np.int32)).__dlpack_device__()
    return int(kind), int(number)


class RolloutWords(NamedTuple):
    """A small game as ``batch.cu`` steps it: the legal moves of all states, one after the other."""

    words: npt.NDArray[
        np.uint32
    ]  # of each move: where the moves of the state after it begin, reward, end, their number
    rows: npt.NDArray[np.uint32]  # of each state: where its moves begin, and their number
    owner: npt.NDArray[np.int32]  # the state of each move


def rollout_words(tables: GameTables) -> RolloutWords:
    room = np.maximum(tables.counts, 1)  # a state without moves leads to itself
    begin = np.cumsum(room) - room
    row = (begin | tables.counts << COUNT_BIT).astype(np.uint32)
    owner = np.repeat(np.arange(len(room), dtype=np.int32), room)
    rank = np.arange(len(owner)) - begin[owner]
    transition = tables.transitions[owner, tables.ranked[owner, rank]]
    words = row[transition & STATE_BITS] | (transition & ~STATE_BITS).astype(np.uint32)
    return RolloutWords(words, row, owner)


class CudaKernels:
    """The compiled kernels on one GPU, and the arrays that are shared with them without a copy."""

    def __init__(self, library: ModuleType, device: Any) -> None:
        try:
            import cupy
        except ImportError:
            raise NotAllowed("no_cupy") from None
        self._cupy, self._library = cupy, library
        self.gpu = cupy.cuda.Device(_dlpack_device(library, device)[1])

    def run(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel with this number of threads."""
        with self.gpu:
            self.function(name)((-(-count // THREADS),), (THREADS,), tuple(map(_number, arguments)))

    def function(self, name: str) -> Any:
        return _compiled(self._cupy).get_function(name)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        with self.gpu:
            return self._cupy.empty(shape, dtype)

    def take(self, array: Array) -> Any:
        """An array of the library as a contiguous one of CuPy."""
        with self.gpu:
            taken = array if self._library is self._cupy else self._cupy.from_dlpack(array)
            return self._cupy.ascontiguousarray(taken)

    def give(self, array: Any) -> Array:
        return array if self._library is self._cupy else self._library.from_dlpack(array)


def _number(argument: Any) -> Any:
    """Kernels take integers of 32 bits."""
    return np.uint32(argument % WORD) if isinstance(argument, int) else argument


@cache
def _compiled(cupy: ModuleType) -> Any:
    folder = sources()
    code = (folder / KERNELS).read_text(encoding="utf-8")
    return cupy.RawModule(code=code, options=("-std=c++17", f"-I{folder}"))


def sources(module: str = __file__) -> Path:
    """The folder of the sources that are compiled for a GPU: in the installed package, or ``native`` in a checkout."""
    here = Path(module).resolve()
    for folder in (here.parent / "cuda", here.parents[3] / "native"):
        if (folder / KERNELS).is_file():
            return folder
    raise engine.missing()


class CudaTableCore(ArrayTableCore):
    """Small games on a GPU: steps by the arrays of the library, rollouts by one kernel."""

    def __init__(
        self, tables: GameTables, library: ModuleType, device: Any, kernels: CudaKernels | None = None
    ) -> None:
        super().__init__(tables, library, device)
        words, row, owner = rollout_words(tables)
        self._words, self._size = put(library, device, words.view(np.int32)), len(words)
        self._rows, self._owner = put(library, device, row.view(np.int32)), put(library, device, owner)
        self._kernels = kernels  # compiled for the first rollout

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        kernels = None if is_traced(self._library, *state, *key) else self._loaded()
        if kernels is None:
            return super().rollout(state, steps, key)
        count = state.position.shape[0]
        with kernels.gpu:  # a copy, because this one is written to
            place = kernels.take(take_rows(self._library, self._rows, state.position)).copy()
        ended, score = kernels.empty((count,), np.int32), kernels.empty((count,), np.int32)
        self._run_rollout(kernels, count, kernels.take(self._words), place, key, steps, ended, score)
        word = kernels.give(place)
        return Rollout(self._state_at(word), kernels.give(ended), kernels.give(score))

    def _loaded(self) -> CudaKernels | None:
        """The kernels, which are loaded for the first rollout; None without CuPy."""
        with suppress(NotAllowed):
            self._kernels = self._kernels or CudaKernels(self._library, self._device)
        return self._kernels

    def _state_at(self, word: Array) -> BatchState:
        """The state where a rollout has ended, and its last step."""
        xp = self._library
        position = take_rows(xp, self._owner, word & STATE_BITS)
        reward = astype(xp, word >> REWARD_BIT & 3, xp.int8) - 1
        return BatchState(position, take_rows(xp, self._masks, position), reward, (word >> DONE_BIT & 1) == 1)

    def _run_rollout(
        self,
        kernels: CudaKernels,
        count: int,
        words: Any,
        place: Any,
        key: RandomKey,
        steps: int,
        ended: Any,
        score: Any,
    ) -> None:
        """A block on every multiprocessor, until all games are played; with the words in shared memory, if they fit."""
        attributes, bytes = kernels.gpu.attributes, 4 * self._size
        shared = bytes <= attributes["MaxSharedMemoryPerBlockOptin"]
        blocks = min(attributes["MultiProcessorCount"], -(-count // ROLLOUT_THREADS))
        with kernels.gpu:
            kernel = kernels.function("table_rollout_shared" if shared else "table_rollout_global")
            if shared:
                kernel.max_dynamic_shared_size_bytes = bytes
            arguments = (count, words, self._size, place, *_numbers(key), steps, ended, score)
            kernel((blocks,), (ROLLOUT_THREADS,), tuple(map(_number, arguments)), shared_mem=bytes if shared else 0)


class CudaBigCore:
    """Squared and ultimate on a GPU, by the rules of ``native/rules.hpp``."""

    def __init__(
        self, both: bool, boards: bool, first: int, resets: bool, shape: GameShape, library: ModuleType, device: Any
    ) -> None:
        self._flags, self._shape = both | boards << 1 | first << 2 | resets << 3, shape
        self._kernels = CudaKernels(library, device)

    def step(self, state: BatchState, action: Array, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        count, after = len(state.done), self._arrays(len(state.done))
        with self._kernels.gpu:
            wide = self._kernels.take(action).astype(np.int64)  # larger numbers become negative
            moves = wide.clip(-1, self._shape.moves).astype(np.int32)
        self._kernels.run("big_step", count, count, self._flags, *self._inputs(state), moves, *after)
        return self._state(after)

    def random_action(self, state: BatchState, key: RandomKey) -> Array:
        count = len(state.done)
        action = self._kernels.empty((count,), np.int32)
        self._kernels.run("big_random_action", count, count, *self._inputs(state), *_numbers(key), action)
        return self._kernels.give(action)

    def random_step(self, state: BatchState, key: RandomKey, out: BatchState | None = None) -> BatchState:
        refuse_out(out)
        return self.rollout(state, 1, key).state

    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout:
        count, after = len(state.done), self._arrays(len(state.done))
        totals = self._kernels.empty((count,), np.int32), self._kernels.empty((count,), np.int32)
        inputs = self._inputs(state)
        self._kernels.run("big_rollout", count, count, self._flags, *inputs, *_numbers(key), steps, *totals, *after)
        return Rollout(self._state(after), *map(self._kernels.give, totals))

    def view(self, state: BatchState, out: BatchView | None = None) -> BatchView:
        refuse_out(out)
        count, inputs = len(state.done), (*self._inputs(state), self._kernels.take(state.reward))
        planes, legal, rewards, _, turn = (self._kernels.empty(*kind) for kind in self._shape.view(count))
        cells = count * self._shape.moves
        self._kernels.run("big_view", cells, count, self._flags, *inputs, planes, legal, rewards, turn)
        planes, legal, rewards, turn = map(self._kernels.give, (planes, legal, rewards, turn))
        return BatchView(planes, legal, rewards, state.done, turn)

    def _inputs(self, state: BatchState) -> tuple[Any, Any]:
        return self._kernels.take(state.position), self._kernels.take(state.mask)

    def _arrays(self, count: int) -> BatchState:
        return BatchState(*(self._kernels.empty(*kind) for kind in self._shape.state(count)))

    def _state(self, state: BatchState) -> BatchState:
        return BatchState(*map(self._kernels.give, state))


def _numbers(key: RandomKey) -> tuple[int, int, int]:
    return int(key.seed), int(key.counter), int(key.first)
