"""Writes the suites of balanced openings of the arena. `make openings` runs it: about two minutes for all of them."""

from __future__ import annotations

import argparse
from random import Random

from ninefold.analysis.engine import LINE_VALUE, Engine
from ninefold.arena.opening_suite import FOLDER, SUITES, play_opening, symmetric_key
from ninefold.core.random_choice import pick
from ninefold.games import find_game

COUNT = 1000
PLIES = 6
NODES = 50_000  # of the search that judges an opening, with an empty table
MARGIN = LINE_VALUE // 40  # how far from 0 the value of an opening may be
HEAD = """\
# {count} openings of {plies} moves for {game}{options}, none symmetric to another. With {nodes} nodes
# the engine finds neither side more than a fortieth of a line of boards ahead.
# Made by: python -m scripts.openings {name}
"""


def make_suite(name: str, count: int = COUNT) -> str:
    """The text of a suite's file."""
    id, options = SUITES[name]
    game = find_game(id)
    start = game.begin(options)
    engine = Engine(2**20)
    rng = Random(f"openings/{name}")
    found: dict[str, tuple[int, ...]] = {}
    while len(found) < count:
        opening: tuple[int, ...] = ()
        position = start
        for _ in range(PLIES):
            move = pick(rng, position.moves())
            position, opening = position.play(move), (*opening, move)
        key = symmetric_key(start, opening)
        if key in found:
            continue
        engine.clear()
        best = engine.search(play_opening(start, opening), nodes=NODES).lines[0]
        if not best.proven and abs(best.score) <= MARGIN:
            found[key] = opening
    rules = "".join(f", {option}={value}" for option, value in options.items())
    head = HEAD.format(count=count, plies=PLIES, game=id, options=rules, nodes=NODES, name=name)
    return head + "".join(" ".join(map(game.name, opening)) + "\n" for opening in found.values())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.openings", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"by default all: {' '.join(SUITES)}")
    FOLDER.mkdir(exist_ok=True)
    for name in parser.parse_args().suites or SUITES:
        file = FOLDER / f"{name}.txt"
        file.write_text(make_suite(name), encoding="utf-8", newline="\n")
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
