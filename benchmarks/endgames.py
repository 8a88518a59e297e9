"""How many cells may still be free when the engine proves the value of nearly every position within a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.report import Row, Section
from ninefold.analysis.engine import Engine
from ninefold.core.grid import FREE
from ninefold.core.position import Position
from ninefold.core.random_choice import pick
from ninefold.games import find_game
from ninefold.games.squared import Squared

POSITIONS = 100
UNPROVEN = 5  # so many of them may be left, for 95%
SECONDS = 1.0
MEMORY = 256 * 2**20  # bytes of the table
EASY, STEP = 16, 4  # with so few free cells everything is proven; from there it goes up

Proves = Callable[[str, int, int], bool]  # whether the position of a game with so many cells and this number is proven


def rows() -> Iterator[Row]:
    engine = Engine(MEMORY)

    def proves(game: str, cells: int, number: int) -> bool:
        engine.clear()
        return engine.search(late_position(game, cells, number), seconds=SECONDS).lines[0].proven

    for game in ("ultimate", "squared"):
        yield Row(f"{game}, 95% proven", f"{most_cells(game, proves)} free cells")


def most_cells(game: str, proves: Proves) -> int:
    """In big steps until it is too much, and then in small ones; no count is tried twice."""
    cells = EASY
    while nearly_all_proven(game, cells + STEP, proves):
        cells += STEP
    for more in range(cells + 1, cells + STEP):
        if not nearly_all_proven(game, more, proves):
            return more - 1
    return cells + STEP - 1


def nearly_all_proven(game: str, cells: int, proves: Proves) -> bool:
    proven = unproven = 0
    while proven + unproven < POSITIONS and unproven <= UNPROVEN:
        is_proven = proves(game, cells, proven + unproven)
        proven, unproven = proven + is_proven, unproven + (not is_proven)
    print(f"  {game}, {cells} free cells: {proven} of {proven + unproven} proven", file=sys.stderr, flush=True)
    return unproven <= UNPROVEN


def late_position(game: str, cells: int, number: int) -> Position:
    """From a random game, at the moment when so many cells of live boards are free; many games never have that many."""
    rng = Random(f"{game}/{cells}/{number}")
    while True:
        position = find_game(game).begin()
        while position.moves():
            if _free_cells(position) == cells:
                return position
            position = position.play(pick(rng, position.moves()))


def _free_cells(position: Position) -> int:
    assert isinstance(position, Squared)
    return sum(9 - (position.x[board] | position.o[board]).bit_count() for board in FREE[position.dead])


SECTION = Section(
    "Endgames",
    f"The most free cells on live boards with which at least {POSITIONS - UNPROVEN} of {POSITIONS} random positions\n"
    f"are proven within {SECONDS:g} second each, by one thread with 256 MiB.",
    rows,
)
