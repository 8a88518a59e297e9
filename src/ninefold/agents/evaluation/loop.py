"""The turn loop of one match: the agent to act answers, has a number of attempts, and forfeits if none is accepted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from ninefold.client.session import Session
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.messages import text
from ninefold.core.random_choice import pick
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match

STALE_REASONS = ("stale_version", "ended")  # the game went on while the agent was thinking
CATCH_UP_S = 10.0  # how long the events of a server may take to arrive


class AgentError(NotAllowed):
    """An agent cannot go on. ``seat`` is its seat, once that is known."""

    seat = 0


class AgentCrashed(AgentError):
    """Its endpoint or its program broke down. That says nothing about how it plays."""


class AgentRejected(AgentError):
    """Its endpoint refuses our requests, and will do so in every match. The run stops."""


class OutOfMoney(AgentRejected):
    """Its endpoint says that the account has no money left."""


class AgentTimedOut(NotAllowed):
    """An agent did not answer in time."""


class TurnForfeited(NotAllowed):
    """There is no answer to this turn and there will be none, however often it is asked for. The match goes on."""


class MatchForfeited(TurnForfeited):
    """A program broke down in the middle of a match. It loses the match: else a crash would be a way out of a loss."""


class AgentReply(NamedTuple):
    """The action of an agent. ``text`` is a move as players type it."""

    action: Action
    text: str = ""


ACTED: Final = "acted"  # the reply of an agent that has acted by itself
# Called with the match and the refusals of this turn. None is silence. May raise Unreadable, TurnForfeited,
# MatchForfeited, AgentTimedOut and AgentError.
Agent = Callable[[Match, Sequence[Refusal]], AgentReply | Literal["acted"] | None]
OnRefusal = Callable[[int, Refusal], None]
OnSilence = Callable[[int], bool]


Forfeit = Literal["match", "move"]  # what is lost when the retries are used up


class TurnRules(NamedTuple):
    """As in a plan, which has the defaults."""

    retries: int
    forfeit: Forfeit
    seed: int


class ForfeitedTurn(NamedTuple):
    """A turn without an accepted answer, why the last answer was refused, and the version of the match then."""

    seat: int
    why: str
    version: int


class TurnLoop:
    """Plays a match in a session. Where the match is hosted, and what silence means there, is up to the runner.

    ``note`` records an unreadable answer of a seat in the audit. ``on_silence`` is called when the seat to act does not
    answer; it returns True if the runner has ended the match outside the session.
    """

    def __init__(
        self, session: Session, agents: Mapping[int, Agent], rules: TurnRules, note: OnRefusal, on_silence: OnSilence
    ) -> None:
        self._session, self._agents, self._rules = session, agents, rules
        self._note, self._on_silence = note, on_silence
        self._is_over = False
        self._forfeits: list[ForfeitedTurn] = []

    def play(self) -> list[ForfeitedTurn]:
        """Play to the end, and return the turns that were forfeited."""
        while not self._is_over and (seat := self._session.match.to_act) is not None:
            self._play_turn(seat)
        return self._forfeits

    def _play_turn(self, seat: int) -> None:
        refusals: list[Refusal] = []
        while len(refusals) <= self._rules.retries:
            match = self._current_match()
            if match.to_act != seat:
                return  # the turn is over: the game went on
            try:
                reply = self._agents[seat](match, refusals)
            except (Unreadable, AgentTimedOut) as refusal:
                self._note(seat, refusal)
                refusals.append(refusal)
                continue
            except TurnForfeited as refusal:
                self._note(seat, refusal)
                self._forfeit(seat, refusal)
                return
            except AgentError as error:
                error.seat = seat
                raise
            if reply is None:
                self._record_silence(seat, text("forfeit.silent"))
                return
            refused = None if isinstance(reply, str) else self._act(seat, reply, match)
            if refused is None:
                catch_up(self._session, match)
                return
            refusals.append(refused)
        self._forfeit(seat, refusals[-1])

    def _current_match(self) -> Match:
        state = self._session.state
        if state.ended:
            raise state.ended
        return state.match

    def _act(self, seat: int, reply: AgentReply, match: Match) -> Refusal | None:
        """Take an action, meant for the match as the agent saw it; the refusal if the agent has to try again."""
        try:
            self._session.act(seat, reply.action, reply.text, version=match.version)
        except Refusal as refusal:
            if refusal.reason == "no_connection":  # no fault of the agent
                raise
            return None if refusal.reason in STALE_REASONS else refusal
        return None

    def _record_silence(self, seat: int, why: str) -> None:
        self._forfeits.append(ForfeitedTurn(seat, why, self._session.match.version))
        self._is_over = self._on_silence(seat)

    def _forfeit(self, seat: int, last: Refusal) -> None:
        """A pending claim is settled as after silence. Else the match is lost, or the move, which is made at random.
        Whoever forfeits the match itself loses it in any case."""
        match, rules = self._session.match, self._rules
        is_silence = match.state.pending or (isinstance(last, AgentTimedOut) and rules.forfeit == "match")
        if is_silence and not isinstance(last, MatchForfeited):
            self._record_silence(seat, last.sentence)
            return
        self._forfeits.append(ForfeitedTurn(seat, last.sentence, match.version))
        is_lost = rules.forfeit == "match" or isinstance(last, MatchForfeited)
        action = actions.RESIGN if is_lost else self._random_move(match)
        with contextlib.suppress(NotAllowed):  # the opponent's claim came first: the agent is asked about it next
            self._session.act(seat, action, version=match.version)
            catch_up(self._session, match)

    def _random_move(self, match: Match) -> Action:
        rng = Random(f"{self._rules.seed}/{len(match.state.moves)}")
        return actions.move(pick(rng, match.position.moves()))


def catch_up(session: Session, known: Match) -> None:
    """Wait until a session knows of what has happened after ``known``."""
    state, until = session.state, time.monotonic() + CATCH_UP_S
    while state.match.version == known.version and not state.ended and (left := until - time.monotonic()) > 0:
        state = session.wait(state, left)
