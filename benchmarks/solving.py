"""Classic and swap-nine compiled and solved, cold, in a fresh process each."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

ROUNDS = 7
SOLVE = """
import sys, time
begun = time.perf_counter()
from ninefold.games import find_game
from ninefold.solve import solution_at
for name in sys.argv[1:]:
    game = find_game(name)
    solution_at(game, game.begin())
print(time.perf_counter() - begun, "numpy" in sys.modules)
"""


def main() -> None:
    for names in (["classic"], ["swap-nine"], ["classic", "swap-nine"]):
        outputs = [
            subprocess.check_output([sys.executable, "-c", SOLVE, *names], text=True).split() for _ in range(ROUNDS)
        ]
        assert all(numpy == "False" for _, numpy in outputs)
        print(f"{' and '.join(names):<24} {median(float(seconds) for seconds, _ in outputs):.2f} s")


main()
