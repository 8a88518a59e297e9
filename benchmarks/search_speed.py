"""How fast the searches of ultimate are."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks import openspiel
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.analysis.engine import Engine
from ninefold.analysis.engine import mcts as search_tree
from ninefold.games import find_game

ROUNDS = 3
TARGET, MCTS_TARGET = "20,000,000 a second", "1,000,000 a second"
OURS, OUR_SIMULATIONS, THEIRS = 30_000_000, 1_000_000, 30_000


def rows() -> Iterator[Row]:
    rounds = [(our_speed(), our_mcts_speed(), their_speed()) for _ in range(ROUNDS)]
    ours, mcts, theirs = (median(column) for column in zip(*rounds, strict=True))
    yield Row("ultimate, from the start", a_second(ours), a_second(theirs), times(ours / theirs, "many"), TARGET)
    yield Row("simulations of MCTS", a_second(mcts), a_second(theirs), times(mcts / theirs, "many"), MCTS_TARGET)


def our_speed() -> float:
    engine, start = Engine(64 * 2**20), find_game("ultimate").begin()
    return speed(lambda: engine.search(start, nodes=OURS).nodes)


def our_mcts_speed() -> float:
    start = find_game("ultimate").begin()
    return speed(lambda: sum(move.visits for move in search_tree(start, OUR_SIMULATIONS, seed=1)))


def their_speed() -> float:
    return speed(lambda: openspiel.simulate(THEIRS))


SECTION = Section(
    "Search",
    "Nodes of our alpha-beta and simulations of OpenSpiel's MCTS, also in C++, on one core. A node is one position, a\n"
    "simulation is a random game: the first ratio compares two kinds of work, and only a match shows which is\n"
    "stronger. The second row is our player `mcts`, the same kind of search as theirs.\n"
    f"Median of {ROUNDS}.",
    rows,
)
