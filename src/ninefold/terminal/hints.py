"""What h says: the exact value of every move in the small games, the search's opinion in the big ones."""

from __future__ import annotations

from ninefold.core.grid import line_held
from ninefold.core.position import Path
from ninefold.match.claims import Claim, judge
from ninefold.match.match import Match
from ninefold.match.narration import describe_checklist


def hint(match: Match, prefix: Path = ()) -> str:
    """What to do now; in the middle of a move, how to go on with it."""
    game, position = match.game, match.position
    if match.state.pending:
        return f"{_answer(match, match.state.pending)}\n{describe_checklist(game, position)}"
    held = line_held(position.cells, position.turn) if match.setup.has_claims else None
    if held and position.turn not in match.state.barred:
        return f"Hint: claim {''.join(game.naming.name(cell) for cell in held)}"
    from ninefold.analysis.evaluation import analyze, group_by_score

    found = analyze(game, position, claims=match.setup.has_claims)
    lines = [line for line in found.lines if game.paths[line.move][: len(prefix)] == prefix]
    typed = ", then ".join(game.naming.name(cell) for cell in game.paths[lines[0].move][len(prefix) :])
    if not game.small:
        score = f"{lines[0].score_text}{', proven' if lines[0].proven else ', by search'}"
        return f"Hint: {typed or 'keep it as it is'} ({score})."
    groups = group_by_score(lines).items()
    values = "; ".join(f"{worth}: {' '.join(line.name for line in alike)}" for worth, alike in groups)
    return f"Hint: {typed or 'keep it as it is'}. The moves with perfect play: {values}."


def _answer(match: Match, claim: Claim) -> str:
    """What to say to a claim, and why."""
    cells = match.position.cells
    verdict = judge(cells, claim)
    return f"Hint: {'confirm' if verdict.true else 'dispute'}. {verdict.sentence(match.game.naming, cells)}"
