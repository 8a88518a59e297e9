"""Request models: strict JSON becomes strict pydantic models, and those become requests and actions of hosting."""

from __future__ import annotations

import contextlib
import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from ninefold.core import strict_json
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.text import UNCLEANED_LENGTH
from ninefold.match.actions import SEAT_ACTIONS, UNVERSIONED, Action, SeatActionKind
from ninefold.match.match import LARGEST_SEED
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import (
    ABSENT_SECONDS,
    CLAIM_SECONDS,
    CLOCK_SECONDS,
    INCREMENT_SECONDS,
    Act,
    ClockRequest,
    First,
    MatchRequest,
    SeatRequest,
    Sides,
)
from ninefold.server.hosting.profiles import ProfileKind
from ninefold.server.http.config import RECORD
from ninefold.server.http.errors import invalid
from ninefold.server.storage.moderation import ReportReason

ID = f"^{tokens.MATCH_ID}$"
PROFILE_ID = "^[0-9a-f]{32}$"
PAGE_KEY = f"^[0-9]{{1,16}}-{tokens.MATCH_ID}$"  # where a page of the list of matches begins
_MATCH, _SEAT, _CLOCK = MatchRequest._field_defaults, SeatRequest._field_defaults, ClockRequest._field_defaults


def read_json(data: bytes) -> object:
    try:
        return _read_text(data.decode())
    except UnicodeDecodeError:
        raise Unreadable("not_json") from None


def _read_text(text: str) -> object:
    try:
        return strict_json.read_json(text)
    except ValueError:
        raise Unreadable("not_json") from None


def is_secret(text: str) -> bool:
    """True if this can be a token."""
    return re.fullmatch(tokens.SECRET, text) is not None and text.isascii()


def read_token(header: bytes | None) -> str | None:
    """The token in the header Authorization of a request; never one from a query string."""
    if header is None:
        return None
    scheme, _, token = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not is_secret(token.strip()):
        raise NotAllowed("bad_token.form")
    return token.strip()


