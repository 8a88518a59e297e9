"""What clients send: strict JSON into strict models, and those into the words of the service."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from ninefold.core import strict_json
from ninefold.core.errors import Unreadable
from ninefold.match.actions import Action
from ninefold.match.match import LARGEST_SEED
from ninefold.server.hosting.commands import ClockRequest, MatchRequest, SeatRequest

ID = r"^[A-Za-z0-9]{1,32}$"
PLACE = r"^[0-9]{1,16}-[A-Za-z0-9]{1,32}$"  # in the list of matches
SECRET = r"^[A-Za-z0-9_-]{16,64}$"  # noqa: S105 - what one looks like
_DEFAULT, _CLOCK = MatchRequest._field_defaults, ClockRequest._field_defaults
_LARGEST = 2**53 - 1  # what every JSON reader keeps exactly


def read_json(data: bytes) -> object:
    try:
        return strict_json.read_json(data.decode())
    except ValueError:
        raise Unreadable("not_json") from None


def is_secret(text: str) -> bool:
    """Whether some text could be a token at all."""
    return re.fullmatch(SECRET, text) is not None and text.isascii()


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


def _ascii_digits(text: object) -> object:
    """Only digits become a number: Python would also read 1_0, ٣ and more."""
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 17:
        return int(text)
    return text if isinstance(text, int) else None


Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Name = Annotated[str, StringConstraints(max_length=200)]  # cleaned and cut by the service
Secret = Annotated[str, StringConstraints(pattern=SECRET)]
Request = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$"),
    Field(description="Your name for this write: a repeat with the same name gets the first answer."),
]
Cell = Annotated[int, Field(ge=0, le=80)]
Counted = Annotated[int, Field(ge=0, le=_LARGEST)]
Digits = Annotated[int, BeforeValidator(_ascii_digits), Field(ge=0, le=_LARGEST)]  # of a query

Kind = Literal[
    "move", "claim", "confirm", "dispute", "withdraw", "say", "offer", "accept", "decline", "resign", "leave"
]  # fmt: skip
_GOES_WITH = {"move": ("move",), "cells": ("move", "claim"), "text": ("move", "dispute", "say", "offer")}


class ActionIn(Strict):
    kind: Kind
    move: Annotated[str, StringConstraints(max_length=40)] | Annotated[list[Cell], Field(max_length=8)] | None = Field(
        None, description="As players of the game type it, or the path of cells."
    )
    cells: Annotated[list[Cell], Field(max_length=9)] | None = Field(None, description="The line that is claimed.")
    text: Annotated[str, StringConstraints(max_length=2000)] | None = Field(
        None, description="A message; what is offered: draw or take_back; why a claim is disputed."
    )

    @model_validator(mode="after")
    def _belongs(self) -> Self:
        for name, kinds in _GOES_WITH.items():
            if getattr(self, name) is not None and self.kind not in kinds:
                raise ValueError(f"{name} does not go with {self.kind}")
        return self

    def action(self) -> Action:
        """A move as text is left out: only the game of the match can read it."""
        path = tuple(self.move) if isinstance(self.move, list) else None
        cells = None if self.cells is None else tuple(self.cells)
        return Action(self.kind, path, cells, self.text or "")

    @property
    def typed(self) -> str:
        """A move as a player types it, or nothing."""
        return self.move if isinstance(self.move, str) else ""


class ActIn(Strict):
    request: Request
    version: Counted | None = Field(None, description="Of the match you saw; not needed to say, resign or leave.")
    action: ActionIn


class RequestIn(Strict):
    request: Request


class PlaceIn(Strict):
    player: Word = Field(description="human, open, or a level of the computer")
    name: Name = ""


class ClockIn(Strict):
    initial_seconds: Annotated[int, Field(ge=1, le=86_400)]
    increment_seconds: Annotated[int, Field(ge=0, le=3_600)] = _CLOCK["increment_seconds"]


class CreateIn(Strict):
    game: Word
    options: Annotated[dict[Word, Word], Field(max_length=20)] = {}
    seats: Annotated[list[PlaceIn], Field(min_length=2, max_length=2)]
    sides: Literal["XO", "OX"] = "XO"
    first: Literal["X", "O", "toss"] | None = None
    private: bool = False
    clock: ClockIn | None = None
    claim_seconds: Annotated[int, Field(ge=5, le=3_600)] = _DEFAULT["claim_seconds"]
    absent_seconds: Annotated[int, Field(ge=10, le=86_400)] = _DEFAULT["absent_seconds"]
    show_moves: bool = Field(_DEFAULT["show_moves"], description="True if readers are told which moves are legal")
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = None
    request: Request | None = None

    def match_request(self) -> MatchRequest:
        one, two = (SeatRequest(seat.player, seat.name) for seat in self.seats)
        clock = ClockRequest(self.clock.initial_seconds, self.clock.increment_seconds) if self.clock else None
        return MatchRequest(
            self.game, self.options, (one, two), self.sides, self.first, self.private, clock,
            self.claim_seconds, self.absent_seconds, self.show_moves, self.seed,
        )  # fmt: skip


class JoinIn(Strict):
    invitation: Secret | None = None
    code: Secret | None = Field(None, description="From the device that had the seat until now.")
    name: Name = ""
    request: Request | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.invitation is not None and self.code is not None:
            raise ValueError("an invitation or a code, not both")
        return self


class RecordIn(Strict):
    text: Annotated[str, StringConstraints(min_length=1, max_length=1024 * 1024)] = Field(
        description="A record or a log of a match."
    )


class AnalysisIn(Strict):
    game: Word
    position: Annotated[str, StringConstraints(max_length=400)]
    millis: Annotated[int, Field(ge=10, le=1000)] = 200


class HelloIn(Strict):
    type: Literal["hello"]
    token: Secret | None = None
    after: Annotated[int, Field(ge=-1, le=_LARGEST)] | None = None


class SocketActIn(ActIn):
    type: Literal["act"]


class PingIn(Strict):
    type: Literal["ping"]
