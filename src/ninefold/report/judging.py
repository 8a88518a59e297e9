"""Mistakes against perfect play: exact in the small games, by the engine within a stated limit in the big ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ninefold.core import Position
from ninefold.solve import values
from ninefold.state import Setup

if TYPE_CHECKING:
    from ninefold.engine import Line

NODES = 100_000  # that the engine looks at before and after a move
MISTAKE = 0.1  # what a mistake costs by the engine, where a loss is -1, a draw 0 and a win +1
ONE_LINE = 2000  # the engine's value of one line of boards more
_MEMORY = 2**20


def judge_of(setup: Setup, nodes: int = NODES) -> str:
    """By what the moves of a match are judged, in words; empty where nobody can."""
    if setup.game.small:
        return "exact values"
    from ninefold import engine

    return f"the engine at {nodes:,} positions a move" if engine.plays(setup.start) else ""


def is_mistake(setup: Setup, position: Position, move: int, nodes: int = NODES) -> bool:
    """Whether a move gave away what its side had: a win, or a draw."""
    if setup.game.small:
        found = values(setup.game, position, claims=setup.has_claims)
        return found[move].sign < max(value.sign for value in found.values())
    return _expected(position, nodes) - _after(position, move, nodes) >= MISTAKE


def _after(position: Position, move: int, nodes: int) -> float:
    """What a move is worth to the side that makes it."""
    after = position.play(move)
    if after.outcome is None:
        return -_expected(after, nodes)
    winner = after.outcome.winner
    return 0.0 if winner is None else 1.0 if winner is position.turn else -1.0


def _expected(position: Position, nodes: int) -> float:
    """What a position is worth to the side to move. A new engine each time: the same judgement on every machine."""
    from ninefold.engine import Engine

    return _points(Engine(_MEMORY).think(position, nodes=nodes).lines[0])


def _points(line: Line) -> float:
    if line.proven:
        return float((line.value > 0) - (line.value < 0))
    return math.tanh(line.value / ONE_LINE)
