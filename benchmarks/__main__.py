"""Runs the sections, prints each figure as it is known, and writes docs/benchmarks.md.

python -m benchmarks [--only SECTION ...]
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import endgames, random_games, search_speed, solving, startup
from benchmarks.report import DOCS, Row, Section, page
from ninefold.engine import is_native

SECTIONS = {
    "startup": startup.SECTION,
    "solving": solving.SECTION,
    "random-games": random_games.SECTION,
    "search": search_speed.SECTION,
    "endgames": endgames.SECTION,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="some of the sections")
    chosen = parser.parse_args().only
    if not is_native():
        parser.error("the native core is missing; install a C++ compiler and begin anew with make clean")
    print(Row("", "ours", "theirs", "ratio", "target"))
    measured = [(section, measure(section)) for name, section in SECTIONS.items() if name in chosen]
    if len(measured) < len(SECTIONS):
        print("Only some sections were run, so docs/benchmarks.md is left as it was.", file=sys.stderr)
        return
    (DOCS / "benchmarks.md").write_text(page(measured), encoding="utf-8")
    print("Written to docs/benchmarks.md.", file=sys.stderr)


def measure(section: Section) -> list[Row]:
    print(f"{section.title} ...", file=sys.stderr, flush=True)
    rows = []
    for row in section.rows():
        print(row, flush=True)
        rows.append(row)
    return rows


if __name__ == "__main__":
    main()
