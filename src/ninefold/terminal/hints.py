"""What h says: the exact value of every move in the small games, the search's opinion in the big ones."""

from __future__ import annotations

from ninefold.match import Match
from ninefold.terminal.story import tell_checklist


def hint(match: Match) -> str:
    from ninefold.analysis import analyze

    if match.state.pending:
        return tell_checklist(match.game, match.position)
    found = analyze(match.game, match.position, seed=len(match.state.moves))
    if not found.exact:
        best = found.best[0]
        return f"Hint: {best.name} ({best.worth}, by search)."
    groups: dict[str, list[str]] = {}
    for line in found.lines:
        groups.setdefault(line.worth, []).append(line.name)
    values = "; ".join(f"{worth}: {' '.join(names)}" for worth, names in groups.items())
    return f"Hint: {found.lines[0].name}. The moves with perfect play: {values}."
