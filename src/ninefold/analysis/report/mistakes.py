"""Mistakes against perfect play: exact in the small games, by the engine within a stated limit in the big ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ninefold.core.position import Position
from ninefold.core.solver import values
from ninefold.match.state import Setup

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine, Line

NODES = 100_000  # that the engine looks at before and after a move
MISTAKE = 0.1  # what a mistake costs by the engine, where a loss is -1, a draw 0 and a win +1
ONE_LINE = 2000  # the engine's value of one line of boards more
_MEMORY = 2**20


class Judge:
    """Judges the moves of one match. The same judgement on every machine: nothing is remembered between two moves."""

    def __init__(self, setup: Setup, nodes: int = NODES) -> None:
        self._setup, self._nodes = setup, nodes
        self._engine = None if setup.game.small else _engine_for(setup.start)

    @property
    def words(self) -> str:
        """By what moves are judged; empty where nobody can."""
        if self._setup.game.small:
            return "exact values"
        return f"the engine at {self._nodes:,} positions a move" if self._engine else ""

    def is_mistake(self, position: Position, move: int) -> bool:
        """Whether a move gave away what its side had: a win, or a draw."""
        if self._setup.game.small:
            found = values(self._setup.game, position, claims=self._setup.has_claims)
            return found[move].sign < max(value.sign for value in found.values())
        return self._expected(position) - self._after(position, move) >= MISTAKE

    def _after(self, position: Position, move: int) -> float:
        """What a move is worth to the side that makes it."""
        after = position.play(move)
        if after.outcome is None:
            return -self._expected(after)
        winner = after.outcome.winner
        return 0.0 if winner is None else 1.0 if winner is position.turn else -1.0

    def _expected(self, position: Position) -> float:
        """What a position is worth to the side to move."""
        if self._engine is None:
            return 0.0
        self._engine.forget()
        return _points(self._engine.think(position, nodes=self._nodes).lines[0])


def _engine_for(position: Position) -> Engine | None:
    from ninefold.analysis import engine

    return engine.Engine(_MEMORY) if engine.plays(position) else None


def _points(line: Line) -> float:
    if line.proven:
        return float((line.value > 0) - (line.value < 0))
    return math.tanh(line.value / ONE_LINE)
