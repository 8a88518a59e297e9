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
from ninefold.envs.batch import Batch, Rollout, State, View, make
from ninefold.envs.interop import pettingzoo_cell
from ninefold.games import find_game

ROUNDS = 5
GAMES = 65_536
COUNTS = (1, 16, 256, 4096, GAMES, 1 << 20, 10_000_000)
STEPS = 9  # in which every game of classic ends
LEAST = 1 << 21  # steps that take long enough to be measured
TURNS = 20_000  # of environments that have one game each

Run = Callable[[], int]


@contextmanager
def one_core() -> Iterator[None]:
    """Where the system can pin a process: JAX would use all cores."""
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
        games = random_games("classic", GAMES, resets=False)
        replayed = pgx_steps.replay(np.stack(games))
        yield versus("classic, compact; pgx", compact("classic", GAMES), replayed, "150 times")
        yield versus("classic, full; pgx", full("classic", GAMES), replayed, "25 times")
        moves = random_moves("classic", TURNS)
        turns = [[pettingzoo_cell(move) for move in game] for game in moves]
        yield versus("classic, PettingZoo", duels(our_duel(), moves), duels(their_duel(), turns), "3 times")
        moves = random_moves("ultimate", TURNS)
        replayed = openspiel.replay(moves)
        yield versus("ultimate, compact; OpenSpiel", compact("ultimate", GAMES), replayed, "50 times")
        yield versus("ultimate, full; OpenSpiel", full("ultimate", GAMES), replayed)


def versus(what: str, ours: Run, theirs: Run, target: str = "-") -> Row:
    """In turn, so that whatever else the machine does meets both."""
    rounds = [(speed(ours), speed(theirs)) for _ in range(ROUNDS)]
    our, their = (median(column) for column in zip(*rounds, strict=True))
    return Row(what, a_second(our), a_second(their), times(our / their, "many"), target)


def random_games(game: str, games: int, *, resets: bool = True, steps: int = STEPS) -> list[Any]:
    """The actions of random games that start together, an array for each step."""
    batch = make(game, resets=resets)
    state, actions = batch.init(games), []
    for counter in range(steps):
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


def compact(game: str, games: int) -> Run:
    return stepping(make(game), games, lambda _: None)


def full(game: str, games: int) -> Run:
    """Each step with its view, in the same arrays again and again."""
    batch = make(game)
    room: View = batch.view(batch.init(games))
    return stepping(batch, games, lambda state: batch.view(state, out=room))


def stepping(batch: Batch, games: int, look: Callable[[State], object]) -> Run:
    """The same random games over and over, written where they stood before."""
    start, room, actions = batch.init(games), batch.init(games), random_games(batch.game.id, games)
    rounds = max(1, LEAST // (games * len(actions)))

    def run() -> int:
        for _ in range(rounds):
            state = start
            for action in actions:
                state = batch.step(state, action, out=room)
                look(state)
        return rounds * games * len(actions)

    run()
    return run


def our_duel() -> Any:
    from ninefold.envs import aec

    return aec.env("classic")


def their_duel() -> Any:
    from pettingzoo.classic import tictactoe_v3

    return tictactoe_v3.env()


def duels(env: Any, games: Sequence[Sequence[int]]) -> Run:
    """Games as PettingZoo's documentation plays them: every agent is told what it sees and answers, also at the end."""

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
    with one_core():
        for games in COUNTS:
            runs = [
                compact("classic", games),
                full("classic", games),
                compact("swap-nine", games),
                compact("ultimate", games),
            ]
            yield Row(f"{games:,}", *(a_second(median(speed(run) for _ in range(ROUNDS))) for run in runs))


def memory() -> Iterator[Row]:
    for game in ("classic", "swap-nine", "squared", "ultimate"):
        batch = make(game)
        state = batch.init(1000)
        yield Row(game, *map(_bytes, (state, batch.view(state), batch.rollout(state, 1, seed=1))))


def _bytes(arrays: State | View | Rollout) -> str:
    """Of one game of a thousand. A state is inside what is made of it only where it says so."""
    flat = [*arrays.state, *arrays[1:]] if isinstance(arrays, Rollout) else arrays
    return f"{sum(array.nbytes for array in flat) / 1000:g} bytes"


RATIOS = Section(
    "Environments",
    f"Steps a second on one core, {GAMES:,} games at once in a batch; PettingZoo and OpenSpiel's loop in Python\n"
    "have one game. Both sides play the same random games, drawn before. Ours begin anew by themselves; pgx's stay\n"
    "as they ended, which is faster. Compact and full are the two sizes of outputs: pgx and PettingZoo have what we\n"
    f"call full, OpenSpiel is asked for the legal moves. Median of {ROUNDS}.",
    ratios,
)
CURVE = Section(
    "Environments over the number of games",
    "Steps a second of a batch on one core.",
    curve,
    ("games", "classic, compact", "classic, full", "swap-nine, compact", "ultimate, compact"),
)
MEMORY = Section(
    "Memory of a game in a batch",
    "A step in place needs the compact arrays alone; a view and a rollout are arrays beside them.",
    memory,
    ("game", "compact", "full view", "rollout"),
)
