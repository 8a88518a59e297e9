"""Openings of tournaments: short random beginnings, balanced in the big games; a fixed suite; or none."""

from __future__ import annotations

from random import Random

from ninefold.arena.opening_suite import suite_name, suite_openings
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.random_choice import pick

OPENING_PLIES = 4
MOST_TRIES = 1000  # for one more opening; then the game has no more
NODES = 20_000  # with which the engine judges an opening


def openings(
    game: Game, options: dict[str, str], count: int, seed: int, source: str = "random"
) -> list[tuple[int, ...]]:
    """This number of openings. Those of rules without a suite are random; ``start`` plays every game from its start."""
    if source == "start":
        return [()] * count
    if source == "suite" and (name := suite_name(game.begin(options))):
        return suite_openings(name, count, seed)
    return _random_openings(game, options, count, seed)


def _random_openings(game: Game, options: dict[str, str], count: int, seed: int) -> list[tuple[int, ...]]:
    """This number of openings, different as far as the game has so many. Unbalanced ones are left out."""
    found: dict[Position, tuple[int, ...]] = {}
    plies = OPENING_PLIES if not game.small else 1
    tries = 0
    for number in range(MOST_TRIES * count):
        rng = Random(f"{seed}/{number}")
        position = game.begin(options)
        moves: tuple[int, ...] = ()
        for _ in range(plies):
            move = pick(rng, position.moves())
            position, moves = position.play(move), (*moves, move)
        if position not in found and _is_balanced(game, position):
            found[position] = moves
            tries = 0
        tries += 1
        if len(found) == count or tries > MOST_TRIES:
            break
    distinct = list(found.values())
    return [distinct[number % len(distinct)] for number in range(count)]


def _is_balanced(game: Game, position: Position) -> bool:
    """True if neither side is a quarter of a line of boards ahead."""
    if game.small:
        return True
    from ninefold.analysis.engine import LINE_VALUE, Engine

    info = Engine(2**20).search(position, nodes=NODES)
    return abs(info.lines[0].score) <= LINE_VALUE // 4
