"""Scripted agents at play, and a second referee who knows nothing of ours: it reads the log as plain JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from ninefold.agents.evaluation.local_match import LocalMatch
from ninefold.agents.evaluation.loop import Answer, play
from ninefold.games import find_game
from ninefold.match.log import write_log
from ninefold.match.match import Match
from ninefold.players.scripted import SCRIPTS, make_script
from ninefold.server.hosting import deadlines
from ninefold.server.hosting.commands import ClaimAbsent, Create, SeatRequest, Tick
from ninefold.server.hosting.handlers import absent_due
from ninefold.server.hosting.model import TimeControl as Times
from ninefold.server.hosting.model import Settings

START, SECOND = 1_800_000_000_000, 1_000
MANY = 10_000  # games of each script in the long run
MOST_TURNS = 40
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


class TimeControl:
    """Milliseconds that pass by themselves, a second a look; more can be said to have passed."""

    def __init__(self) -> None:
        self._ticks = count(START, SECOND)
        self._skipped = 0

    def now(self) -> int:
        return next(self._ticks) + self._skipped

    def skip_to(self, moment: int) -> None:
        self._skipped += max(0, moment - self.now())


class TimedMatch(LocalMatch):
    """Silence is waited out: claims are settled, flags fall and opponents are gone when the service says so."""

    def __init__(self, create: Create, clock: TimeControl) -> None:
        self._clock = clock
        super().__init__(create, clock.now)

    def wait(self, seat: int) -> None:
        due, absent = deadlines.due(self.hosted, ()), absent_due(self.hosted, (0, 0), ())
        if self.match.to_act != seat or due is None:
            return
        if absent is None or due.at <= absent:
            self._clock.skip_to(due.at)
            self._write(self.hosted, Tick("here"))
        else:
            self._clock.skip_to(absent)
            self._write(self.hosted, ClaimAbsent("here", self._tokens[3 - seat], self._request(), (0, 0)))


class Stuck(Exception):
    """A match that does not come to its end."""


class Seen(NamedTuple):
    """What the second referee found: who has to have won, if anybody, and every lie by its seat."""

    ended: bool
    winner: str | None
    line: bool  # whether somebody's line decided it
    false_claims: Counter[int]
    wrong_confirmations: Counter[int]
    wrong_disputes: Counter[int]


def sides_of(number: int, script: str) -> tuple[str, str]:
    """Who plays X and who plays O in a game: everybody meets everybody, on both sides."""
    other = SCRIPTS[number // 2 % len(SCRIPTS)]
    return (script, other) if number % 2 else (other, script)


def played(number: int, script: str) -> LocalMatch:
    """The game of that number, to its end, in a time of its own: nobody waits for anything."""
    x, o = sides_of(number, script)
    clock = None if number % 3 else Times(60 * SECOND, 0)
    create = Create("", "agents", places=(SeatRequest(name=x), SeatRequest(name=o)), settings=Settings(clock=clock))
    table = TimedMatch(create, TimeControl())
    seed = 2 * (number + MANY * SCRIPTS.index(script))
    play(table, {1: agent(x, seed), 2: agent(o, seed + 1)})
    return table


def agent(name: str, seed: int) -> Callable[[Match, object], Answer | None]:
    script = make_script(find_game("agents"), name, seed)
    turns = count()

    def act(match: Match, _: object) -> Answer | None:
        if next(turns) > MOST_TURNS:
            raise Stuck(write_log(match))
        action = script(match)
        return None if action is None else Answer(action)

    return act


def second_opinion(log: str) -> Seen:
    head, *events = map(json.loads, log.splitlines())
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
    return Seen(ended, winner, line, lies["claims"], lies["confirmed"], lies["disputed"])


def holder(board: dict[int, str]) -> str | None:
    """Who has a line. The board is looked at after every move, so only the mover can have a new one."""
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
    """How often the referee came out wrong in so many games of a scripted agent."""
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
