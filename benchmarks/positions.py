"""Positions in a loop in Python: random games move by move, ours and OpenSpiel's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median

from benchmarks import openspiel
from benchmarks.report import Row, Section, a_second, times
from benchmarks.timing import speed
from ninefold.core.position import Position
from ninefold.envs.interop import OPENSPIEL
from ninefold.games import rule_sets
from ninefold.games.squared import Squared

ROUNDS = 9
GAMES = {"classic": 20_000, "swap-nine": 20_000, "squared": 4_000, "ultimate": 4_000}  # so many take half a second
TARGET = "at least 1.0"


def rows() -> Iterator[Row]:
    for game in rule_sets().values():
        yield from _compared(game.id, game.begin(), GAMES[game.id])
    ultimate = rule_sets()["ultimate"].begin()
    assert isinstance(ultimate, Squared)
    in_python = our_loop(Squared(*ultimate), GAMES["ultimate"] // 4)
    yield Row("ultimate without the native core", a_second(median(speed(in_python) for _ in range(ROUNDS))))


def _compared(game: str, start: Position, games: int) -> Iterator[Row]:
    ours = our_loop(start, games)
    loops = [ours]
    if name := OPENSPIEL.get(game):
        loops += [openspiel.position_loop(name, games), openspiel.kept_position_loop(name, games)]
    ours()  # the positions of a small game are met, as they are after a second of every program
    rounds = [[speed(loop) for loop in loops] for _ in range(ROUNDS)]
    mine, *theirs = (median(column) for column in zip(*rounds, strict=True))
    if not theirs:
        yield Row(game, a_second(mine))
    for what, speed_of_theirs in zip((game, f"{game}, theirs kept too"), theirs, strict=False):
        ratio = times(mine / speed_of_theirs, "many")
        yield Row(what, a_second(mine), a_second(speed_of_theirs), ratio, TARGET)


def our_loop(start: Position, games: int) -> Callable[[], int]:
    def run() -> int:
        rng = Random(1)
        moves = 0
        for _ in range(games):
            position = start
            while position.outcome is None:
                position = position.play(rng.choice(position.moves()))
                moves += 1
        return moves

    return run


SECTION = Section(
    "Positions in Python",
    "Moves of random games in a loop in Python that asks for the end, the legal moves and the next position, after a\n"
    'first round. Theirs is OpenSpiel\'s state, which an action changes, and in the rows with "kept" its child, which\n'
    f"leaves the state as it was, as our positions always do. Median of {ROUNDS}.",
    rows,
)
