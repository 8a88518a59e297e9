"""Scripted agents at play, and a second referee that shares no code with ours: it reads the log as plain JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import NamedTuple

from ninefold.agents.evaluation.loop import AgentReply, TurnLoop, TurnRules
from ninefold.client.local import LocalSession
from ninefold.core.errors import Refusal
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.log import write_log
from ninefold.match.match import Match
from ninefold.players.scripted import SCRIPTS, make_script
from ninefold.server.hosting.commands import ClockRequest, MatchRequest, SeatRequest
from ninefold.server.hosting.deadlines import absent_at, next_deadline

START, SECOND = 1_800_000_000_000, 1_000
MANY = 10_000  # games of each script in the long run
MOST_TURNS = 40
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


class TickingClock:
    """Milliseconds: a second passes at every reading, and more can be skipped."""

    def __init__(self) -> None:
        self._ticks = count(START, SECOND)
        self._skipped = 0

    def now(self) -> int:
        return next(self._ticks) + self._skipped

    def skip_to(self, moment: int) -> None:
        self._skipped += max(0, moment - self.now())


class Stuck(Exception):
    """The match does not end."""


class SecondOpinion(NamedTuple):
    """What the second referee found: the winner, if there is one, and the number of lies of each seat."""

    ended: bool
    winner: str | None
    line: bool  # True if a line decided it
    false_claims: Counter[int]
    wrong_confirmations: Counter[int]
    wrong_disputes: Counter[int]


def sides_of(number: int, script: str) -> tuple[str, str]:
    """The scripts of X and O in a game: each script meets each other one on both sides."""
    other = SCRIPTS[number // 2 % len(SCRIPTS)]
    return (script, other) if number % 2 else (other, script)


def played(number: int, script: str) -> LocalSession:
    """The game of that number, played to its end with a clock of its own."""
    x, o = sides_of(number, script)
    control = None if number % 3 else ClockRequest(60)
    request = MatchRequest("agents", seats=(SeatRequest(name=x), SeatRequest(name=o)), clock=control)
    clock = TickingClock()
    session = LocalSession.create(request, now=clock.now, timers=True)
    seed = 2 * (number + MANY * SCRIPTS.index(script))
    agents = {1: agent(x, seed), 2: agent(o, seed + 1)}
    rules = TurnRules(retries=0, forfeit="match", seed=0)
    TurnLoop(session, agents, rules, partial(note, session), partial(wait_for_silence, session, clock)).play()
    return session


def note(session: LocalSession, seat: int, refusal: Refusal) -> None:
    session.note(seat, "move", refusal.reason)


def wait_for_silence(session: LocalSession, clock: TickingClock, seat: int) -> bool:
    """Silence is waited out: claims are settled, flags fall and absent opponents lose when that is due."""
    due, absent = next_deadline(session.hosted, ()), absent_at(session.hosted, (0, 0), ())
    if due and session.match.to_act == seat:
        is_absent = absent is not None and absent < due.at
        clock.skip_to(absent if is_absent and absent else due.at)
        session.referee(actions.gone(seat) if is_absent else due.action)
    return False


def agent(name: str, seed: int) -> Callable[[Match, object], AgentReply | None]:
    script = make_script(find_game("agents"), name, seed)
    turns = count()

    def act(match: Match, _: object) -> AgentReply | None:
        if next(turns) > MOST_TURNS:
            raise Stuck(write_log(match))
        action = script(match)
        return None if action is None else AgentReply(action)

    return act


def second_opinion(log: str) -> SecondOpinion:
    head, *events, _ = map(json.loads, log.splitlines())
    sides = {number: seat["side"] for number, seat in enumerate(head["seats"], 1)}
    board: dict[int, str] = {}
    first = winner = None
    claim: tuple[int, set[int]] | None = None
    answer = ""
    lies: dict[str, Counter[int]] = {name: Counter() for name in ("claims", "confirmed", "disputed")}
    ended = line = False
    for event in events:
        seat, kind = event["seat"], event["event"]
        assert not ended or kind == "said", "something happened after the end"
        if kind == "moved":
            assert event["move"] not in board
            assert claim is None
            board[event["move"]] = sides[seat]
            first = first or holder(board)
        if "cells" in event:
            claim, answer = (seat, set(event["cells"])), ""
        if kind in ("confirmed", "disputed"):
            assert claim
            assert seat == 3 - claim[0]
            answer = kind
        if kind == "settled":
            assert claim
            claimant, cells = claim
            true = cells in LINES and {board.get(cell) for cell in cells} == {sides[claimant]}
            lies["claims"][claimant] += not true
            if answer and (answer == "confirmed") != true:
                lies[answer][3 - claimant] += 1
            claim = None
            if true:
                ended, line, winner = True, True, sides[claimant]
        if kind in ("flagged", "gone"):
            assert claim is None
            ended, winner = True, sides[3 - event["number"]]
        if len(board) == 9 and claim is None and not ended:
            ended, line, winner = True, first is not None, first
    return SecondOpinion(ended, winner, line, lies["claims"], lies["confirmed"], lies["disputed"])


def holder(board: dict[int, str]) -> str | None:
    """The side that has a line. It is asked after every move, so only the mover can have a new one."""
    for line in LINES:
        marks = {board.get(cell) for cell in line}
        if len(marks) == 1 and None not in marks:
            return marks.pop()
    return None


class Tally(NamedTuple):
    games: int = 0
    false_wins: int = 0
    stolen_wins: int = 0
    stuck: int = 0


def tally(script: str, numbers: range) -> Tally:
    """How often the referee was wrong in these games of a scripted agent."""
    found: Counter[str] = Counter()
    for number in numbers:
        found["games"] += 1
        try:
            match = played(number, script).match
        except Stuck:
            found["stuck"] += 1
            continue
        seen = second_opinion(write_log(match))
        told = None if match.result is None or match.result.outcome.winner is None else str(match.result.outcome.winner)
        found["stuck"] += match.result is None or not seen.ended
        found["false_wins"] += told is not None and told != seen.winner
        found["stolen_wins"] += seen.line and told != seen.winner
    return Tally(**found)
