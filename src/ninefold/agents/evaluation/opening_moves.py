"""The opening of a match in an evaluation: its moves are made before the agents are asked, and the audit marks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ninefold.agents.evaluation.loop import Agent, AgentReply
from ninefold.analysis.report.endings import OPENING
from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.match import Match
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch


def from_opening(agent: Agent, opening: Sequence[int]) -> Agent:
    """An agent that is asked after the opening only: until then its moves are those of the opening."""
    if not opening:
        return agent

    def reply(match: Match, refusals: Sequence[Refusal]) -> AgentReply | Literal["acted"] | None:
        played = len(match.state.moves)
        return AgentReply(actions.move(opening[played])) if played < len(opening) else agent(match, refusals)

    return reply


def with_opening(hosted: HostedMatch, opening: Sequence[int], now: int) -> HostedMatch:
    """The match with an audit that has the moves of the opening too: nobody chose them."""
    for version, event in enumerate(hosted.match.events[: len(opening)]):
        hosted = with_audit_entry(hosted, event.seat, "move", OPENING, now, version=version)
    return hosted
