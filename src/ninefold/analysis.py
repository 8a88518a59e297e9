"""What the moves of a position are worth: exactly in the small games, by search in the big ones."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ninefold.core import NotAllowed, Position
from ninefold.game import Game
from ninefold.solve import Value, values

SIMULATIONS = 1000


class Line(NamedTuple):
    """One move: what it is called, what it is worth in words, and the figures behind the words."""

    move: int
    name: str
    worth: str
    value: Value | None  # exact
    points: float | None  # estimated: 1 a win, 0 a loss


class Analysis(NamedTuple):
    exact: bool
    lines: tuple[Line, ...]  # best first


def analyze(
    game: Game, position: Position, *, claims: bool = False, simulations: int = SIMULATIONS, seed: int = 0
) -> Analysis:
    """The legal moves, best first. A position that cannot arise in play is refused."""
    if game.small:
        found = values(game, position, claims=claims)
        ranked = sorted(found.items(), key=lambda item: (tuple(-part for part in item[1].rank), item[0]))
        return Analysis(True, tuple(_exact(game, move, value) for move, value in ranked))
    from ninefold.players.search import estimate

    if game.impossible and (why := game.impossible(position)):
        raise NotAllowed("unreachable", f"This position cannot arise in play: {why}.", "Check its marks and the turn.")
    estimates = estimate(position, simulations, Random(seed))
    return Analysis(False, tuple(_estimated(game, move, points) for move, points, _ in estimates))


def _exact(game: Game, move: int, value: Value) -> Line:
    return Line(move, game.name(move), str(value), value, None)


def _estimated(game: Game, move: int, points: float) -> Line:
    return Line(move, game.name(move), f"about {points:.0%} of the points", None, points)
