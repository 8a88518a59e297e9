"""Environments on one core of a CPU, beside pgx, PettingZoo and OpenSpiel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np

from benchmarks import openspiel, pgx_steps
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.envs.batch import Batch, BatchState, make
from ninefold.envs.interop import pettingzoo_cell
from ninefold.games import find_game

ROUNDS = 5
GAMES = 65_536
COUNTS = (1, 16, 256, 4096, GAMES, 1 << 20, 10_000_000)
STEPS = 9  # after which every game of classic has begun anew
MIN_STEPS = 1 << 23  # that take long enough to be measured
CALL = 1000  # games that take about as long as the call
TURNS = 20_000  # of environments that have one game each

Run = Callable[[], int]


@contextmanager
def one_core() -> Iterator[None]:
    """Pin the process to one core, if the system can: JAX would use all of them."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def ratios() -> Iterator[Row]:
    with one_core():
        theirs = pgx_steps.random_play(GAMES, STEPS)
        yield versus("classic, compact; pgx", random_play("classic", GAMES), theirs, "150 times")
        yield versus("classic, full; pgx", random_play("classic", GAMES, full=True), theirs, "25 times")
        theirs = pgx_steps.replay(np.stack(random_games("classic", GAMES)))
        yield versus("classic, compact, moves given; pgx", stepping("classic", GAMES), theirs)
        yield versus("classic, full, moves given; pgx", stepping("classic", GAMES, full=True), theirs)
        moves = random_moves("classic", TURNS)
        turns = [[pettingzoo_cell(move) for move in game] for game in moves]
        yield versus("classic; PettingZoo", duels(our_duel(), moves), duels(their_duel(), turns), "3 times")
        theirs = openspiel.python_loop(5000)
        yield versus("ultimate, compact; OpenSpiel", random_play("ultimate", GAMES), theirs, "50 times")
        yield versus("ultimate, full; OpenSpiel", random_play("ultimate", GAMES, full=True), theirs)


def versus(what: str, ours: Run, theirs: Run, target: str = "-") -> Row:
    """Measure both in turn, so that other work on the machine slows both."""
    rounds = [(speed(ours), speed(theirs)) for _ in range(ROUNDS)]
    our, their = (median(column) for column in zip(*rounds, strict=True))
    return Row(what, a_second(our), a_second(their), times(our / their, "many"), target)


def random_games(game: str, games: int) -> list[Any]:
    """The actions of random games that start together, an array for each step."""
    batch = make(game)
    state, actions = batch.init(games), []
    for counter in range(STEPS):
        actions.append(batch.random_action(state, seed=1, counter=counter))
        state = batch.step(state, actions[-1])
    return actions


def random_moves(game: str, turns: int) -> list[list[int]]:
    """Whole random games of at least so many moves together."""
    rng, games, start = np.random.default_rng(1), list[list[int]](), find_game(game).begin()
    while sum(map(len, games)) < turns:
        position, moves = start, list[int]()
        while legal := position.moves():
            moves.append(int(rng.choice(legal)))
            position = position.play(moves[-1])
        games.append(moves)
    return games


def stepping(game: str, games: int, *, full: bool = False) -> Run:
    """The same random games over and over, written where they stood before."""
    batch, actions = make(game), random_games(game, games)
    start, room = batch.init(games), batch.init(games)
    look = looking(batch, games, full)

    def through() -> None:
        state = start
        for action in actions:
            state = batch.step(state, action, out=room)
            look(state)

    return repeated(through, games)


def random_play(game: str, games: int, *, full: bool = False) -> Run:
    """Random moves, which are drawn as a part of it."""
    batch = make(game)
    state = batch.rollout(batch.init(games), 50, seed=1).state
    look = looking(batch, games, full)

    def through() -> None:
        for counter in range(STEPS):
            look(batch.random_step(state, seed=1, counter=counter, out=state))

    return repeated(through, games)


def looking(batch: Batch, games: int, full: bool) -> Callable[[BatchState], object]:
    """Takes the view of a state, in the same arrays again and again, if full outputs are measured."""
    room = batch.view(batch.init(games)) if full else None
    return lambda state: batch.view(state, out=room) if full else None


def repeated(through: Callable[[], None], games: int) -> Run:
    """Repeat it so often that it can be measured, after one run that touches all memory."""
    rounds = max(1, MIN_STEPS // ((games + CALL) * STEPS))

    def run() -> int:
        for _ in range(rounds):
            through()
        return rounds * games * STEPS

    through()
    return run


def our_duel() -> Any:
    from ninefold.envs import aec

    return aec.env("classic")


def their_duel() -> Any:
    from pettingzoo.classic import tictactoe_v3

    return tictactoe_v3.env()


def duels(env: Any, games: Sequence[Sequence[int]]) -> Run:
    """Games as PettingZoo's documentation plays them: every agent observes and acts, also at the end."""

    def run() -> int:
        for moves in games:
            env.reset()
            waiting = iter(moves)
            for _ in env.agent_iter():
                _, _, terminated, _, _ = env.last()
                env.step(None if terminated else next(waiting))
        return sum(map(len, games))

    return run


def curve() -> Iterator[Row]:
    many = []
    with one_core():
        for games in COUNTS:
            runs = [
                random_play("classic", games),
                random_play("classic", games, full=True),
                random_play("swap-nine", games),
                random_play("ultimate", games),
            ]
            speeds = [median(speed(run) for _ in range(ROUNDS)) for run in runs]
            many += [speeds] if games >= GAMES else []
            yield Row(f"{games:,}", *map(a_second, speeds))
    slowest = (max(column) / min(column) for column in zip(*many, strict=True))
    yield Row(f"slowest step from {GAMES:,} on", *(times(ratio, "slow") for ratio in slowest))


def memory() -> Iterator[Row]:
    for game in ("classic", "swap-nine", "squared", "ultimate"):
        batch = make(game)
        state = batch.init(1000)
        rollout = batch.rollout(state, 1, seed=1)
        taken = state, batch.view(state), (*rollout.state, rollout.ended, rollout.score)
        yield Row(game, *(f"{sum(array.nbytes for array in arrays) / 1000:g} bytes" for arrays in taken))


RATIOS = Section(
    "Environments",
    f"Steps a second on one core, {GAMES:,} games at once in a batch, which are reset when they end, as in pgx.\n"
    "Random legal moves are drawn as a part of a step, as pgx measures itself; where moves are given, and against\n"
    "PettingZoo, both sides play the same games, drawn before. Compact is a state, full is a state with its view; pgx\n"
    "and PettingZoo always have the full outputs. PettingZoo and OpenSpiel's loop in Python have one game at a time.\n"
    f"Median of {ROUNDS}.",
    ratios,
)
CURVE = Section(
    "Environments over the number of games",
    f"Random steps a second of a batch on one core, as above. Target: from {GAMES:,} to {COUNTS[-1]:,} games a step\n"
    f"takes at most 3 times as long: the last row. Median of {ROUNDS}.",
    curve,
    ("games", "classic, compact", "classic, full", "swap-nine, compact", "ultimate, compact"),
)
MEMORY = Section(
    "Memory of a game in a batch",
    "A step in place needs the compact arrays only; a view and a rollout need the others too.",
    memory,
    ("game", "compact", "full view", "rollout"),
)
