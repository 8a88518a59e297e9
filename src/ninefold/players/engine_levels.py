"""Levels of the big games with the engine: limited by nodes, so that a seed repeats a game on every machine."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ninefold.analysis.engine import Engine
from ninefold.core.position import Position
from ninefold.match.match import Match
from ninefold.players.player import Chooser, ShouldContinue

MEMORY = 16 * 2**20


class Strength(NamedTuple):
    """A level: the nodes to search, the number of moves to rank, and the largest random error of a score."""

    nodes: int
    lines: int
    noise: int


LEVELS = {
    "easy": Strength(500, 81, 2500),
    "medium": Strength(3_000, 81, 250),
    "hard": Strength(60_000, 8, 40),
    "expert": Strength(10_000_000, 1, 0),
}


def level(name: str, should_continue: ShouldContinue | None = None) -> Chooser:
    strength = LEVELS[name]

    def choose(match: Match, rng: Random) -> int:
        return _choose(match.position, strength, rng, should_continue)

    return choose


def _choose(position: Position, strength: Strength, rng: Random, should_continue: ShouldContinue | None) -> int:
    listener = None if should_continue is None else lambda _: should_continue()
    # Every move has a new engine: its table must not depend on the moves before.
    info = Engine(MEMORY).search(position, nodes=strength.nodes, lines=strength.lines, listener=listener)
    if not info.lines:  # stopped by should_continue
        return position.moves()[0]
    noisy = [(line.score + strength.noise * (2 * rng.random() - 1), line.move) for line in info.lines]
    return max(noisy)[1]
