"""Commands to a hosted match, what their handlers may know, and what they return."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ninefold.core.errors import Refusal
from ninefold.match.actions import Action
from ninefold.match.clock import Outages, TimeControl
from ninefold.match.state import HUMAN
from ninefold.server.hosting.admission import Bans, Blocks
from ninefold.server.hosting.model import HostedMatch, Settings

OPEN = "open"

Sides = Literal["XO", "OX"]
First = Literal["X", "O", "toss"]


class SeatRequest(NamedTuple):
    """Who is to take a seat: human (who asks for the match), open, or a level of the computer."""

    player: str = HUMAN
    name: str = ""


SEATS = (SeatRequest(), SeatRequest(OPEN))  # of a match that names no players


class ClockRequest(NamedTuple):
    """A time control, in seconds as people choose it."""

    initial_seconds: int
    increment_seconds: int = 0


class Bounds(NamedTuple):
    least: int
    most: int

    def clamp(self, value: int) -> int:
        return min(self.most, max(self.least, value))


# In seconds. Every way to ask for a match has these bounds.
CLOCK_SECONDS = Bounds(1, 86_400)
INCREMENT_SECONDS = Bounds(0, 3_600)
CLAIM_SECONDS = Bounds(5, 3_600)
ABSENT_SECONDS = Bounds(10, 86_400)

# What forms offer beside no clock.
CLOCK_CHOICES = (
    ClockRequest(60),
    ClockRequest(180, 2),
    ClockRequest(300),
    ClockRequest(600, 5),
    ClockRequest(1800),
)


class MatchRequest(NamedTuple):
    """A match that somebody wants: from a form, a command line, JSON or a tool. These are the only defaults."""

    game: str
    options: Mapping[str, str] = {}
    seats: tuple[SeatRequest, SeatRequest] = SEATS
    sides: Sides = "XO"  # of seats 1 and 2
    first: First | None = None
    private: bool = False
    clock: ClockRequest | None = None
    claim_seconds: int = 60
    absent_seconds: int = 300
    show_moves: bool = True
    show_lines: bool = True
    seed: int | None = None
    rated: bool = True

    def document(self) -> dict[str, Any]:
        """The request as JSON, as the HTTP API has it."""
        fields = self._asdict() | {"options": dict(self.options), "seats": [seat._asdict() for seat in self.seats]}
        fields["clock"] = self.clock and self.clock._asdict()
        return {name: value for name, value in fields.items() if value is not None}

    @property
    def settings(self) -> Settings:
        control = None
        if self.clock:
            control = TimeControl(*(seconds * 1000 for seconds in self.clock))
        return Settings(
            self.private,
            control,
            self.claim_seconds * 1000,
            self.absent_seconds * 1000,
            self.show_moves,
            self.show_lines,
            self.rated,
        )


class Identity(NamedTuple):
    """The profile with which somebody takes a seat."""

    profile: str
    name: str
    rating: str = ""  # "" if the profile is private


class Create(NamedTuple):
    match: str  # a new id
    request: MatchRequest
    secrets: tuple[str, str, str] = ("", "", "")  # for both seats and for spectators
    once: bool = False  # True: a repeat is refused, because somebody else may have chosen the same idempotency key
    identity: Identity | None = None


class Join(NamedTuple):
    match: str
    secret: str | None = None  # an invitation, or a code from another device; none for a public match
    name: str = ""
    key: str = ""  # idempotency key
    once: bool = False  # as in ``Create``
    identity: Identity | None = None
    address: str = ""  # of the requester, for bans


class Act(NamedTuple):
    """An action of the bearer of a token, or of the computer at a seat."""

    match: str
    token: str | None
    key: str  # idempotency key
    version: int | None
    action: Action
    text: str = ""  # a move as players type it
    computer: int = 0
    lag: int = 0  # the measured round trip of the connection, in milliseconds
    address: str = ""  # of the requester, for bans: an action also takes a reserved seat


def action_document(action: Action, text: str = "") -> dict[str, Any]:
    """An action as JSON, as the HTTP API has it. Its move is a path, or ``text`` as players type it."""
    fields = {"kind": action.kind, "move": text or action.move, "cells": action.cells, "text": action.text or None}
    return {name: value for name, value in fields.items() if value is not None}


class Note(NamedTuple):
    """An unreadable attempt of the bearer of a token: it only goes into the audit."""

    match: str
    token: str | None
    kind: str  # of what was tried, as far as it can be known
    reason: str


class Handover(NamedTuple):
    match: str
    token: str | None
    key: str


class ClaimAbsent(NamedTuple):
    match: str
    token: str | None
    key: str
    seen_at: tuple[int, int]  # when each seat was last seen


class Rematch(NamedTuple):
    match: str
    token: str | None
    id: str  # for the new match
    replaces: str = ""  # a rematch that was declined
    address: str = ""  # of the requester, for bans


class Arrive(NamedTuple):
    """A player is there, and takes the seat that was reserved in a rematch."""

    match: str
    token: str | None
    present: tuple[bool, bool] = (True, True)  # the seats that are connected
    address: str = ""  # of the requester, for bans


class Forget(NamedTuple):
    """A profile was deleted: its name and its id leave the match."""

    match: str
    profile: str


class Tick(NamedTuple):
    """Time has passed."""

    match: str


class Lease(NamedTuple):
    """A worker wants to compute the computer's move, or still computes it."""

    match: str
    held: int = 0  # until when this worker has the lease
    ms: int = 0  # how long it wants it; 0: as usual


Command = Create | Join | Act | Note | Handover | ClaimAbsent | Rematch | Arrive | Forget | Tick | Lease


class MatchLimits(NamedTuple):
    """How much one match may hold."""

    events: int = 5_000
    responses: int = 2_000
    messages: int = 300  # by one seat, so that nobody can end a match by talking


class HandlerContext(NamedTuple):
    """What a handler may know besides the match."""

    now: int
    outages: Outages = ()
    secret_key: bytes = b""
    limits: MatchLimits = MatchLimits()
    timers: bool = True  # False at one shared screen: claims and idle matches wait for ever
    bans: Bans = MappingProxyType({})  # by the operator
    blocks: Blocks = ()  # between those who would meet by the commands of a batch
    profiles: Collection[str] = ()  # those that exist, of the ones that the commands of a batch name
    deleted: Collection[str] = ()  # matches that were deleted, of those that are to be created


class Acknowledgement(NamedTuple):
    """The response to an action: the version, the new events and the index of the first. Its JSON is made once, for the
    database and for the client."""

    stored: str
    replayed: bool
    new: range = range(0)  # the indexes of the new events; none if it is repeated

    @property
    def json(self) -> str:
        return f'{self.stored[:-1]}, "replayed": {"true" if self.replayed else "false"}}}'

    @property
    def document(self) -> dict[str, Any]:
        return {**json.loads(self.stored), "replayed": self.replayed}


class HandlerResult(NamedTuple):
    """The response, and the matches afterwards. A refusal may come with a match: what was due has happened."""

    response: dict[str, Any] | Acknowledgement
    matches: tuple[HostedMatch, ...]
    refusal: Refusal | None = None

    @property
    def document(self) -> dict[str, Any]:
        return self.response.document if isinstance(self.response, Acknowledgement) else self.response
