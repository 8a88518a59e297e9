"""The referee's report on a match that is over."""

from __future__ import annotations

from functools import lru_cache

from pydantic import Field

from ninefold.analysis.report.audit import audit_of
from ninefold.analysis.report.format import document
from ninefold.analysis.report.metrics import report as report_on
from ninefold.match.match import Match
from ninefold.server.http.models import SideName, Told


class AgentOut(Told):
    """What is counted of one seat."""

    agent: str
    side: SideName | None
    points: float
    matches: int
    won: int
    drawn: int
    lost: int
    moves: int
    illegal_moves: int = Field(description="that were tried")
    unreadable: int = Field(description="answers that were no move, no claim, no message")
    refused_claims: int = Field(description="claims and answers to claims that were refused")
    false_claims: int
    withdrawn: int = Field(description="false claims that were withdrawn")
    missed_wins: int
    unclaimed_lines: int = Field(description="missed wins that stood on the board and were not claimed")
    wrong_confirmations: int
    wrong_disputes: int
    unanswered_claims: int
    judged: int = Field(description="moves of which it is known whether they were mistakes")
    mistakes: int = Field(description="moves that gave away a win or a draw")
    forfeits: int = Field(description="turns at which no answer would do, in an evaluation")
    milliseconds: int = Field(description="used, from the first move on")
    refused: dict[str, int] = Field(description="every refusal by its reason")


class ReportOut(Told):
    agents: list[AgentOut]
    judged_by: list[str]
    refusals_forgotten: int = Field(description="older refusals that are no longer kept, and not counted")


@lru_cache(maxsize=256)
def report(match: Match, refused: tuple[tuple[int, str], ...]) -> dict[str, object]:
    """Made once: a match that is over stays as it is."""
    attempts, forgotten = audit_of(refused)
    return document(report_on(match, attempts, forgotten=forgotten))
