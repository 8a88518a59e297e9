"""What must be said about runs and ratings, so that nobody reads more from a leaderboard than there is."""

from __future__ import annotations

from collections.abc import Iterator

from ninefold.agents.leaderboard.runs import Run
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.core.messages import text


def run_notes(run: Run, folder: object) -> Iterator[str]:
    """Sentences on the matches of a run that do not count, or are not played yet. ``folder`` is how it is named."""
    if run.missing:
        yield text("leaderboard.unfinished", folder=folder, missing=run.missing, planned=run.planned)
    if run.crashed:
        yield text("leaderboard.crashed", folder=folder, count=run.crashed)
    if run.void:
        yield text("leaderboard.void", folder=folder, count=run.void)


def board_notes(board: Leaderboard) -> list[str]:
    """Sentences on groups that cannot be compared, and on agents whose pairs all have the same score."""
    notes = []
    if len(board.groups) > 1:
        notes.append(text("leaderboard.groups", groups=" | ".join(", ".join(group) for group in board.groups)))
    if alike := [one.agent for one in board.standings if _are_alike(board, one.agent)]:
        notes.append(text("leaderboard.alike", agents=", ".join(alike), count=len(alike)))
    return notes


def _are_alike(board: Leaderboard, agent: str) -> bool:
    """True if all pairs of games of an agent have the same score: then they do not show how much chance there is."""
    counts = [met.counts if met.one == agent else met.counts[::-1] for met in board.meetings if agent in met[:2]]
    return sum(any(pairs) for pairs in zip(*counts, strict=True)) == 1