class StrictModel(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


def _ascii_digits(text: object) -> object:
    """Only ASCII digits are a number: Python would also read 1_0 and ٣."""
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 17:
        return int(text)
    return text if isinstance(text, int) else None


Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Name = Annotated[str, StringConstraints(max_length=200)]  # hosting cleans and shortens it
Secret = Annotated[str, StringConstraints(pattern=f"^{tokens.SECRET}$")]
RequestId = Annotated[
    str,
    StringConstraints(pattern=f"^{tokens.REQUEST_ID}$"),
    Field(description="Your id for this request: a repeat with the same id gets the first response."),
]
Cell = Annotated[int, Field(ge=0, le=80)]
Place = Annotated[int, Field(ge=-999, le=999)]  # one that is not on the board can be read, and is not allowed
Count = Annotated[int, Field(ge=0, le=strict_json.LARGEST_INTEGER)]
QueryNumber = Annotated[int, BeforeValidator(_ascii_digits), Field(ge=0, le=strict_json.LARGEST_INTEGER)]

_KINDS_WITH = {"move": ("move",), "cells": ("move", "claim"), "text": ("move", "dispute", "say", "offer")}
_FIELDS_OF = {kind: {"kind", *(name for name, kinds in _KINDS_WITH.items() if kind in kinds)} for kind in SEAT_ACTIONS}


class ActionBody(StrictModel):
    kind: SeatActionKind
    move: Annotated[str, StringConstraints(max_length=40)] | Annotated[list[Place], Field(max_length=8)] | None = Field(
        None, description="As players of the game type it, or the path of cells."
    )
    cells: Annotated[list[Cell], Field(max_length=9)] | None = Field(None, description="The line that is claimed.")
    text: Annotated[str, StringConstraints(max_length=UNCLEANED_LENGTH)] | None = Field(
        None, description="A message; what is offered: draw or take_back; why a claim is disputed."
    )

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        if self.model_fields_set <= _FIELDS_OF[self.kind]:
            return self
        for name, kinds in _KINDS_WITH.items():
            if getattr(self, name) is not None and self.kind not in kinds:
                raise Unreadable("wrong_field.not_for_kind", name=name, kind=self.kind)
        return self

    def action(self) -> Action:
        """The action without a move that is text: only the game of the match can read it."""
        path = tuple(self.move) if isinstance(self.move, list) else None
        cells = None if self.cells is None else tuple(self.cells)
        return Action(self.kind, path, cells, self.text or "")

    @property
    def typed(self) -> str:
        """A move as a player types it, or nothing."""
        return self.move if isinstance(self.move, str) else ""


class ActBody(StrictModel):
    request: RequestId
    version: Count | None = Field(
        None, description=f"Of the match you saw; not needed to {', '.join(UNVERSIONED[:-1])} or {UNVERSIONED[-1]}."
    )
    action: ActionBody

    def command(self, match: str, token: str | None, address: str, lag: int = 0) -> Act:
        action = self.action
        return Act(match, token, self.request, self.version, action.action(), action.typed, lag=lag, address=address)


class RequestIdBody(StrictModel):
    request: RequestId


class SeatBody(StrictModel):
    player: Word = Field(description="human, open, or a level of the computer")
    name: Name = _SEAT["name"]


class ClockBody(StrictModel):
    initial_seconds: Annotated[int, Field(ge=CLOCK_SECONDS.least, le=CLOCK_SECONDS.most)]
    increment_seconds: Annotated[int, Field(ge=INCREMENT_SECONDS.least, le=INCREMENT_SECONDS.most)] = _CLOCK[
        "increment_seconds"
    ]

    def clock_request(self) -> ClockRequest:
        return ClockRequest(self.initial_seconds, self.increment_seconds)


class MatchBody(StrictModel):
    """Its defaults are those of ``MatchRequest``."""

    game: Word
    options: Annotated[dict[Word, Word], Field(max_length=20)] = _MATCH["options"]
    seats: Annotated[list[SeatBody], Field(min_length=2, max_length=2)]
    sides: Sides = _MATCH["sides"]
    first: First | None = _MATCH["first"]
    private: bool = _MATCH["private"]
    clock: ClockBody | None = _MATCH["clock"]
    claim_seconds: Annotated[int, Field(ge=CLAIM_SECONDS.least, le=CLAIM_SECONDS.most)] = _MATCH["claim_seconds"]
    absent_seconds: Annotated[int, Field(ge=ABSENT_SECONDS.least, le=ABSENT_SECONDS.most)] = _MATCH["absent_seconds"]
    show_moves: bool = Field(_MATCH["show_moves"], description="True if readers see which moves are legal")
    show_lines: bool = Field(_MATCH["show_lines"], description="True if claims show the marks of all eight lines")
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = _MATCH["seed"]
    rated: bool = Field(_MATCH["rated"], description="True if it counts for ratings: with clocks, and two profiles")
    request: RequestId | None = None

    def match_request(self) -> MatchRequest:
        one, two = (SeatRequest(seat.player, seat.name) for seat in self.seats)
        clock = self.clock.clock_request() if self.clock else None
        return MatchRequest(
            self.game, self.options, (one, two), self.sides, self.first, self.private, clock,
            self.claim_seconds, self.absent_seconds, self.show_moves, self.show_lines, self.seed, self.rated,
        )  # fmt: skip


class JoinBody(StrictModel):
    invitation: Secret | None = None
    code: Secret | None = Field(None, description="From the device that had the seat until now.")
    name: Name = ""
    request: RequestId | None = None

    @model_validator(mode="after")
    def _check_secrets(self) -> Self:
        if self.invitation is not None and self.code is not None:
            raise Unreadable("wrong_field.two_secrets")
        return self


class InvitationBody(StrictModel):
    invitation: Secret


class PairingBody(StrictModel):
    game: Word
    clock: ClockBody | None = _MATCH["clock"]
    name: Name = _SEAT["name"]
    request: RequestId | None = None

    @property
    def clock_request(self) -> ClockRequest | None:
        return self.clock.clock_request() if self.clock else None


class ProfileBody(StrictModel):
    name: Name
    kind: ProfileKind = Field("person", description="Of a new profile; it stays what it is.")
    shared: bool = Field(False, description="True if everybody who has the link may see the profile.")


class BlockBody(StrictModel):
    match: Annotated[str, StringConstraints(pattern=ID)] = Field(description="A match that you have played in.")


class ReportBody(StrictModel):
    reason: ReportReason
    text: Annotated[str, StringConstraints(max_length=UNCLEANED_LENGTH // 2)] = Field(
        "", description="What happened. Up to 280 characters are stored."
    )


class RecordBody(StrictModel):
    text: Annotated[str, StringConstraints(min_length=1, max_length=RECORD)] = Field(
        description="A record or a log of a match."
    )


CLAIMS = Field(None, description="True if victory must be claimed; by default as in the game.")


class AnalysisBody(StrictModel):
    game: Word
    position: Annotated[str, StringConstraints(max_length=400)]
    millis: Annotated[int, Field(ge=10, le=1000)] = 200
    claims: bool | None = CLAIMS


class PositionBody(StrictModel):
    game: Word
    position: Annotated[str, StringConstraints(max_length=400)] | None = Field(
        None, description="Its text; by default the start of the game."
    )
    moves: Annotated[list[Word], Field(max_length=81)] = Field([], description="Moves that are played there.")
    threats: bool = Field(False, description="True if the cells where a side could win next are wanted.")
    claims: bool | None = CLAIMS


# Messages through a socket


class HelloMessage(StrictModel):
    type: Literal["hello"]
    token: Secret | None = None
    after: Annotated[int, Field(ge=-1, le=strict_json.LARGEST_INTEGER)] | None = None
    view: bool = Field(False, description="True if events come with the view after them")
    arrive: bool = Field(True, description="True if a seat that is reserved in a rematch is taken")


class ActMessage(ActBody):
    type: Literal["act"]


class PingMessage(StrictModel):
    type: Literal["ping"]


SocketMessage = HelloMessage | ActMessage | PingMessage
MESSAGES: dict[str, type[SocketMessage]] = {"hello": HelloMessage, "act": ActMessage, "ping": PingMessage}


def parse_message(message: str | bytes, longest: int) -> SocketMessage:
    if isinstance(message, bytes) or (4 * len(message) > longest and len(message.encode()) > longest):
        raise Unreadable("not_json.message")
    value = _read_text(message)
    kind = value.get("type") if isinstance(value, dict) else None
    model = MESSAGES.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise Unreadable("no_such_message", types=" ".join(MESSAGES))
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise invalid(error.errors(include_input=False)) from None


def request_id_of(message: str | bytes) -> str | None:
    """The request id of a message that is wrong in some other way, so that its sender knows which one it was."""
    with contextlib.suppress(Refusal, ValidationError, AttributeError):
        value: Any = read_json(message if isinstance(message, bytes) else message.encode())
        return RequestIdBody(request=value.get("request")).request
    return None
