"""The fixed suites of balanced openings: a file for each rule set of the big games, made by ``make openings``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from ninefold.core.grid import SYMMETRIES
from ninefold.core.position import Position
from ninefold.games import find_game

FOLDER = Path(__file__).parent / "suites"
# The rule sets with a suite: the name of the file, the game, and its options. Who starts does not matter.
SUITES: dict[str, tuple[str, dict[str, str]]] = {
    "ultimate": ("ultimate", {}),
    "ultimate-boards": ("ultimate", {"tie_break": "boards"}),
    "squared": ("squared", {}),
    "squared-boards": ("squared", {"tie_break": "boards"}),
}


def image(opening: Sequence[int], number: int) -> tuple[int, ...]:
    """The opening as one of the eight symmetries shows it: boards and cells are turned alike."""
    goes = SYMMETRIES[number]
    return tuple(goes[move // 9] * 9 + goes[move % 9] for move in opening)


def play_opening(start: Position, opening: Sequence[int]) -> Position:
    for move in opening:
        start = start.play(move)
    return start


def symmetric_key(start: Position, opening: Sequence[int]) -> str:
    """The same for all openings that lead to one position, or to a symmetric one."""
    return min(str(play_opening(start, image(opening, number))) for number in range(len(SYMMETRIES)))


def suite_name(start: Position) -> str:
    """The suite for the rules of a position; empty if there is none."""
    for name, (game, options) in SUITES.items():
        rules = find_game(game).begin(options).options
        if rules | {"first": ""} == start.options | {"first": ""}:
            return name
    return ""


def read_suite(name: str) -> list[tuple[int, ...]]:
    """The openings of a suite, in the order of its file."""
    game = find_game(SUITES[name][0])
    moves = {game.name(move): move for move in range(len(game.paths))}
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(moves[word] for word in line.split()) for line in lines if not line.startswith("#")]


def suite_openings(name: str, count: int, seed: int) -> list[tuple[int, ...]]:
    """This number of openings of a suite, in an order that depends on the seed. After all of them come their symmetric
    images, and after all images the first again."""
    rng = Random(seed)
    book = sorted((rng.random(), opening) for opening in read_suite(name))
    return [image(book[number % len(book)][1], number // len(book) % len(SYMMETRIES)) for number in range(count)]
