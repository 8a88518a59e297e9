"""One hosted match in memory, driven through the pure handlers, with a clock that is moved by hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ninefold.core.errors import Refusal
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import (
    Act,
    Arrive,
    ClaimAbsent,
    Command,
    Create,
    HandlerContext,
    Handover,
    Join,
    MatchLimits,
    MatchRequest,
    Rematch,
    SeatRequest,
)
from ninefold.server.hosting.handlers import dispatch
from ninefold.server.hosting.model import HostedMatch

START = 1_800_000_000_000
SECOND = 1_000
MINUTE = 60 * SECOND
KEY = b"the key of this server"
SECRETS = ("the secret of seat 1", "the secret of seat 2", "the secret of spectators")
TOKENS = {1: SECRETS[0], 2: SECRETS[1]}
WATCH = SECRETS[2]


def match_request(game: str = "classic", *players: str, **fields: Any) -> MatchRequest:
    """A request for a match between two people, or between other players."""
    one, two = (SeatRequest(player) for player in players or ("human", "human"))
    return MatchRequest(game, seats=(one, two), **fields)


class MatchHost:
    """``hosted`` is the match after all commands so far; ``again`` is its rematch."""

    def __init__(
        self, game: str = "classic", *players: str, limits: MatchLimits = MatchLimits(), **fields: Any
    ) -> None:
        self.now = START
        self.outages: list[tuple[int, int]] = []
        self.limits = limits
        self.bans: dict[str, int | None] = {}
        self.profiles: list[str] = []
        self.hosted: HostedMatch
        self.again: HostedMatch
        self._requests = itertools.count()
        self.create = Create("match", match_request(game, *players, **fields), SECRETS)
        self.created = self._dispatch(None, self.create)

    @property
    def context(self) -> HandlerContext:
        return HandlerContext(self.now, self.outages, KEY, self.limits, bans=self.bans, profiles=self.profiles)

    def write(self, command: Command) -> dict[str, Any]:
        return self._dispatch(self.hosted, command)

    def _dispatch(self, hosted: HostedMatch | None, command: Command) -> dict[str, Any]:
        result = dispatch(hosted, command, self.context)
        self.hosted, *more = result.matches
        if more:
            (self.again,) = more
        if result.refusal:
            raise result.refusal
        return result.document

    def request(self) -> str:
        return f"request-{next(self._requests)}"

    def attempt(self, seat: int, action: Action, version: int | None = -1, request: str = "", text: str = "") -> Act:
        """An action of a seat: by default a new one, for the current version."""
        version = self.hosted.match.version if version == -1 else version
        return Act("match", TOKENS[seat], request or self.request(), version, action, text)

    def act(self, seat: int, action: Action, **more: Any) -> dict[str, Any]:
        return self.write(self.attempt(seat, action, **more))

    def play(self, *moves: str) -> None:
        """Moves as players type them, each by the seat that is to act."""
        for move in moves:
            self.act(self.hosted.match.to_act or 1, Action("move"), text=move)

    def join(self, secret: str | None, request: str = "the first to ask", name: str = "") -> dict[str, Any]:
        return self.write(Join("match", secret, name, request))

    def handover(self, seat: int, request: str = "carry") -> str:
        """The code that hands a seat over to another device."""
        return str(self.write(Handover("match", TOKENS[seat], request))["code"])

    def absent(self, seat: int, seen_at: tuple[int, int] = (0, 0), request: str = "") -> dict[str, Any]:
        return self.write(ClaimAbsent("match", TOKENS[seat], request or self.request(), seen_at))

    def rematch(self, seat: int, id: str = "again", replaces: str = "") -> dict[str, Any]:
        return self.write(Rematch("match", TOKENS[seat], id, replaces))

    def accept_rematch(self, seat: int, present: tuple[bool, bool] = (True, True)) -> dict[str, Any]:
        """Arrive at the rematch, and go on with it."""
        self.hosted = self.again
        return self.write(Arrive("again", TOKENS[seat], present))

    def kinds(self) -> list[str]:
        """The kinds of all actions so far."""
        return [event.action.kind for event in self.hosted.match.events]

    def ended(self) -> tuple[str, str] | None:
        """How the game ended, and its score."""
        result = self.hosted.match.result
        return result and (result.by, result.score)


def refused(host: MatchHost, command: Command) -> Refusal:
    """The refusal of a command. It changes nothing."""
    before = host.hosted
    with pytest.raises(Refusal) as caught:
        host.write(command)
    assert host.hosted is before
    return caught.value


def why(host: MatchHost, command: Command) -> str:
    """The reason of the refusal of a command."""
    return refused(host, command).reason
