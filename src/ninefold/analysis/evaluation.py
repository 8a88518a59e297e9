"""Evaluates the moves of a position: exactly in the small games, by search in the big ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ninefold.analysis.config import MEMORY_MIB, MIB, RANKED_MOVES, THREADS
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.core.solver import Value, values

if TYPE_CHECKING:
    from ninefold.analysis.engine import Listener, SearchInfo

HINT_NODES = 500_000


class MoveEvaluation(NamedTuple):
    """One move: its name, its score in words, whether that is proven, and the moves that are expected to follow.

    ``points`` is the expected result for the side that makes it, from -1 (lost) to 1 (won)."""

    move: int
    name: str
    score_text: str
    proven: bool
    value: Value | None = None  # exact, where it is known
    score: int | None = None  # of the engine
    variation: tuple[str, ...] = ()
    points: float = 0.0


class Analysis(NamedTuple):
    """The evaluated moves, best first; ``info`` tells of the search, if the engine searched."""

    lines: tuple[MoveEvaluation, ...]
    info: SearchInfo | None = None

    @property
    def exact(self) -> bool:
        return all(line.proven for line in self.lines)

    def for_x(self, position: Position) -> float:
        """The expected result for X in the analyzed position, from -1 (lost) to 1 (won)."""
        if not self.lines:
            winner = position.outcome.winner if position.outcome else None
            return 0.0 if winner is None else 1.0 - 2.0 * winner
        best = max(line.points for line in self.lines)
        return best if position.turn is Side.X else 0.0 - best  # never -0.0


def group_by_score(lines: Iterable[MoveEvaluation]) -> dict[str, list[MoveEvaluation]]:
    """The moves of each score, in their order."""
    groups: dict[str, list[MoveEvaluation]] = {}
    for line in lines:
        groups.setdefault(line.score_text, []).append(line)
    return groups


class Search(NamedTuple):
    """The settings of a search: limits (0 for none), the number of ranked moves, threads and memory of the engine.
    Without the engine, or with ``engine=False``, moves are estimated by ``simulations`` of Monte Carlo tree search."""

    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0
    lines: int = RANKED_MOVES
    threads: int = THREADS
    memory: int = MEMORY_MIB * MIB
    listener: Listener | None = None
    engine: bool = True
    simulations: int = 1000


HINT = Search(nodes=HINT_NODES, lines=81)


def analyze(game: Game, position: Position, *, claims: bool = False, search: Search = HINT) -> Analysis:
    """Evaluate the legal moves, best first. A position that cannot arise in play is refused."""
    if game.small:
        found = values(game, position, claims=claims)
        ranked = sorted(found.items(), key=lambda item: (tuple(-part for part in item[1].rank), item[0]))
        exact = (
            MoveEvaluation(move, game.name(move), str(value), True, value, points=value.sign) for move, value in ranked
        )
        return Analysis(tuple(exact))
    if game.impossible and (why := game.impossible(position)):
        raise NotAllowed("unreachable.because", why=why)
    if not position.moves():
        return Analysis(())
    from ninefold.analysis import engine

    use_engine = search.engine and engine.plays(position)
    return _by_engine(game, position, search) if use_engine else _by_simulations(game, position, search.simulations)


def _by_engine(game: Game, position: Position, search: Search) -> Analysis:
    from ninefold.analysis.engine import Engine

    info = Engine(search.memory, search.threads).search(
        position,
        seconds=search.seconds,
        nodes=search.nodes,
        depth=search.depth,
        lines=min(search.lines, len(position.moves())),
        listener=search.listener,
    )
    return analysis_of(game, info)


def analysis_of(game: Game, info: SearchInfo) -> Analysis:
    """The result of a search, with the names of a game's moves."""
    lines = (
        MoveEvaluation(
            line.move,
            game.name(line.move),
            line.score_text,
            line.proven,
            score=line.score,
            variation=tuple(map(game.name, line.pv)),
            points=line.expectation,
        )
        for line in info.lines
    )
    return Analysis(tuple(lines), info)


def _by_simulations(game: Game, position: Position, simulations: int) -> Analysis:
    from random import Random

    from ninefold.analysis.playouts import estimate

    lines = (
        MoveEvaluation(
            move, game.name(move), text("score.estimate", share=f"{points:.0%}"), False, points=2 * points - 1
        )
        for move, points, _ in estimate(position, simulations, Random(0))
    )
    return Analysis(tuple(lines))
