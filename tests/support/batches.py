"""Batches of every array library that is installed, and what their tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.envs.array_big_core import ArrayBigCore
from ninefold.envs.arrays import to_numpy
from ninefold.envs.batch import Batch, BatchCore, BatchState, BatchView, PositionCodec
from ninefold.envs.big_core import BigCodec, flags_of
from ninefold.envs.codec import TableCodec, tables_of
from ninefold.envs.table_core import ArrayTableCore
from ninefold.games import find_game
from ninefold.games.squared import Squared

SMALL, BIG = ("classic", "swap-nine"), ("squared", "ultimate")
GAMES = (*SMALL, *BIG)
RULES: list[tuple[str, dict[str, str]]] = [
    ("squared", {}),
    ("squared", {"first": "O", "tie_break": "boards"}),
    ("ultimate", {}),
    ("ultimate", {"first": "O", "tie_break": "boards"}),
]
ALL_RULES = [*((game, dict[str, str]()) for game in SMALL), *RULES]
# PyTorch and CuPy are large and are not installed for the tests; where they are, they are tested too.
LIBRARIES = [name for name in ("array_api_strict", "jax.numpy", "torch", "cupy") if find_spec(name.partition(".")[0])]

Compile = Callable[[Callable[..., Any]], Callable[..., Any]]


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


def compared(ours: Batch, theirs: Batch, games: int, steps: int, compiled: Compile = lambda function: function) -> int:
    """Steps of both from the start, with illegal actions among them: all arrays are equal. Returns how many games
    ended. ``compiled`` compiles a function of ``theirs``."""

    @compiled
    def draw(state: BatchState, counter: Any) -> tuple[Any, BatchState]:
        drawn = {"seed": 3, "counter": counter, "first": 50}
        return theirs.random_action(state, **drawn), theirs.random_step(state, **drawn)

    @compiled
    def move(state: BatchState, action: Any) -> tuple[BatchState, BatchView]:
        after = theirs.step(state, action)
        return after, theirs.view(after)

    generator, ended = np.random.default_rng(1), 0
    one, two = ours.init(games), theirs.init(games)
    for counter in range(steps):
        action = ours.random_action(one, seed=3, counter=counter, first=50)
        same((action, *ours.step(one, action)), _flat(draw(two, theirs.library.asarray(counter))))
        wild = generator.integers(0, games, counter % 3)
        action[wild] = generator.integers(-2, ours.actions + 2, len(wild))
        one = ours.step(one, action)
        two, view = move(two, theirs.library.asarray(action))
        same((*one, *ours.view(one)), (*two, *view))
        ended += int(one.done.sum())
    return ended


def _flat(drawn: tuple[Any, BatchState]) -> tuple[Any, ...]:
    return drawn[0], *drawn[1]
