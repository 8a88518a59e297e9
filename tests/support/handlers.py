"""A desk to test at: one kept match, a clock that is moved by hand, and everybody's secrets."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ninefold.match.actions import Action
from ninefold.server.hosting.commands import ClaimAbsent, Act, Create, Handover, Join, HandlerContext, SeatRequest, Rematch, Command
from ninefold.server.hosting.errors import Problem
from ninefold.server.hosting.handlers import dispatch
from ninefold.server.hosting.model import TimeControl, HostedMatch, Settings

START = 1_800_000_000_000
SECOND = 1_000
MINUTE = 60 * SECOND
KEY = b"the key of this server"
SECRETS = ("the secret of seat 1", "the secret of seat 2", "the secret of spectators")
TOKENS = {1: SECRETS[0], 2: SECRETS[1]}
WATCH = SECRETS[2]


class Desk:
    """``kept`` is the match after everything that was written; ``again`` is its rematch."""

    def __init__(self, game: str = "classic", *players: str, **facts: Any) -> None:
        self.now = START
        self.outages: list[tuple[int, int]] = []
        self.hosted: HostedMatch
        self.again: HostedMatch
        self._requests = itertools.count()
        one, two = (SeatRequest(player) for player in players or ("human", "human"))
        self.create = Create("match", game, places=(one, two), secrets=SECRETS, **facts)
        self.created = self._write(None, self.create)

    def write(self, write: Command) -> dict[str, Any]:
        return self._write(self.hosted, write)

    def _write(self, hosted: HostedMatch | None, write: Command) -> dict[str, Any]:
        done = dispatch(hosted, write, HandlerContext(self.now, self.outages, KEY))
        self.hosted, *more = done.hosted
        if more:
            (self.again,) = more
        if done.problem:
            raise done.problem
        return done.answer

    def request(self) -> str:
        return f"request-{next(self._requests)}"

    def attempt(self, seat: int, action: Action, version: int | None = -1, request: str = "", text: str = "") -> Act:
        """An action of a seat; where nothing else is said, a new one, for the version of now."""
        version = self.hosted.match.version if version == -1 else version
        return Act("match", TOKENS[seat], request or self.request(), version, action, text)

    def act(self, seat: int, action: Action, **more: Any) -> dict[str, Any]:
        return self.write(self.attempt(seat, action, **more))

    def play(self, *moves: str) -> None:
        """Moves as players type them, by whoever's turn it is."""
        for move in moves:
            self.act(self.hosted.match.to_act or 1, Action("move"), text=move)

    def join(self, secret: str | None, request: str = "the first to ask", name: str = "") -> dict[str, Any]:
        return self.write(Join("match", secret, name, request))

    def handover(self, seat: int, request: str = "carry") -> str:
        """The code that carries a seat."""
        return str(self.write(Handover("match", TOKENS[seat], request))["code"])

    def absent(self, seat: int, seen_at: tuple[int, int] = (0, 0), request: str = "") -> dict[str, Any]:
        return self.write(ClaimAbsent("match", TOKENS[seat], request or self.request(), seen_at))

    def rematch(self, seat: int, id: str = "again") -> dict[str, Any]:
        return self.write(Rematch("match", TOKENS[seat], id))

    def kinds(self) -> list[str]:
        """What happened so far."""
        return [event.action.kind for event in self.hosted.match.events]

    def ended(self) -> tuple[str, str] | None:
        """How the game ended, and with which score."""
        result = self.hosted.match.result
        return result and (result.by, result.score)


def timed(initial: int, increment: int = 0, **more: Any) -> Settings:
    return Settings(clock=TimeControl(initial, increment), **more)


def refused(desk: Desk, write: Command) -> Problem:
    """The problem that a write meets. It changes nothing."""
    before = desk.hosted
    with pytest.raises(Problem) as refusal:
        desk.write(write)
    assert desk.hosted is before
    return refusal.value


def why(desk: Desk, write: Command) -> tuple[int, str]:
    problem = refused(desk, write)
    return problem.status, problem.reason
