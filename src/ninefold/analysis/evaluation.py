"""Evaluates the moves of a position: exactly in the small games, by search in the big ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ninefold.analysis.config import MEMORY_MIB, MIB, RANKED_MOVES, THREADS
from ninefold.core.data_frame import data_frame
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game, with_options
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.core.solver import Solution, Value, solution_from, values
from ninefold.games import find_game

if TYPE_CHECKING:
    from ninefold.analysis.engine import Listener, SearchInfo
    from ninefold.core.data_frame import DataFrame

__all__ = ["Analysis", "MoveEvaluation", "analyze", "solve"]

HINT_NODES = 500_000
REPR_LINES = 6  # the best moves that an analysis shows in Python


class MoveEvaluation(NamedTuple):
    """One move: its name, its score in words, whether that is proven, and the moves that are expected to follow.

    ``points`` is the expected result for the side that makes it, from -1 (lost) to 1 (won).

    >>> from ninefold import analyze
    >>> line = analyze("classic", "XX./OO./... X").lines[0]
    >>> line.move, line.name, line.score_text, line.proven, line.points
    (2, '3', 'win in 1', True, 1)
    """

    move: int
    name: str
    score_text: str
    proven: bool
    value: Value | None = None  # exact, where it is known
    score: int | None = None  # of the engine
    variation: tuple[str, ...] = ()
    points: float = 0.0

    def __repr__(self) -> str:
        return f"<MoveEvaluation {self.name}: {self.score_text}>"


class Analysis(NamedTuple):
    """The evaluated moves, best first; ``info`` tells of the search, if the engine searched.

    >>> from ninefold import analyze
    >>> analysis = analyze("classic", "XX./OO./... X")
    >>> analysis
    <Analysis: 3 win in 1, 6 draw, 7 loss in 2, 8 loss in 2, 9 loss in 2>
    >>> analysis.lines[0].move, analysis.lines[0].score_text, analysis.exact
    (2, 'win in 1', True)
    """

    lines: tuple[MoveEvaluation, ...]
    info: SearchInfo | None = None

    def __repr__(self) -> str:
        shown = [f"{line.name} {line.score_text}" for line in self.lines[:REPR_LINES]]
        more = [f"... {len(self.lines) - REPR_LINES} more"] if len(self.lines) > REPR_LINES else []
        return f"<Analysis: {', '.join([*shown, *more]) or 'no moves'}>"

    def to_pandas(self) -> DataFrame:
        """A row for each move, best first. It needs the extra ``pandas``.

        >>> from ninefold import analyze
        >>> analyze("classic", "XX./OO./... X").to_pandas()[["name", "score", "points", "plies"]].head(3)
          name      score  points  plies
        0    3   win in 1     1.0      1
        1    6       draw     0.0   <NA>
        2    7  loss in 2    -1.0      2
        """
        return data_frame(
            {
                "move": [line.move for line in self.lines],
                "name": [line.name for line in self.lines],
                "score": [line.score_text for line in self.lines],
                "points": [float(line.points) for line in self.lines],
                "proven": [line.proven for line in self.lines],
                "plies": [line.value.distance if line.value else None for line in self.lines],
                "variation": [" ".join(line.variation) for line in self.lines],
            },
            integers=("plies",),
        )

    @property
    def exact(self) -> bool:
        """True if the values of all moves are proven.

        >>> from ninefold import analyze
        >>> analyze("classic", "XX./OO./... X").exact
        True
        """
        return all(line.proven for line in self.lines)

    def for_x(self, position: Position) -> float:
        """The expected result for X in the analyzed position, from -1 (lost) to 1 (won).

        >>> from ninefold import analyze, find_game
        >>> position = find_game("classic").parse("XX./OO./..X O")
        >>> analyze("classic", position).for_x(position)
        -1.0
        """
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


def solve(game: Game | str, options: Mapping[str, str] | None = None, **more_options: str) -> Solution:
    """The exact values of all positions of a small game, with these options; computed once in a process.

    >>> solution = solve("swap-nine")
    >>> solution
    <Solution of 16,973 positions: win in 9>
    >>> from ninefold import find_game
    >>> str(solution.of(find_game("swap-nine").parse("XXX/OOX/XO. X")))
    'win in 1'
    """
    found = find_game(game)
    return solution_from(found, found.begin(with_options(options, **more_options)))


def analyze(game: Game | str, position: Position | str, *, claims: bool = False, search: Search = HINT) -> Analysis:
    """Evaluate the legal moves of a position, or of its text, best first. A position that cannot arise in play is
    refused. In a small game the values are exact, in a big one they are found by search.

    >>> analyze("classic", "XX./OO./... X")
    <Analysis: 3 win in 1, 6 draw, 7 loss in 2, 8 loss in 2, 9 loss in 2>
    >>> from ninefold import find_game
    >>> analyze("ultimate", find_game("ultimate").begin(), search=Search(nodes=2000, lines=81)).exact
    False
    """
    game = find_game(game)
    position = game.parse(position) if isinstance(position, str) else _checked(game, position)
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


def _checked(game: Game, position: Position) -> Position:
    start = game.begin()
    # Positions of the big games are of two classes, one of them derived from the other.
    is_of_game = isinstance(position, type(start)) or isinstance(start, type(position))
    if not (hasattr(position, "why_not") and is_of_game):
        raise TypeError(f"position must be a position of {game.id} or its text, not {position!r}.")
    return position


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
