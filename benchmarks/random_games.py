"""Random games of ultimate, played to their end."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks import openspiel
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.analysis import engine
from ninefold.games import find_game

ROUNDS = 5
TARGETS = {"scalar": "15 times", "avx512": "100 times"}
OURS, THEIRS = 500_000, 20_000  # so many take about a second


def rows() -> Iterator[Row]:
    kinds = ["scalar"] + (["avx512"] if "avx512" in engine.processor() else [])
    rounds = [(their_speed(), *map(our_speed, kinds)) for _ in range(ROUNDS)]
    theirs, *ours = (median(column) for column in zip(*rounds, strict=True))
    for kind, one in zip(kinds, ours, strict=True):
        yield Row(f"ultimate, {kind}", a_second(one), a_second(theirs), times(one / theirs, "many"), TARGETS[kind])


def our_speed(kind: str) -> float:
    start = find_game("ultimate").begin()

    def play() -> int:
        engine.playouts(start, OURS, seed=1, processor=kind)
        return OURS

    return speed(play)


def their_speed() -> float:
    return speed(lambda: openspiel.play_random_games(THEIRS))


SECTION = Section(
    "Random games",
    f"Whole games from the start, on one core; theirs is OpenSpiel, also in C++. Median of {ROUNDS}.",
    rows,
)
