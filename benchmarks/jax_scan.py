"""Classic in a scan of JAX, as users of pgx step their games, beside pgx in the same scan; and our other paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

from benchmarks import environments, pgx_steps
from benchmarks.environments import ROUNDS, Run, one_core, versus
from benchmarks.report import Row, Section, a_second
from benchmarks.timing import speed
from ninefold.envs.batch import Batch, BatchState, make

COUNTS = (1, 256, 65_536)
TARGET = "20 times"
MIN_STEPS = 1 << 20  # of a scan, over all games, up to LONGEST and down to SHORTEST steps each
SHORTEST, LONGEST = 20, 2000

Look = Callable[[BatchState], Any]


def ratios() -> Iterator[Row]:
    with one_core():
        for games in COUNTS:
            yield from _classic(games)
        for game in ("squared", "ultimate"):
            for games in COUNTS:
                yield Row(f"{game}, {games:,}, scan, compact", _speed(random_play(game, games)))
                yield Row(f"{game}, {games:,}, scan, full", _speed(random_play(game, games, full=True)))


def _classic(games: int) -> Iterator[Row]:
    steps = _steps(games)
    target = TARGET if games == COUNTS[-1] else "not slower" if games == 1 else "-"
    theirs = pgx_steps.random_scan(games, steps)
    yield versus(f"{games:,}, scan, full", random_play("classic", games, full=True), theirs, target)
    yield versus(f"{games:,}, scan, compact", random_play("classic", games), theirs)
    theirs = pgx_steps.random_play(games, SHORTEST)
    yield versus(f"{games:,}, NumPy, full", environments.random_play("classic", games, full=True), theirs)
    yield versus(f"{games:,}, NumPy, compact", environments.random_play("classic", games), theirs)
    actions = _random_moves(games, steps)
    theirs = pgx_steps.scan_of(actions)
    yield versus(f"{games:,}, scan, full, moves given", given_moves(actions, full=True), theirs)
    yield versus(f"{games:,}, scan, compact, moves given", given_moves(actions), theirs)


def _steps(games: int) -> int:
    return max(SHORTEST, min(LONGEST, MIN_STEPS // games))


def _speed(run: Run) -> str:
    return a_second(median(speed(run) for _ in range(ROUNDS)))


def _random_moves(games: int, steps: int) -> Any:
    """Legal moves of random games, an array for each step."""
    batch = make("classic")
    state, actions = batch.init(games), []
    for counter in range(steps):
        actions.append(batch.random_action(state, seed=1, counter=counter))
        state = batch.step(state, actions[-1])
    return np.stack(actions)


def random_play(game: str, games: int, *, full: bool = False) -> Run:
    """Random moves in a scan; full outputs are carried from step to step, as a state of pgx carries them."""
    import jax

    batch, steps = make(game, jax.numpy), _steps(games)
    look = _look(batch, full)

    def advance(carry: tuple[BatchState, Any], counter: Any) -> tuple[tuple[BatchState, Any], None]:
        state = batch.random_step(carry[0], seed=1, counter=counter)
        return (state, look(state)), None

    return _scanned(batch, advance, look, jax.numpy.arange(steps, dtype=jax.numpy.int32), games)


def given_moves(actions: Any, *, full: bool = False) -> Run:
    import jax

    batch = make("classic", jax.numpy)
    look = _look(batch, full)

    def advance(carry: tuple[BatchState, Any], action: Any) -> tuple[tuple[BatchState, Any], None]:
        state = batch.step(carry[0], action)
        return (state, look(state)), None

    return _scanned(batch, advance, look, jax.numpy.asarray(actions), actions.shape[1])


def _look(batch: Batch, full: bool) -> Look:
    return batch.view if full else lambda _: ()


def _scanned(batch: Batch, advance: Any, look: Look, over: Any, games: int) -> Run:
    import jax

    play = jax.jit(lambda carry: jax.lax.scan(advance, carry, over)[0])
    wait: Callable[[Any], Any] = jax.block_until_ready
    state = batch.init(games)
    start = state, jax.jit(look)(state)

    def run() -> int:
        wait(play(start))
        return len(over) * games

    run()
    return run


SECTION = Section(
    "Classic beside pgx, on the paths of their users",
    "Steps a second on one core, at 1, 256 and 65,536 games. A scan is `lax.scan` of a step, compiled by `jax.jit`;\n"
    "pgx is stepped in one with `auto_reset`, and draws its moves with its own `act_randomly`. Compact is a state,\n"
    "full is a state with its view, carried from step to step; a state of pgx always has the full outputs. NumPy is\n"
    "our native core, called from Python step by step, beside steps of pgx that are compiled and called in the same\n"
    f"way. The last rows are the big games, which pgx does not have. Median of {ROUNDS}.",
    ratios,
)
