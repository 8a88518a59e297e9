"""The turn loop: attempts, forfeits, and what is not the fault of an agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from ninefold.agents.evaluation.loop import (
    Agent,
    AgentReply,
    ForfeitedTurn,
    MatchForfeited,
    TurnForfeited,
    TurnLoop,
    TurnRules,
)
from ninefold.client.local import LocalSession
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.server.hosting.commands import MatchRequest, SeatRequest

FIRST = 2  # O starts in the agents' game
RESIGN = AgentReply(actions.RESIGN)
RULES = TurnRules(retries=0, forfeit="match", seed=0)


class Recorder:
    """A session and two agents, the second of which resigns. Calls of the first one are recorded."""

    def __init__(self, session_class: type[LocalSession] = LocalSession) -> None:
        request = MatchRequest("agents", seats=(SeatRequest(), SeatRequest()))
        self.session = session_class.create(request)
        self.calls: list[tuple[int, int]] = []  # version and number of refusals
        self.notes: list[tuple[int, str]] = []

    def play(self, first: Agent, rules: TurnRules = RULES) -> list[ForfeitedTurn]:
        def recorded(match: Match, refusals: Sequence[Refusal]) -> AgentReply | Literal["acted"] | None:
            self.calls.append((match.version, len(refusals)))
            return first(match, refusals)

        agents: dict[int, Agent] = {FIRST: recorded, 3 - FIRST: lambda *_: RESIGN}
        return TurnLoop(self.session, agents, rules, self.note, self.on_silence).play()

    def note(self, seat: int, refusal: Refusal) -> None:
        self.notes.append((seat, refusal.reason))

    def on_silence(self, seat: int) -> bool:
        self.session.referee(actions.gone(seat))
        return False


def test_an_agent_is_not_blamed_for_what_happened_while_it_was_thinking() -> None:
    match_of_two = Recorder()

    def thinks(match: Match, _: Sequence[Refusal]) -> AgentReply:
        if match.version == 0:
            match_of_two.session.act(3 - FIRST, actions.claim((0, 1, 2)))
            return AgentReply(Action("move"), "[1,1]")
        return AgentReply(actions.dispute("no line")) if match.state.pending else RESIGN

    assert match_of_two.play(thinks) == []
    assert match_of_two.calls[:2] == [(0, 0), (1, 0)]
    assert [event.action.kind for event in match_of_two.session.match.events][:2] == ["claim", "dispute"]
    assert "claim_pending" not in str(match_of_two.session.hosted.refused)


class UnreachableSession(LocalSession):
    """A session whose server cannot be reached."""

    def act(self, *_: object, **__: object) -> None:
        raise NotAllowed("no_connection.unsure", server="http://127.0.0.1:9")


def test_a_lost_connection_is_not_the_fault_of_the_agent() -> None:
    with pytest.raises(NotAllowed, match="cannot be reached"):
        Recorder(UnreachableSession).play(lambda *_: RESIGN)


def test_an_agent_has_its_retries_and_then_forfeits_the_match() -> None:
    match_of_two = Recorder()

    def fails(_: Match, refusals: Sequence[Refusal]) -> AgentReply:
        if not refusals:
            raise Unreadable("not_an_answer.object")
        return AgentReply(Action("move"), "[9,9]")

    (forfeit,) = match_of_two.play(fails, rules=RULES._replace(retries=2))
    assert (forfeit.seat, forfeit.version) == (FIRST, 0)
    assert match_of_two.calls == [(0, 0), (0, 1), (0, 2)]
    assert match_of_two.notes == [(FIRST, "not_an_answer")]
    assert match_of_two.session.match.result
    assert match_of_two.session.match.result.by == "resigned"


def test_a_turn_to_which_there_will_be_no_answer_is_forfeited_at_once() -> None:
    match_of_two = Recorder()

    def withholds(match: Match, _: Sequence[Refusal]) -> AgentReply:
        if match.version == 0:
            raise TurnForfeited("filtered")
        return RESIGN

    (forfeit,) = match_of_two.play(withholds, rules=RULES._replace(retries=5, forfeit="move"))
    assert forfeit == ForfeitedTurn(FIRST, "A content filter withheld the answer.", 0)
    assert match_of_two.calls[0] == (0, 0)
    assert match_of_two.notes == [(FIRST, "filtered")]
    assert [event.action.kind for event in match_of_two.session.match.events] == ["move", "resign"]


def test_a_silent_agent_is_left_to_the_runner() -> None:
    match_of_two = Recorder()
    assert match_of_two.play(lambda *_: None) == [ForfeitedTurn(FIRST, "It did not answer.", 0)]
    assert match_of_two.session.match.result
    assert match_of_two.session.match.result.by == "gone"


def test_a_runner_may_end_the_match_outside_the_session() -> None:
    match_of_two = Recorder()
    loop = TurnLoop(match_of_two.session, {FIRST: lambda *_: None}, RULES, match_of_two.note, lambda _: True)
    assert len(loop.play()) == 1
    assert match_of_two.session.match.result is None


@pytest.mark.parametrize("has_claim", [False, True])
def test_who_forfeits_the_match_loses_it_at_once_although_others_forfeit_a_move(has_claim: bool) -> None:
    match_of_two = Recorder()
    if has_claim:
        match_of_two.session.act(3 - FIRST, actions.claim((0, 1, 2)))

    def breaks_down(*_: object) -> None:
        raise MatchForfeited("crashed.program", code=1)

    (lost,) = match_of_two.play(breaks_down, RULES._replace(forfeit="move"))
    assert lost == (FIRST, "Its program exited with code 1 before the match ended.", int(has_claim))
    assert match_of_two.notes == [(FIRST, "crashed")]
    result = match_of_two.session.match.result
    assert result
    assert (result.by, result.score) == ("resigned", "1-0")
