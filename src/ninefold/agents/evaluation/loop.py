"""One match, turn by turn: who is asked answers, has so many attempts, and forfeits when none of them will do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, Protocol

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.random_choice import pick
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match

OVERTAKEN = ("stale_version", "ended")  # the game went on while the agent thought


class Broken(NotAllowed):
    """An agent cannot go on. ``seat`` is its seat, once that is known."""

    seat = 0


class Crashed(Broken):
    """It broke down, its endpoint or its program with it. That says nothing about how it plays."""


class Rejected(Broken):
    """It is set up wrongly, and no other match would go any better. The run stops."""


class TooLate(NotAllowed):
    """An agent gave no answer in its time."""


class Answer(NamedTuple):
    """What an agent does; a move may be given as players type it."""

    action: Action
    text: str = ""


class Acted(NamedTuple):
    """An agent that does not need us has acted by itself."""


ACTED = Acted()
# Told what was refused at this turn so far. None is silence; Unreadable, TooLate and Broken may be raised.
Agent = Callable[[Match, Sequence[Refusal]], Answer | Acted | None]


class Table(Protocol):
    """Where a match is played."""

    @property
    def match(self) -> Match: ...

    def act(self, seat: int, action: Action, text: str = "") -> None: ...

    def note(self, seat: int, refusal: Refusal) -> None:
        """Put into the audit what could not even be tried."""

    def wait(self, seat: int) -> None:
        """A seat that is asked says nothing, until something is done about it."""


class Rules(NamedTuple):
    retries: int = 0
    forfeit: Literal["match", "move"] = "match"
    seed: int = 0


class Forfeit(NamedTuple):
    """A turn at which no answer would do, why the last one would not, and the version of the match then."""

    seat: int
    why: str
    version: int


def play(table: Table, agents: Mapping[int, Agent], rules: Rules = Rules()) -> list[Forfeit]:
    """Play to the end; says what was forfeited on the way."""
    forfeits = []
    while (seat := table.match.to_act) is not None:
        if lost := _turn(table, seat, agents[seat], rules):
            forfeits.append(lost)
    return forfeits


def _turn(table: Table, seat: int, agent: Agent, rules: Rules) -> Forfeit | None:
    refusals: list[Refusal] = []
    while len(refusals) <= rules.retries:
        match = table.match
        if match.to_act != seat:
            return None  # it has acted meanwhile, or need not act any more
        try:
            answer = agent(match, refusals)
        except (Unreadable, TooLate) as refusal:
            table.note(seat, refusal)
            refusals.append(refusal)
            continue
        except Broken as broken:
            broken.seat = seat
            raise
        if isinstance(answer, Acted):
            return None
        if answer is None:
            table.wait(seat)
            return Forfeit(seat, "It said nothing.", match.version)
        try:
            table.act(seat, answer.action, answer.text)
        except Refusal as refusal:
            if refusal.reason in OVERTAKEN:
                return None
            refusals.append(refusal)
        else:
            return None
    return _forfeited(table, seat, rules, refusals[-1])


def _forfeited(table: Table, seat: int, rules: Rules, last: Refusal) -> Forfeit:
    """A claim without an answer is settled by the referee; else the move is lost, and made at random, or the match."""
    match = table.match
    state, forfeit = match.state, Forfeit(seat, last.sentence, match.version)
    if state.pending or (isinstance(last, TooLate) and rules.forfeit == "match"):
        table.wait(seat)
        return forfeit
    rng = Random(f"{rules.seed}/{len(state.moves)}")
    random = actions.move(pick(rng, state.position.moves()))
    with contextlib.suppress(NotAllowed):  # a claim of the opponent came first: it is asked again
        table.act(seat, random if rules.forfeit == "move" else actions.RESIGN)
    return forfeit
