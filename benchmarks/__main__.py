"""Runs the sections, prints each figure as it is known, and writes docs/benchmarks.md.

python -m benchmarks [--only SECTION ...]
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import endgames, environments, pgx_same, random_games, search_speed, solving, startup
from benchmarks.report import DOCS, machine, measure, page
from ninefold.analysis.engine import is_native

SECTIONS = {
    "startup": startup.SECTION,
    "solving": solving.SECTION,
    "random-games": random_games.SECTION,
    "search": search_speed.SECTION,
    "endgames": endgames.SECTION,
    "environments": environments.RATIOS,
    "games-at-once": environments.CURVE,
    "memory-of-games": environments.MEMORY,
    "same-as-pgx": pgx_same.SECTION,
}
PEERS = ("open_spiel", "pgx", "jax", "pettingzoo", "numpy")
ABOUT = """\
Written by `make bench`, which measures ours and theirs in one run, in turn, on one core.
`python -m benchmarks --only SECTION ...` in the same environment measures some of it and writes nothing.
How strong the engine and the levels are is measured by `make bench-strength`, and the environments on a GPU by
`make bench-gpu`."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="some of the sections")
    chosen = parser.parse_args().only
    if not is_native():
        parser.error("the native core is missing; install a C++ compiler and begin anew with make clean")
    measured = [(section, measure(section)) for name, section in SECTIONS.items() if name in chosen]
    if len(measured) < len(SECTIONS):
        print("Only some sections were run, so docs/benchmarks.md is left as it was.", file=sys.stderr)
        return
    text = page("Benchmarks", ABOUT, machine(*PEERS), measured)
    (DOCS / "benchmarks.md").write_text(text, encoding="utf-8")
    print("Written to docs/benchmarks.md.", file=sys.stderr)


if __name__ == "__main__":
    main()
