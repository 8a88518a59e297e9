"""How fast the searches of ultimate are."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

from benchmarks import openspiel
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.analysis.engine import Engine
from ninefold.analysis.engine import mcts as search_tree
from ninefold.analysis.playouts import estimate
from ninefold.games import find_game

ROUNDS = 3
TARGET, MCTS_TARGET = "20,000,000 a second", "1,000,000 a second"
OURS, OUR_SIMULATIONS, THEIRS, IN_PYTHON = 30_000_000, 1_000_000, 30_000, 1_000


def rows() -> Iterator[Row]:
    measures = our_speed, our_mcts_speed, their_speed, our_python_speed, their_python_speed
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS)]
    ours, mcts, theirs, ours_in_python, theirs_in_python = (median(column) for column in zip(*rounds, strict=True))
    yield _compared("ultimate, from the start", ours, theirs, TARGET)
    yield _compared("simulations of MCTS", mcts, theirs, MCTS_TARGET)
    yield _compared("simulations of MCTS in Python", ours_in_python, theirs_in_python, "-")
    yield _compared("ours in Python, theirs in C++", ours_in_python, theirs, "-")


def _compared(what: str, ours: float, theirs: float, target: str) -> Row:
    return Row(what, a_second(ours), a_second(theirs), times(ours / theirs, "many"), target)


def our_speed() -> float:
    engine, start = Engine(64 * 2**20), find_game("ultimate").begin()
    return speed(lambda: engine.search(start, nodes=OURS).nodes)


def our_mcts_speed() -> float:
    start = find_game("ultimate").begin()
    return speed(lambda: sum(move.visits for move in search_tree(start, OUR_SIMULATIONS, seed=1)))


def their_speed() -> float:
    return speed(lambda: openspiel.simulate(THEIRS))


def our_python_speed() -> float:
    start = find_game("ultimate").begin()
    return speed(lambda: sum(move.visits for move in estimate(start, IN_PYTHON, Random(1))))


def their_python_speed() -> float:
    return speed(lambda: openspiel.simulate_in_python(IN_PYTHON))


SECTION = Section(
    "Search",
    "Nodes of our alpha-beta and simulations of OpenSpiel's MCTS, also in C++, on one core. A node is one position, a\n"
    "simulation is a random game: the first ratio compares two kinds of work, and only a match shows which is\n"
    "stronger. The second row is our player `mcts`, the same kind of search as theirs. The last two are our player\n"
    "`mcts-python`, plain Python as a textbook has it, beside OpenSpiel's search in Python and the one in C++.\n"
    f"Median of {ROUNDS}.",
    rows,
)
