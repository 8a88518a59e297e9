"""The kernels for a GPU, tested without one: compiled for the CPU, and run thread by thread by a fake CuPy."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from ninefold.core.errors import NotAllowed
from ninefold.envs import big_core, cuda_core
from ninefold.envs.batch import Batch, make
from ninefold.envs.big_core import SHAPE, BigCodec
from ninefold.envs.codec import DONE_BIT, REWARD_BIT, STATE_BITS, TableCodec, tables_of
from ninefold.envs.counter_rng import counter_key, random_below, random_bits
from ninefold.games import find_game
from ninefold.games.squared import Squared
from tests.support.batches import BIG, SMALL, same

LITTLE, MUCH = 1000, 227 * 1024  # bytes of shared memory


class Function:
    """A kernel of the fake CuPy."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._library, self._run, self._shared = library, getattr(library, name), name.startswith("table")
        self.max_dynamic_shared_size_bytes = 0

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...], shared_mem: int = 0) -> None:
        assert Gpu.entered
        assert shared_mem <= self.max_dynamic_shared_size_bytes
        values = [self._value(argument) for argument in arguments]
        threads = 1 if self._shared else block[0]  # a block of one thread needs no barrier
        for block_number in range(grid[0]):
            for thread in range(threads):
                self._library.set_thread(block_number, grid[0], thread, threads)
                self._run(*values)

    def _value(self, argument: Any) -> Any:
        if isinstance(argument, np.ndarray):
            assert argument.flags.c_contiguous
            return ctypes.c_void_p(argument.ctypes.data)
        return ctypes.c_uint32(int(argument) % 2**32)


class Gpu:
    """A GPU of the fake CuPy: the current one while it is entered."""

    entered: ClassVar[list[int]] = []

    def __init__(self, number: int, attributes: dict[str, int]) -> None:
        self.number, self.attributes = number, attributes

    def __enter__(self) -> None:
        self.entered.append(self.number)

    def __exit__(self, *_: object) -> None:
        self.entered.pop()


def uninitialized(shape: tuple[int, ...], dtype: Any) -> Any:
    """New memory of the current GPU, with old contents."""
    assert Gpu.entered
    return np.full(shape, 77, dtype)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not compiler:
        pytest.skip("Without a C++ compiler the kernels cannot be compiled for the CPU.")
    built = tmp_path_factory.mktemp("gpu") / "kernels.so"
    tests = Path(__file__).parents[1]
    source = tests / "support" / "data" / "gpu_on_cpu.cpp"
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC", f"-I{tests.parent / 'native'}"]
    subprocess.run([compiler, *flags, str(source), "-o", str(built)], check=True)
    return ctypes.CDLL(str(built))


