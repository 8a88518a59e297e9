"""Mistakes against perfect play: exact in the small games, by the engine with a node limit in the big ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.analysis.config import MIB, REPORT_NODES
from ninefold.core.messages import Message, message
from ninefold.core.position import Position
from ninefold.core.solver import values
from ninefold.match.state import Setup

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine

MISTAKE = 0.1  # the loss of expectation, from -1 (lost) to 1 (won), that makes a move a mistake
_MEMORY = MIB


class Judge:
    """Judges the moves of one match. It is the same on every machine: the engine's table is empty for every move."""

    def __init__(self, setup: Setup, nodes: int = REPORT_NODES) -> None:
        self._setup, self._nodes = setup, nodes
        self._engine = None if setup.game.small else _engine_for(setup.start)

    @property
    def name(self) -> str:
        """The name of what judges the moves; empty if nothing can."""
        return "" if self.message is None else str(self.message)

    @property
    def message(self) -> Message | None:
        if self._setup.game.small:
            return Message("judge.exact")
        return message("judge.engine", nodes=self._nodes) if self._engine else None

    def is_mistake(self, position: Position, move: int) -> bool:
        """True if a move gave away a win or a draw."""
        if self._setup.game.small:
            found = values(self._setup.game, position, claims=self._setup.has_claims)
            return found[move].sign < max(value.sign for value in found.values())
        return self._expectation(position) - self._expectation_after(position, move) >= MISTAKE

    def _expectation_after(self, position: Position, move: int) -> float:
        """The expected result of a move for the side that makes it."""
        after = position.play(move)
        if after.outcome is None:
            return -self._expectation(after)
        winner = after.outcome.winner
        return 0.0 if winner is None else 1.0 if winner is position.turn else -1.0

    def _expectation(self, position: Position) -> float:
        """The expected result for the side to move."""
        if self._engine is None:
            return 0.0
        self._engine.clear()
        return self._engine.search(position, nodes=self._nodes).lines[0].expectation


def _engine_for(position: Position) -> Engine | None:
    from ninefold.analysis import engine

    return engine.Engine(_MEMORY) if engine.plays(position) else None
