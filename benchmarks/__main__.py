"""Measures the sections, prints each figure at once, and writes docs/benchmarks.md.

python -m benchmarks [--only SECTION ...]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import (
    endgames,
    environments,
    one_game,
    pgx_same,
    positions,
    random_games,
    search_speed,
    solving,
    startup,
)
from benchmarks.report import DOCS, Section, machine, measure, page
from ninefold.analysis.engine import is_native

SECTIONS = {
    "startup": startup.SECTION,
    "solving": solving.SECTION,
    "random-games": random_games.SECTION,
    "positions": positions.SECTION,
    "search": search_speed.SECTION,
    "endgames": endgames.SECTION,
    "environments": environments.RATIOS,
    "one-game": one_game.SECTION,
    "games-at-once": environments.CURVE,
    "memory-of-games": environments.MEMORY,
    "same-as-pgx": pgx_same.SECTION,
}
PEERS = ("open_spiel", "pgx", "jax", "pettingzoo", "numpy")
ABOUT = """\
Written by `make bench`, which measures Ninefold (ours) and other libraries (theirs) in one run, in turn, on one core.
`python -m benchmarks --only SECTION ...` in the same environment measures some sections and writes nothing.
`make bench-strength` measures the strength of the engine and the levels, `make bench-gpu` the environments on a GPU."""


def main(arguments: Sequence[str] | None = None, sections: Mapping[str, Section] = SECTIONS, docs: Path = DOCS) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections), help="some of the sections")
    chosen = parser.parse_args(arguments).only
    if not is_native():
        parser.error("the native core is missing; install a C++ compiler and start over with make clean")
    measured = [(section, measure(section)) for name, section in sections.items() if name in chosen]
    if len(measured) < len(sections):
        print("Only some sections were measured, so docs/benchmarks.md is not written.", file=sys.stderr)
        return
    text = page("Benchmarks", ABOUT, machine(*PEERS), measured)
    (docs / "benchmarks.md").write_text(text, encoding="utf-8")
    print("Written to docs/benchmarks.md.", file=sys.stderr)


if __name__ == "__main__":
    main()
