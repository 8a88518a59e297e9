"""Levels of the big games on the native engine: limited by nodes, so that a seed repeats a game on every machine."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ninefold.analysis.engine import Engine
from ninefold.core.position import Position
from ninefold.match.match import Match
from ninefold.players.player import Chooser, IsWanted

MEMORY = 16 * 2**20


class Strength(NamedTuple):
    """How many nodes are searched, how many moves are compared, and how far a value may be misjudged."""

    nodes: int
    lines: int
    blur: int


LEVELS = {
    "easy": Strength(500, 81, 2500),
    "medium": Strength(3_000, 81, 250),
    "hard": Strength(60_000, 8, 40),
    "expert": Strength(15_000_000, 1, 0),
}


def level(name: str, is_wanted: IsWanted | None = None) -> Chooser:
    strength = LEVELS[name]

    def choose(match: Match, rng: Random) -> int:
        return _choose(match.position, strength, rng, is_wanted)

    return choose


def _choose(position: Position, strength: Strength, rng: Random, is_wanted: IsWanted | None) -> int:
    listener = None if is_wanted is None else lambda _: is_wanted()
    # An engine of its own for every move: what it remembers must not depend on what it has played before.
    thought = Engine(MEMORY).think(position, nodes=strength.nodes, lines=strength.lines, listener=listener)
    if not thought.lines:  # nobody wanted to know
        return position.moves()[0]
    blurred = [(line.value + strength.blur * (2 * rng.random() - 1), line.move) for line in thought.lines]
    return max(blurred)[1]
