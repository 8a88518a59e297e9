"""A benchmark of the search, as chess engines have it: fixed positions, searched to fixed nodes with an empty table and
one thread. The signature of the results is the same on every machine, and changes when the search changes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from ninefold.analysis.engine import Engine, SearchInfo
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import find_game

NODES = 1_000_000  # for each position
MEMORY = 16 * 2**20


class BenchPosition(NamedTuple):
    """A position of the benchmark: a game, options of its rules, and the moves that lead there."""

    game: Game
    options: dict[str, str]
    moves: str

    def __str__(self) -> str:
        return " ".join([self.game.id, *(f"{name}={value}" for name, value in self.options.items())])

    @property
    def plies(self) -> int:
        return len(self.moves.split())

    def position(self) -> Position:
        position = self.game.begin(self.options)
        for word in self.moves.split():
            position = position.play(self.game.move_at(position, self.game.parse_move(word)))
        return position


_SQUARED = (
    "",
    "87",
    "92 23 31 12 29 96 64 48",
    "82 29 91 14 42 24 43 32 27 74 49 97 75 53 34 48 85 52",
    "62 27 79 92 28 86 61 19 97 78 83 33 34 44 41 16 63 32 24 42 29 94 49 93 37 75 52 21",
    "91 13 35 55 59 98 82 22 28 81 16 66 62 21 17 74 47 77 76 64 49 95 56 61 18 83 33 38 84 44 46 65 53 37",
)
_ULTIMATE = (
    "",
    "42",
    "39 93 37 75 51 12 25 57",
    "18 82 22 28 86 61 19 99 98 88 84 46 64 43 33 36 66 65",
    "57 71 15 53 34 48 87 76 64 44 49 97 78 86 69 93 36 62 24 46 63 37 74 42 25 51 18 89",
    "63 35 57 78 88 82 22 23 31 17 74 46 61 18 84 43 36 68 87 73 37 75 56 69 99 92 26 64 42 29 95 58 85 51 15 52",
)
_TIE_BREAK = (
    "99 94 42 26 62 27 73 32 22 28 87 74",
    "75 53 37 78 86 66 64 42 22 21 19 95 54 44 49 96 68 88 83 39 92 27 76 63",
    "31 15 55 53 37 71 18 84 48 82 26 67 76 64 49 98 86 66 68 88 89 97 72 22 29 92 24 44 47 75 56 65 59 93 32 21 19 91 "
    "17 73",
)


def bench_positions() -> list[BenchPosition]:
    squared, ultimate = find_game("squared"), find_game("ultimate")
    return [
        *(BenchPosition(squared, {}, moves) for moves in _SQUARED),
        *(BenchPosition(ultimate, {}, moves) for moves in _ULTIMATE),
        *(BenchPosition(ultimate, {"tie_break": "boards"}, moves) for moves in _TIE_BREAK),
    ]


class Timed(NamedTuple):
    """A search, and the time of the processor that it took."""

    info: SearchInfo
    cpu_seconds: float


def bench(positions: Iterable[BenchPosition], nodes: int = NODES) -> Iterator[Timed]:
    """Search one position after the other. The tables of the networks are made before the clock is started."""
    engine = Engine(MEMORY)

    def search(bench_position: BenchPosition) -> Timed:
        position = bench_position.position()
        engine.search(position, nodes=1)
        engine.clear()
        began = time.process_time()
        info = engine.search(position, nodes=nodes)
        return Timed(info, time.process_time() - began)

    return map(search, positions)


def signature(results: Iterable[SearchInfo]) -> str:
    """Eight hexadecimal digits that stand for all results but the time they took."""
    facts = [(info.depth, info.nodes, *map(tuple, info.lines)) for info in results]
    return sha256(repr(facts).encode()).hexdigest()[:8]
