"""Plays the matches of the programme and writes docs/strength.md; it goes on where it was interrupted.

python -m benchmarks.strength [--only NAME ...] [--minutes 30] [--workers 2] [--results FOLDER] [--page | --check]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.report import DOCS
from benchmarks.strength.check import check_journal
from benchmarks.strength.journals import FOLDER, engine_signature
from benchmarks.strength.page import page
from benchmarks.strength.play import Deadline, OutOfTime, measure_speed, play_match, prove_endgames
from benchmarks.strength.programme import MATCHES
from ninefold.core.exit_codes import INTERRUPTED

MEASUREMENTS: dict[str, Callable[[Path, str, Deadline], None]] = {"speed": measure_speed, "endgames": prove_endgames}
NAMES = (*MATCHES, *MEASUREMENTS)


def main(arguments: Sequence[str] | None = None, docs: Path = DOCS) -> int:
    given = _parser().parse_args(arguments)
    given.results.mkdir(parents=True, exist_ok=True)
    if given.check:
        return check(given.results, given.only)
    ends_with = 0
    if not given.page:
        try:
            play(given.results, given.only, Deadline(given.minutes), given.workers)
        except OutOfTime:
            print("The time is over. The same command goes on.", file=sys.stderr)
        except KeyboardInterrupt:
            print("\nInterrupted. The same command goes on.", file=sys.stderr)
            ends_with = INTERRUPTED
    (docs / "strength.md").write_text(page(given.results), encoding="utf-8")
    print(f"Written to {docs / 'strength.md'}.", file=sys.stderr)
    return ends_with


def play(folder: Path, names: Sequence[str], deadline: Deadline, workers: int) -> None:
    """Play what is missing, in the order of the programme, at the lowest priority: the clocks count CPU time alone."""
    if hasattr(os, "nice"):
        os.nice(19)
    print("Computing the signature of the engine ...", file=sys.stderr, flush=True)
    engine = engine_signature()
    print(f"The engine is {engine}.", file=sys.stderr, flush=True)
    for name in sorted(names, key=NAMES.index):
        if name in MEASUREMENTS:
            MEASUREMENTS[name](folder, engine, deadline)
        else:
            play_match(folder, MATCHES[name], engine, deadline, workers)


def check(folder: Path, names: Sequence[str]) -> int:
    """Say of every journal how many games are right, and of the others what is wrong; 1 if there are such."""
    faults = 0
    for name in names:
        if name not in MATCHES:
            continue
        checked = list(check_journal(folder, MATCHES[name], proves=True))
        wrong = [(game.number, why) for game, why in checked if why]
        print(f"{name}: {len(checked) - len(wrong)} of {len(checked)} games are right", flush=True)
        for number, why in wrong:
            print(f"  game {number}: {why}")
        faults += len(wrong)
    return int(faults > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description=(__doc__ or "").split("\n")[0], allow_abbrev=False
    )
    listed = ", ".join(NAMES)
    parser.add_argument(
        "--only", nargs="+", choices=NAMES, default=list(NAMES), metavar="NAME", help=f"some of: {listed}"
    )
    parser.add_argument("--minutes", type=_minutes, help="begin no game after this time (default: play all)")
    parser.add_argument("--workers", type=_workers, default=1, help="games at a time (default 1)")
    parser.add_argument(
        "--results", type=Path, default=FOLDER, metavar="FOLDER", help="of the journals (default benchmarks/results)"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--page", action="store_true", help="write the page from the journals, and play nothing")
    instead.add_argument("--check", action="store_true", help="replay the games of the journals, and play nothing")
    return parser


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes < 1e6:
        raise ValueError(text)
    return minutes


def _workers(text: str) -> int:
    workers = int(text)
    if not 1 <= workers <= 1024:
        raise ValueError(text)
    return workers


if __name__ == "__main__":
    sys.exit(main())
