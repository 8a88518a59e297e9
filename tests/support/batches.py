"""Batches of every array library that is installed, and what their tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import numpy.typing as npt

from ninefold.envs.array_big_core import ArrayBigCore
from ninefold.envs.arrays import to_numpy
from ninefold.envs.batch import Batch, BatchCore, BatchState, PositionCodec
from ninefold.envs.big_core import BigCodec, flags_of
from ninefold.envs.codec import TableCodec, tables_of
from ninefold.envs.table_core import ArrayTableCore
from ninefold.games import find_game
from ninefold.games.squared import Squared

SMALL, BIG = ("classic", "swap-nine"), ("squared", "ultimate")
GAMES = (*SMALL, *BIG)
# PyTorch and CuPy are large and are not installed for the tests; where they are, they are tested too.
LIBRARIES = [name for name in ("array_api_strict", "jax.numpy", "torch", "cupy") if find_spec(name.partition(".")[0])]


def library(name: str) -> ModuleType:
    return import_module(name)


def array_batch(
    game: str, library: ModuleType = np, *, resets: bool = True, options: Mapping[str, str] | None = None
) -> Batch:
    """A batch without the native core, also where its arrays have values."""
    found = find_game(game)
    start = found.begin(options)
    codec: PositionCodec
    core: BatchCore
    if isinstance(start, Squared):
        codec, core = BigCodec(start), ArrayBigCore(flags_of(start, resets), library, None)
    else:
        tables = tables_of(found, start, resets)
        codec, core = TableCodec(tables), ArrayTableCore(tables, library, None)
    return Batch(found, start, codec, core, library, None, resets)


def int32(numbers: Sequence[int]) -> npt.NDArray[np.int32]:
    return np.array(numbers, np.int32)


def after(batch: Batch, games: int, steps: int) -> BatchState:
    """Where so many games stand after random steps."""
    return batch.rollout(batch.init(games), steps, seed=7).state


def same(ones: tuple[object, ...], others: tuple[object, ...]) -> None:
    """Arrays of any two libraries, equal to the last bit and of the same type."""
    for one, other in zip(ones, others, strict=True):
        left, right = to_numpy(one), to_numpy(other)
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)
