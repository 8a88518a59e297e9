"""The environments on a GPU: that they do the same as on the CPU, and how fast. ``make bench-gpu`` runs it.

python -m benchmarks.gpu

It needs an NVIDIA GPU, PyTorch and CuPy; JAX and pgx are measured too if they are installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from statistics import median
from types import ModuleType
from typing import Any

import cupy
import numpy as np
import torch

from benchmarks import pgx_steps
from benchmarks.environments import random_games
from benchmarks.report import DOCS, Row, Section, a_second, machine, measure, page, times
from ninefold.envs.arrays import put, to_numpy
from ninefold.envs.batch import Batch, BatchState, BatchView, Rollout, make

PGX_EARLIER = 4.2e9  # steps a second of pgx's classic at a million games, measured in an earlier run
ROUNDS = 5
MANY = 1 << 23
COUNTS = (1, 64, 4096, 65_536, 1 << 20, 10_000_000)
GAMES = ("classic", "swap-nine", "squared", "ultimate")
CUPY = ("cupy", "cupy-cuda12x", "cupy-cuda13x")  # one of them, by the version of CUDA


Step = Callable[[BatchState, Any], BatchState]
SeenStep = Callable[[BatchState, Any], tuple[BatchState, BatchView]]


def on_gpu(game: str, library: ModuleType = torch) -> Batch:
    return make(game, library, device="cuda" if library is torch else None)


def speed(run: Callable[[], int]) -> float:
    """How many in a second of wall time; a GPU has finished when it has been waited for."""
    run()
    return median(_once(run) for _ in range(ROUNDS))


def _once(run: Callable[[], int]) -> float:
    _wait()
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < 0.05:
        count += run()
        _wait()
    return count / (time.perf_counter() - begun)


def _wait() -> None:
    torch.cuda.synchronize()


# That it is the same.


def sameness() -> Iterator[Row]:
    for library in libraries():
        for game in GAMES:
            games, steps = same_steps(game, library)
            yield Row(f"{game}, {library.__name__}, steps", f"{games:,} games", f"{steps:,} steps", "equal")
    for library in libraries():
        if library is not cupy:
            for game in GAMES:
                games, steps = same_compiled(game, library)
                what = f"{game}, {library.__name__}, compiled steps"
                yield Row(what, f"{games:,} games", f"{steps:,} steps", "equal")
    for game in GAMES:
        games, steps = same_rollout(game)
        yield Row(f"{game}, rollout", f"{games:,} games", f"{steps:,} steps", "equal")


def libraries() -> list[ModuleType]:
    if not find_spec("jax"):
        return [torch, cupy]
    import jax.numpy

    return [torch, cupy, jax.numpy]


def same_steps(game: str, library: ModuleType, games: int = 10_000, steps: int = 100) -> tuple[int, int]:
    ours, theirs = make(game), on_gpu(game, library)
    one, two = ours.init(games), theirs.init(games)
    for counter in range(steps):
        one = ours.random_step(one, seed=3, counter=counter)
        two = theirs.step(two, theirs.random_action(two, seed=3, counter=counter))
    same((*one, *ours.view(one)), (*two, *theirs.view(two)))
    return games, steps


def same_compiled(game: str, library: ModuleType, games: int = 10_000, steps: int = 100) -> tuple[int, int]:
    """A million random steps, as the library compiles them."""
    ours, theirs = make(game), on_gpu(game, library)

    def play(state: BatchState, counter: Any) -> tuple[BatchState, BatchView]:
        after = theirs.random_step(state, seed=4, counter=counter)
        return after, theirs.view(after)

    one, two, step = ours.init(games), theirs.init(games), compiled_by(library, play)
    for counter in range(steps):
        one = ours.random_step(one, seed=4, counter=counter)
        two, view = step(two, put(library, theirs.device, np.asarray(counter, np.int32)))
        same((*one, *ours.view(one)), (*two, *view))
    return games, steps


def compiled_by(library: ModuleType, function: SeenStep) -> SeenStep:
    if library is torch:
        fast: SeenStep = torch.compile(function, fullgraph=True, dynamic=False)
        return fast
    import jax

    jitted: SeenStep = jax.jit(function)
    return jitted


def same_rollout(game: str, games: int = 1_000_000, steps: int = 500) -> tuple[int, int]:
    one, two = (batch.rollout(batch.init(games), steps, seed=5) for batch in (make(game, threads=16), on_gpu(game)))
    same(_arrays(one), _arrays(two))
    return games, steps


def same(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, to_numpy(other))


def _arrays(rollout: Rollout) -> tuple[Any, ...]:
    return *rollout.state, rollout.ended, rollout.score


# How fast it is.


def stepping() -> Iterator[Row]:
    measured = their_speed()
    theirs = max(PGX_EARLIER, measured)
    yield Row("pgx, measured here", "-", a_second(measured) if measured else "-")
    for name, kind in (("one operation after the other", eager), ("compiled", compiled)):
        fast = speed(stepper(kind(on_gpu("classic")), MANY))
        yield Row(f"PyTorch, {name}", a_second(fast), a_second(theirs), times(fast / theirs, "many"), "5 times")
    fast = speed(stepper(compiled_view(on_gpu("classic")), MANY))
    yield Row("PyTorch, compiled, full", a_second(fast), a_second(theirs), times(fast / theirs, "many"))
    fast = speed(roller("classic", MANY))
    yield Row("classic, rollout", a_second(fast), a_second(theirs), times(fast / theirs, "many"), "100 times")
    for game in GAMES[1:]:
        yield Row(f"{game}, rollout", a_second(speed(roller(game, MANY))))


def their_speed() -> float:
    if not (find_spec("jax") and find_spec("pgx")):
        return 0.0
    return speed(pgx_steps.replay(np.stack(random_games("classic", 1 << 20))))  # faster than with moves to be drawn


def eager(batch: Batch) -> Step:
    return batch.step


def compiled(batch: Batch) -> Step:
    step: Step = torch.compile(batch.step, fullgraph=True, dynamic=False)
    return step


def compiled_view(batch: Batch) -> SeenStep:
    def step(state: BatchState, action: Any) -> tuple[BatchState, BatchView]:
        after = batch.step(state, action)
        return after, batch.view(after)

    return compiled_by(torch, step)


def stepper(step: Step | SeenStep, games: int) -> Callable[[], int]:
    batch = on_gpu("classic")
    start, actions = batch.init(games), [torch.asarray(a, device="cuda") for a in random_games("classic", games)]

    def run() -> int:
        state = start
        for action in actions:
            after = step(state, action)
            state = after if isinstance(after, BatchState) else after[0]
        return len(actions) * games

    return run


def roller(game: str, games: int) -> Callable[[], int]:
    batch = on_gpu(game)
    start, steps = batch.init(games), 1000 if batch.game.small else 100

    def run() -> int:
        batch.rollout(start, steps, seed=1)
        return steps * games

    return run


def curve() -> Iterator[Row]:
    for games in COUNTS:
        torch._dynamo.reset()
        batch = on_gpu("classic")
        runs = [stepper(compiled(batch), games), stepper(compiled_view(batch), games)]
        runs += [roller("classic", games), roller("ultimate", games)]
        yield Row(f"{games:,}", *(a_second(speed(run)) for run in runs))


SECTIONS = (
    Section(
        "The same as on the CPU",
        "Random games with the same seed: all arrays of a state and its view, and all sums of a rollout, are compared\n"
        "with the native core on the CPU.",
        sameness,
        ("what", "games", "steps", "result"),
    ),
    Section(
        "Steps",
        f"{MANY:,} games at once. A step has its actions given, a rollout draws them; games are reset when they end.\n"
        f"Theirs is pgx, classic, with its full outputs, at {1 << 20:,} games: the faster of this run and of\n"
        f"{PGX_EARLIER:,.0f} a second, measured in an earlier run on such a GPU.",
        stepping,
    ),
    Section(
        "Over the number of games",
        "Steps a second of classic as PyTorch compiles them, and of rollouts.",
        curve,
        ("games", "classic, compact", "classic, full", "classic, rollout", "ultimate, rollout"),
    ),
)


def main() -> None:
    if not torch.cuda.is_available():
        sys.exit("There is no NVIDIA GPU that PyTorch can use.")
    measured = [(section, measure(section)) for section in SECTIONS]
    about = "Written by `make bench-gpu` on this machine. The figures of a CPU are in [benchmarks.md](benchmarks.md)."
    facts = [("GPU", torch.cuda.get_device_name()), *machine("torch", *CUPY, "jax", "pgx")]
    text = page("Environments on a GPU", about, facts, measured)
    (DOCS / "gpu.md").write_text(text, encoding="utf-8")
    print("Written to docs/gpu.md.", file=sys.stderr)


if __name__ == "__main__":
    main()
