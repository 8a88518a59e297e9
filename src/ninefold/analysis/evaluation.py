"""What the moves of a position are worth: exactly in the small games, by search in the big ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.core.solver import Value, values

if TYPE_CHECKING:
    from ninefold.analysis.engine import Thought

HINT_NODES = 500_000
SIMULATIONS = 1000  # where there is no native engine
ONE_LINE = 2000  # the engine's value of one line of boards more


class Line(NamedTuple):
    """One move: what it is called and what it is worth, in words; whether that is proven, and what would follow.

    ``points`` is what the side that makes it can hope for, from -1 (lost) to 1 (won)."""

    move: int
    name: str
    worth: str
    proven: bool
    value: Value | None = None  # exact
    score: int | None = None  # the engine's
    variation: tuple[str, ...] = ()
    points: float = 0.0


class Analysis(NamedTuple):
    lines: tuple[Line, ...]  # best first
    thought: Thought | None = None

    @property
    def exact(self) -> bool:
        return all(line.proven for line in self.lines)

    def for_x(self, position: Position) -> float:
        """What X can hope for in the position that was looked at, from -1 (lost) to 1 (won)."""
        if not self.lines:
            winner = position.outcome.winner if position.outcome else None
            return 0.0 if winner is None else 1.0 - 2.0 * winner
        best = max(line.points for line in self.lines)
        return best if position.turn is Side.X else 0.0 - best  # never -0.0


def by_worth(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """The moves of each worth, in the order in which they come."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.worth, []).append(line)
    return groups


class Search(NamedTuple):
    """How the engine looks at a position: limits (0 for none), how many moves are ranked, threads and memory."""

    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0
    lines: int = 5
    threads: int = 1
    memory: int = 64 * 2**20
    listener: Callable[[Thought], bool] | None = None


HINT = Search(nodes=HINT_NODES, lines=81)


def analyze(game: Game, position: Position, *, claims: bool = False, search: Search = HINT) -> Analysis:
    """The legal moves, best first. A position that cannot arise in play is refused."""
    if game.small:
        found = values(game, position, claims=claims)
        ranked = sorted(found.items(), key=lambda item: (tuple(-part for part in item[1].rank), item[0]))
        lines = (Line(move, game.name(move), str(value), True, value, points=value.sign) for move, value in ranked)
        return Analysis(tuple(lines))
    if game.impossible and (why := game.impossible(position)):
        raise NotAllowed("unreachable", f"This position cannot arise in play: {why}.", "Check its marks and the turn.")
    if not position.moves():
        return Analysis(())
    from ninefold.analysis import engine

    return _by_engine(game, position, search) if engine.plays(position) else _by_playouts(game, position)


def _by_engine(game: Game, position: Position, search: Search) -> Analysis:
    from ninefold.analysis.engine import Engine

    thought = Engine(search.memory, search.threads).think(
        position,
        seconds=search.seconds,
        nodes=search.nodes,
        depth=search.depth,
        lines=min(search.lines, len(position.moves())),
        listener=search.listener,
    )
    return told(game, thought)


def told(game: Game, thought: Thought) -> Analysis:
    """What the engine thinks, in the names of a game."""
    lines = (
        Line(
            line.move,
            game.name(line.move),
            line.worth,
            line.proven,
            score=line.value,
            variation=tuple(map(game.name, line.variation)),
            points=_points(line.value, line.proven),
        )
        for line in thought.lines
    )
    return Analysis(tuple(lines), thought)


def _points(value: int, proven: bool) -> float:
    return float((value > 0) - (value < 0)) if proven else math.tanh(value / ONE_LINE)


def _by_playouts(game: Game, position: Position) -> Analysis:
    from random import Random

    from ninefold.analysis.playouts import estimate

    estimates = estimate(position, SIMULATIONS, Random(0))
    lines = (
        Line(move, game.name(move), f"about {points:.0%} of the points", False, points=2 * points - 1)
        for move, points, _ in estimates
    )
    return Analysis(tuple(lines))
