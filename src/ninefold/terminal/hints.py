"""Hints: the exact value of every move in the small games, the search's choice in the big ones."""

from __future__ import annotations

from ninefold.core.grid import line_held
from ninefold.core.messages import text
from ninefold.core.position import Path
from ninefold.match.claims import Claim, judge
from ninefold.match.match import Match
from ninefold.match.narration import describe_checklist


def hint(match: Match, prefix: Path = ()) -> str:
    """What to do now; in the middle of a move, how to continue it."""
    game, position = match.game, match.position
    if match.state.pending:
        return f"{_answer(match, match.state.pending)}\n{describe_checklist(game, position)}"
    held = line_held(position.cells, position.turn) if match.setup.has_claims else None
    if held and position.turn not in match.state.barred:
        return text("hint.claim", cells="".join(game.naming.name(cell) for cell in held))
    from ninefold.analysis.evaluation import analyze, group_by_score

    found = analyze(game, position, claims=match.setup.has_claims)
    lines = [line for line in found.lines if game.paths[line.move][: len(prefix)] == prefix]
    rest = game.paths[lines[0].move][len(prefix) :]
    advice = game.naming.name(rest[0]) if rest else text("hint.decline")
    for cell in rest[1:]:
        advice = text("hint.then", first=advice, second=game.naming.name(cell))
    if not game.small:
        return text("hint.proven" if lines[0].proven else "hint.search", advice=advice, value=lines[0].score_text)
    groups = group_by_score(lines).items()
    values = "; ".join(f"{worth}: {' '.join(line.name for line in alike)}" for worth, alike in groups)
    return text("hint.exact", advice=advice, values=values)


def _answer(match: Match, claim: Claim) -> str:
    """How to answer a claim, and why."""
    cells = match.position.cells
    verdict = judge(cells, claim)
    return text("hint.confirm" if verdict.true else "hint.dispute", why=verdict.sentence(match.game.naming))