@pytest.fixture(params=[LITTLE, MUCH], ids=["little-memory", "much-memory"])
def cupy(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    module: Any = ModuleType("cupy")
    module.empty, module.ascontiguousarray, module.asarray = uninitialized, np.ascontiguousarray, np.asarray
    module.RawModule = lambda **_: SimpleNamespace(get_function=lambda name: Function(library, name))
    attributes = {"MultiProcessorCount": 3, "MaxSharedMemoryPerBlockOptin": request.param}
    module.cuda = SimpleNamespace(Device=lambda number: Gpu(number, attributes))
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def on_gpu(game: str, cupy: ModuleType, *, resets: bool) -> Batch:
    """A batch on the fake GPU; its arrays are those of NumPy."""
    found = find_game(game)
    start = found.begin()
    core: Any
    if isinstance(start, Squared):
        rules = start.rules
        core = cuda_core.CudaBigCore(
            rules.drawn == "both", rules.tie_break == "boards", rules.first, resets, SHAPE, cupy, None
        )
        return Batch(found, start, BigCodec(start), core, np, None, resets)
    tables = tables_of(found, start, resets)
    core = cuda_core.CudaTableCore(tables, np, None, cuda_core.CudaKernels(cupy, None))
    return Batch(found, start, TableCodec(tables), core, np, None, resets)


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize("game", [*SMALL, *BIG])
def test_a_rollout_on_a_gpu_ends_as_on_the_cpu(game: str, resets: bool, cupy: ModuleType) -> None:
    theirs, ours = on_gpu(game, cupy, resets=resets), make(game, resets=resets)
    for games, steps in ((1, 1), (700, 30)):
        one, two = (batch.rollout(batch.init(games), steps, seed=3, counter=4, first=5) for batch in (ours, theirs))
        same((*one.state, one.ended, one.score), (*two.state, two.ended, two.score))


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize("game", BIG)
def test_every_step_on_a_gpu_is_as_on_the_cpu(game: str, resets: bool, cupy: ModuleType) -> None:
    theirs, ours = on_gpu(game, cupy, resets=resets), make(game, resets=resets)
    one, two = ours.init(60), theirs.init(60)
    for counter in range(60):
        action = ours.random_action(one, seed=1, counter=counter).astype(np.int64)
        same((action.astype(np.int32),), (theirs.random_action(two, seed=1, counter=counter),))
        action[counter] = [-1, 81, 2**40, 80][counter % 4]
        one, two = ours.step(one, action), theirs.step(two, action)
        same((*one, *ours.view(one)), (*two, *theirs.view(two)))


@pytest.mark.parametrize("game", SMALL)
def test_the_rollout_words_lead_where_the_table_leads(game: str) -> None:
    batch = make(game)
    words, rows, owner = cuda_core.rollout_words(tables_of(batch.game, batch.game.begin(), True))
    state = batch.init(2000)
    word = rows[state.position]
    for counter in range(40):
        state = batch.random_step(state, seed=8, counter=counter)
        drawn = random_bits(counter_key(8, counter), np.arange(2000, dtype=np.int32))
        word = words[(word & STATE_BITS) + random_below(drawn, (word >> cuda_core.COUNT_BIT).astype(np.int32))]
        np.testing.assert_array_equal(owner[word & STATE_BITS], state.position)
        np.testing.assert_array_equal((word >> REWARD_BIT & 3).astype(np.int8) - 1, state.reward)
        np.testing.assert_array_equal(word >> DONE_BIT & 1, state.done)


def test_without_cupy_a_gpu_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(NotAllowed, match="Games on a GPU need CuPy"):
        cuda_core.CudaKernels(np, None)


@pytest.mark.parametrize("game", [*SMALL, *BIG])
def test_without_cupy_games_on_a_gpu_are_stepped_by_their_library(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    for module in (cuda_core, big_core):
        monkeypatch.setattr(module, "is_cuda", lambda *_: True)
    strict, ours = pytest.importorskip("array_api_strict"), make(game)
    theirs = make(game, strict)
    one, two = ours.rollout(ours.init(5), 9, seed=3), theirs.rollout(theirs.init(5), 9, seed=3)
    same((*one.state, one.ended, one.score), (*two.state, two.ended, two.score))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("game", BIG)
def test_actions_on_a_gpu_may_be_of_any_integer_type(game: str, dtype: type, cupy: ModuleType) -> None:
    theirs, ours = on_gpu(game, cupy, resets=True), make(game)
    action: Any = np.array([40, np.iinfo(dtype).max, 80], dtype)
    same(ours.step(ours.init(3), action), theirs.step(theirs.init(3), action))


def test_kernels_run_on_the_gpu_where_the_arrays_are(cupy: Any) -> None:
    second = SimpleNamespace(__dlpack_device__=lambda: (2, 1))
    cupy.asarray = lambda array, device: second if device == "cuda:1" else array
    assert cuda_core.is_cuda(cupy, "cuda:1")
    assert cuda_core.CudaKernels(cupy, "cuda:1").gpu.number == 1


def test_arrays_on_the_cpu_are_not_on_a_gpu() -> None:
    strict = pytest.importorskip("array_api_strict")
    assert not cuda_core.is_cuda(np, None)
    assert not cuda_core.is_cuda(strict, None)


def test_the_sources_of_the_kernels_are_there() -> None:
    folder = cuda_core.sources()
    sources = ("batch/batch.cu", "batch/big_game.hpp", "batch/counter_rng.hpp", "rules.hpp")
    assert [name for name in sources if not (folder / name).is_file()] == []


def test_an_installed_package_has_the_sources_beside_the_module(tmp_path: Path) -> None:
    envs = tmp_path / "lib" / "site" / "ninefold" / "envs"
    (envs / "cuda" / "batch").mkdir(parents=True)
    (envs / "cuda" / "batch" / "batch.cu").touch()
    assert cuda_core.sources(str(envs / "cuda_core.py")) == envs / "cuda"


def test_without_the_sources_a_gpu_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """As where Ninefold was installed without a compiler."""
    with pytest.raises(NotAllowed, match="installed without its native core"):
        cuda_core.sources(str(tmp_path / "lib" / "site" / "ninefold" / "envs" / "cuda_core.py"))
