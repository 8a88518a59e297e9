"""What h says: the exact value of every move in the small games, the search's opinion in the big ones."""

from __future__ import annotations

from ninefold.claims import claimable, line_held
from ninefold.core import Path
from ninefold.match import Match
from ninefold.terminal.story import tell_checklist


def hint(match: Match, prefix: Path = ()) -> str:
    """What to do now; in the middle of a move, how to go on with it."""
    game, position = match.game, match.position
    if match.state.pending:
        return tell_checklist(game, position)
    if match.setup.option("claims") == "yes" and (claim := _claim_hint(match)):
        return claim
    from ninefold.analysis import analyze

    found = analyze(game, position, seed=len(match.state.moves))
    lines = [line for line in found.lines if game.paths[line.move][: len(prefix)] == prefix]
    if not found.exact:
        return f"Hint: {lines[0].name} ({lines[0].worth}, by search)."
    groups: dict[str, list[str]] = {}
    for line in lines:
        groups.setdefault(line.worth, []).append(line.name)
    values = "; ".join(f"{worth}: {' '.join(names)}" for worth, names in groups.items())
    return f"Hint: {lines[0].name}. The moves with perfect play: {values}."


def _claim_hint(match: Match) -> str:
    """The table knows nothing of claims: the first true claim wins, whatever it says of an older line."""
    position, naming = match.position, match.game.naming
    line = line_held(position.cells, position.turn)
    if line and position.turn not in match.state.barred:
        return f"Hint: claim {''.join(naming.name(cell) for cell in line)}"
    winning = claimable(position)
    return f"Hint: {match.game.name(winning[0])}, and claim the line." if winning else ""
