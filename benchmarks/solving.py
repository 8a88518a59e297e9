"""Classic and swap-nine compiled and solved, cold, in a fresh process each."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from benchmarks.report import Row, Section

ROUNDS = 7
SOLVE = """
import sys, time
begun = time.perf_counter()
from ninefold.games import find_game
from ninefold.core.solver import solution_at
for name in sys.argv[1:]:
    game = find_game(name)
    solution_at(game, game.begin())
print(time.perf_counter() - begun, "numpy" in sys.modules)
"""


def rows() -> Iterator[Row]:
    for names in (["classic"], ["swap-nine"], ["classic", "swap-nine"]):
        yield Row(" and ".join(names), f"{median(seconds_to_solve(names) for _ in range(ROUNDS)):.2f} s")


def seconds_to_solve(names: list[str]) -> float:
    seconds, numpy = subprocess.check_output([sys.executable, "-c", SOLVE, *names], text=True).split()
    assert numpy == "False", "the solver is plain Python"
    return float(seconds)


SECTION = Section(
    "Solving",
    "The exact value of every position, from the rules in plain Python, in a fresh process with its imports.\n"
    f"Median of {ROUNDS}.",
    rows,
)
