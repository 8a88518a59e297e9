"""Batches on a GPU: squared and ultimate by the rules of the native core, whole rollouts of small games in one kernel.

The kernels, ``native/batch/batch.cu``, are compiled for the GPU when they are first needed. That takes CuPy, whatever
library the arrays are of.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.envs.arrays import Array, put, rows, untraced
from ninefold.envs.batch import Draw, Rollout, State, View
from ninefold.envs.codec import STATE_BITS, Tables
from ninefold.envs.native_core import Shape
from ninefold.envs.random_stream import WORD
from ninefold.envs.table_core import ArrayTable, refuse_out

KERNELS = "batch/batch.cu"
COUNT_BIT = 21
THREADS = 256
ROLLING = 512  # threads of a block that rolls small games out; of 256, 512 and 1,024 the fastest on an H200
_CUDA = 2  # DLPack's number for it


def is_cuda(library: ModuleType, device: Any) -> bool:
    """Whether the arrays of a library, on a device or where it likes them best, are on an NVIDIA GPU."""
    return library is not np and _place(library, device)[0] == _CUDA


def _place(library: ModuleType, device: Any) -> tuple[int, int]:
    """DLPack's numbers for the kind of a device, and for which of them it is."""
    kind, number = put(library, device, np.zeros(1, np.int32)).__dlpack_device__()
    return int(kind), int(number)


class Words(NamedTuple):
    """A small game as ``batch.cu`` walks it: the legal moves of all states, one after the other."""

    words: npt.NDArray[np.uint32]  # of each: where the moves of the state after it begin, reward, end, their number
    rows: npt.NDArray[np.uint32]  # of each state: where its moves begin, and their number
    owner: npt.NDArray[np.int32]  # the state whose moves begin at a place


def words_of(tables: Tables) -> Words:
    room = np.maximum(tables.counts, 1)  # a state without moves leads to itself
    begin = np.cumsum(room) - room
    row = (begin | tables.counts << COUNT_BIT).astype(np.uint32)
    owner = np.repeat(np.arange(len(room), dtype=np.int32), room)
    rank = np.arange(len(owner)) - begin[owner]
    transition = tables.transitions[owner, tables.ranked[owner, rank]]
    words = row[transition & STATE_BITS] | (transition & ~STATE_BITS).astype(np.uint32)
    return Words(words, row, owner)


