"""How fast the searches of ultimate are."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks import openspiel
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.analysis.engine import Engine
from ninefold.games import find_game

ROUNDS = 3
TARGET = "20,000,000 a second"
OURS, THEIRS = 30_000_000, 30_000


def rows() -> Iterator[Row]:
    rounds = [(our_speed(), their_speed()) for _ in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*rounds, strict=True))
    yield Row("ultimate, from the start", a_second(ours), a_second(theirs), times(ours / theirs, "many"), TARGET)


def our_speed() -> float:
    engine, start = Engine(64 * 2**20), find_game("ultimate").begin()
    return speed(lambda: engine.search(start, nodes=OURS).nodes)


def their_speed() -> float:
    return speed(lambda: openspiel.simulate(THEIRS))


SECTION = Section(
    "Search",
    "Nodes of our alpha-beta and simulations of OpenSpiel's MCTS, also in C++, on one core. A node is one position, a\n"
    "simulation is a random game: the ratio compares two kinds of work, and only a match shows which is stronger.\n"
    f"Median of {ROUNDS}.",
    rows,
)
