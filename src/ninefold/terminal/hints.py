"""Hints: the exact value of every move in the small games, the search's choice in the big ones.

Of moves that are worth the same, the most instructive is chosen: first one that takes a cell on which the opponent
could win, then the one after which the mover could win on the most cells, then a cell on more lines (centre, corner,
edge), then the move with fewer choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.grid import LINES, completed_line
from ninefold.core.messages import text
from ninefold.core.position import Path
from ninefold.match.claims import Claim, judge
from ninefold.match.match import Match
from ninefold.match.narration import describe_checklist

if TYPE_CHECKING:
    from ninefold.analysis.evaluation import MoveEvaluation


class Hint(NamedTuple):
    """What to do now, in words; and the move as a path, or the cells of a claim, to be marked on a board."""

    sentence: str
    path: Path = ()
    claim: Path = ()


def hint(match: Match, prefix: Path = ()) -> str:
    """What to do now, in words; in the middle of a move, how to continue it."""
    return find_hint(match, prefix).sentence


def find_hint(match: Match, prefix: Path = ()) -> Hint:
    """What to do now; in the middle of a move, how to continue it."""
    game, position = match.game, match.position
    if match.state.pending:
        return Hint(f"{_answer(match, match.state.pending)}\n{describe_checklist(game, position)}")
    held = completed_line(position.cells, position.turn) if match.setup.has_claims else None
    if held and position.turn not in match.state.barred:
        return Hint(text("hint.claim", cells="".join(game.naming.name(cell) for cell in held)), claim=tuple(held))
    from ninefold.analysis.evaluation import analyze, group_by_score

    found = analyze(game, position, claims=match.setup.has_claims)
    lines = [line for line in found.lines if game.paths[line.move][: len(prefix)] == prefix]
    best = _best(match, lines)
    path = game.paths[best.move]
    rest = path[len(prefix) :]
    advice = game.naming.name(rest[0]) if rest else text("hint.decline")
    for cell in rest[1:]:
        advice = text("hint.then", first=advice, second=game.naming.name(cell))
    if not game.small:
        sentence = text("hint.proven" if best.proven else "hint.search", advice=advice, value=best.score_text)
        return Hint(sentence, path)
    groups = group_by_score(lines).items()
    values = "; ".join(f"{worth}: {' '.join(line.name for line in alike)}" for worth, alike in groups)
    return Hint(text("hint.exact", advice=advice, values=values), path)


def _worth(line: MoveEvaluation) -> object:
    """Equal for moves that are worth the same: exactly, by the engine's score, or by the share of random games."""
    return line.proven, line.value or line.score, line.points


def _best(match: Match, lines: Sequence[MoveEvaluation]) -> MoveEvaluation:
    """The most instructive of the best moves. The lines are sorted, the best first."""
    return most_instructive(match, [line for line in lines if _worth(line) == _worth(lines[0])])


def most_instructive(match: Match, lines: Sequence[MoveEvaluation]) -> MoveEvaluation:
    """One of several moves that are worth the same; the first of those that teach the same."""
    if len(lines) == 1:
        return lines[0]
    from ninefold.analysis.threats import threats

    game, position, claims = match.game, match.position, match.setup.has_claims
    mover = position.turn
    theirs = {cell for cell, sides in threats(game, position, claims=claims).items() if mover.other.name in sides}

    def lesson(line: MoveEvaluation) -> tuple[bool, int, int, int]:
        after, path = position.play(line.move), game.paths[line.move]
        blocks = not theirs.isdisjoint(game.effects(position, line.move).cells)
        found = threats(game, after, claims=claims).values() if after.moves() else ()
        mine = sum(mover.name in sides for sides in found)
        cell = path[1] if game.picture.boards else path[0]
        return blocks, mine, sum(cell in one for one in LINES), -len(path)

    return max(lines, key=lesson)


def _answer(match: Match, claim: Claim) -> str:
    """How to answer a claim, and why."""
    cells = match.position.cells
    verdict = judge(cells, claim)
    return text("hint.confirm" if verdict.true else "hint.dispute", why=verdict.sentence(match.game.naming))


def rate_move(match: Match, move: int) -> str:
    """What a move was worth in a small game, and a better one if there was one."""
    from ninefold.analysis.evaluation import analyze

    lines = analyze(match.game, match.position, claims=match.setup.has_claims).lines
    best, played = _best(match, lines), next(line for line in lines if line.move == move)
    if played.score_text == best.score_text:
        return text("review.best", value=played.score_text)
    return text("review.better", value=played.score_text, move=best.name, best=best.score_text)