class Kernels:
    """The compiled kernels on one GPU, and arrays that go to them and come from them without being copied."""

    def __init__(self, library: ModuleType, device: Any) -> None:
        try:
            import cupy
        except ImportError:
            raise NotAllowed("no_cupy", "Games on a GPU take CuPy.", "Install CuPy for your CUDA version.") from None
        self._cupy, self._library = cupy, library
        self.gpu = cupy.cuda.Device(_place(library, device)[1])

    def run(self, name: str, count: int, *arguments: Any) -> None:
        """A kernel with a thread for each of so many."""
        with self.gpu:
            _module().get_function(name)((-(-count // THREADS),), (THREADS,), tuple(map(_number, arguments)))

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        with self.gpu:
            return self._cupy.empty(shape, dtype)

    def take(self, array: Array) -> Any:
        """An array of the library as one of CuPy's, in one piece."""
        with self.gpu, untraced():
            taken = array if self._library is self._cupy else self._cupy.from_dlpack(array)
            return self._cupy.ascontiguousarray(taken)

    def give(self, array: Any) -> Array:
        return array if self._library is self._cupy else self._library.from_dlpack(array)


def _number(argument: Any) -> Any:
    """Kernels take numbers of 32 bits."""
    return np.uint32(argument % WORD) if isinstance(argument, int) else argument


@cache
def _module() -> Any:
    import cupy

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


class CudaTable(ArrayTable):
    """Small games on a GPU: steps by the library's own arrays, rollouts by one kernel."""

    def __init__(self, tables: Tables, library: ModuleType, device: Any) -> None:
        super().__init__(tables, library, device)
        words, row, owner = words_of(tables)
        self._words, self._size = put(library, device, words.view(np.int32)), len(words)
        self._rows, self._owner = put(library, device, row.view(np.int32)), put(library, device, owner)
        self._kernels: Kernels | None = None

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        kernels = self._kernels = self._kernels or Kernels(self._library, self._device)
        count = state.position.shape[0]
        with kernels.gpu:  # a copy, because this one is written to
            place = kernels.take(rows(self._library, self._rows, state.position)).copy()
        ended, score = kernels.empty((count,), np.int32), kernels.empty((count,), np.int32)
        self._walk(kernels, count, kernels.take(self._words), place, draw, steps, ended, score)
        word = kernels.give(place)
        state = self._unpacked(word, rows(self._library, self._owner, word & STATE_BITS))
        return Rollout(state, kernels.give(ended), kernels.give(score))

    def _walk(
        self, kernels: Kernels, count: int, words: Any, place: Any, draw: Draw, steps: int, ended: Any, score: Any
    ) -> None:
        """A block on every processor, until all games are played; with the words in its own memory, if they fit."""
        attributes, bytes = kernels.gpu.attributes, 4 * self._size
        near = bytes <= attributes["MaxSharedMemoryPerBlockOptin"]
        blocks = min(attributes["MultiProcessorCount"], -(-count // ROLLING))
        with kernels.gpu:
            kernel = _module().get_function("table_rollout_shared" if near else "table_rollout_global")
            if near:
                kernel.max_dynamic_shared_size_bytes = bytes
            arguments = (count, words, self._size, place, *_drawn(draw), steps, ended, score)
            kernel((blocks,), (ROLLING,), tuple(map(_number, arguments)), shared_mem=bytes if near else 0)


class CudaBig:
    """Squared and ultimate on a GPU, by the rules of ``native/rules.hpp``."""

    def __init__(
        self, both: bool, boards: bool, first: int, resets: bool, shape: Shape, library: ModuleType, device: Any
    ) -> None:
        self._rules, self._shape = both | boards << 1 | first << 2 | resets << 3, shape
        self._kernels = Kernels(library, device)

    def step(self, state: State, action: Array, out: State | None = None) -> State:
        refuse_out(out)
        count, after = len(state.done), self._room(len(state.done))
        with self._kernels.gpu:
            wide = self._kernels.take(action).astype(np.int64)  # what is too large for that becomes negative
            moves = wide.clip(-1, self._shape.moves).astype(np.int32)
        self._kernels.run("big_step", count, count, self._rules, *self._places(state), moves, *after)
        return self._state(after)

    def random_action(self, state: State, draw: Draw) -> Array:
        count = len(state.done)
        action = self._kernels.empty((count,), np.int32)
        self._kernels.run("big_random_action", count, count, *self._places(state), *_drawn(draw), action)
        return self._kernels.give(action)

    def random_step(self, state: State, draw: Draw, out: State | None = None) -> State:
        refuse_out(out)
        return self.rollout(state, 1, draw).state

    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout:
        count, after = len(state.done), self._room(len(state.done))
        totals = self._kernels.empty((count,), np.int32), self._kernels.empty((count,), np.int32)
        places = self._places(state)
        self._kernels.run("big_rollout", count, count, self._rules, *places, *_drawn(draw), steps, *totals, *after)
        return Rollout(self._state(after), *map(self._kernels.give, totals))

    def view(self, state: State, out: View | None = None) -> View:
        refuse_out(out)
        count, given = len(state.done), (*self._places(state), self._kernels.take(state.reward))
        planes, legal, rewards, _, turn = (self._kernels.empty(*kind) for kind in self._shape.view(count))
        cells = count * self._shape.moves
        self._kernels.run("big_view", cells, count, self._rules, *given, planes, legal, rewards, turn)
        planes, legal, rewards, turn = map(self._kernels.give, (planes, legal, rewards, turn))
        return View(planes, legal, rewards, state.done, turn)

    def _places(self, state: State) -> tuple[Any, Any]:
        return self._kernels.take(state.position), self._kernels.take(state.mask)

    def _room(self, count: int) -> State:
        return State(*(self._kernels.empty(*kind) for kind in self._shape.state(count)))

    def _state(self, state: State) -> State:
        return State(*map(self._kernels.give, state))


def _drawn(draw: Draw) -> tuple[int, int, int]:
    with untraced():
        return int(draw.seed), int(draw.counter), int(draw.first)
