"""Measures the sections, prints each figure at once, and writes docs/benchmarks.md.

python -m benchmarks [--only SECTION ...] [--update]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import (
    endgames,
    environments,
    jax_scan,
    one_game,
    pgx_same,
    positions,
    random_games,
    search_speed,
    solving,
    startup,
)
from benchmarks.report import DOCS, Row, Section, machine, measure, measured_later, page, section_text
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
    "jax-scan": jax_scan.SECTION,
    "same-as-pgx": pgx_same.SECTION,
}
PEERS = ("open_spiel", "pgx", "jax", "pettingzoo", "numpy")
ABOUT = """\
Written by `make bench`, which measures Ninefold (ours) and other libraries (theirs) in one run, in turn, on one core.
`python -m benchmarks --only SECTION ...` in the same environment measures some sections; `--update` writes them.
`make bench-strength` measures the strength of the engine and the levels, `make bench-gpu` the environments on a GPU."""


def main(arguments: Sequence[str] | None = None, sections: Mapping[str, Section] = SECTIONS, docs: Path = DOCS) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections), help="some of the sections")
    parser.add_argument("--update", action="store_true", help="write the measured sections into the page that is there")
    options = parser.parse_args(arguments)
    chosen = options.only
    if not is_native():
        parser.error("the native core is missing; install a C++ compiler and start over with make clean")
    measured = [(section, measure(section)) for name, section in sections.items() if name in chosen]
    if options.update:
        update(docs / "benchmarks.md", measured)
        return
    if len(measured) < len(sections):
        print("Only some sections were measured, so docs/benchmarks.md is not written.", file=sys.stderr)
        return
    text = page("Benchmarks", ABOUT, machine(*PEERS), measured)
    (docs / "benchmarks.md").write_text(text, encoding="utf-8")
    print("Written to docs/benchmarks.md.", file=sys.stderr)


def update(page: Path, measured: Sequence[tuple[Section, Sequence[Row]]]) -> None:
    """Replace sections of the page, or add them at its end, with the day and the load of this run."""
    head, *parts = page.read_text(encoding="utf-8").rstrip().split("\n\n## ")
    by_title = {part.partition("\n")[0]: part for part in parts}
    for section, rows in measured:
        by_title[section.title] = section_text(section, rows).removeprefix("## ") + f"\n\n{measured_later()}"
    page.write_text("\n\n## ".join([head, *by_title.values()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
