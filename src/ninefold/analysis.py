"""What the moves of a position are worth: exactly in the small games, by search in the big ones."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ninefold.core import NotAllowed, Position
from ninefold.game import Game
from ninefold.solve import Value, ranked, solution_of

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

    @property
    def best(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.worth == self.lines[0].worth) if self.exact else self.lines[:1]


def analyze(game: Game, position: Position, *, simulations: int = SIMULATIONS, seed: int = 0) -> Analysis:
    """The legal moves, best first. A position that cannot arise in play is refused."""
    if game.small:
        solution = solution_of(game, game.start_of(position))
        state = solution.table.state(position)
        return Analysis(True, tuple(_exact(game, move, value) for move, value in ranked(solution, state)))
    from ninefold.players.search import estimate

    if game.impossible and (why := game.impossible(position)):
        raise NotAllowed("unreachable", f"This position cannot arise in play: {why}.")
    found = estimate(position, simulations, Random(seed))
    return Analysis(False, tuple(_estimated(game, move, points) for move, points, _ in found))


def _exact(game: Game, move: int, value: Value) -> Line:
    return Line(move, game.name(move), str(value), value, None)


def _estimated(game: Game, move: int, points: float) -> Line:
    return Line(move, game.name(move), f"about {points:.0%} of the points", None, points)
