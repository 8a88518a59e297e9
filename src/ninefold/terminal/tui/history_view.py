"""A match as it is looked at: at one of its positions, with its cells called as the player likes it."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.core.grid import NUMPAD
from ninefold.core.position import Path, Position
from ninefold.match.match import Match
from ninefold.match.state import State


class Seen(NamedTuple):
    """``ply`` is how many moves have been made where it is looked at. ``match`` speaks in the chosen names."""

    match: Match
    positions: tuple[Position, ...]
    ply: int

    @property
    def position(self) -> Position:
        return self.positions[self.ply]

    @property
    def is_latest(self) -> bool:
        return self.ply == len(self.positions) - 1

    @property
    def last(self) -> frozenset[int]:
        """The squares that the last move changed."""
        if not self.ply:
            return frozenset()
        game, move = self.match.game, self.match.state.moves[self.ply - 1]
        return frozenset(game.effects(self.positions[self.ply - 1], move).cells)

    @property
    def lines(self) -> tuple[Path, ...]:
        """The lines that decided the game."""
        result = self.match.result if self.is_latest else None
        outcome = result.outcome if result else self.position.outcome
        return outcome.lines if outcome else ()


def look_at(match: Match, ply: int | None, *, numpad: bool = False) -> Seen:
    """A match at one of its positions; None is the latest."""
    positions: list[Position] = []
    state: State | None = match.state
    while state:
        positions.append(state.position)
        state = state.previous
    latest = len(positions) - 1
    game = match.game._replace(naming=NUMPAD) if numpad else match.game
    named = match._replace(setup=match.setup._replace(game=game))
    return Seen(named, tuple(reversed(positions)), latest if ply is None else min(ply, latest))
