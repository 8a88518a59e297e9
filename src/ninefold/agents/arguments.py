"""The arguments of the tools: types with descriptions for models, lenient where models write numbers as text.

Every description is sent with every tool that has the argument, and paid for by every agent: they are short, and what
only one game needs is in its rules.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from ninefold.agents.parsing import as_typed
from ninefold.core.strict_json import LARGEST_INTEGER
from ninefold.core.text import MESSAGE_LENGTH, NAME_LENGTH, UNCLEANED_LENGTH
from ninefold.games import all_games
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import ABSENT_SECONDS, CLAIM_SECONDS, CLOCK_SECONDS, INCREMENT_SECONDS

LONGEST_WAIT = 50  # seconds; many hosts give up on a call after sixty


def _whole(given: object) -> object:
    """Models write "3" where they mean 3."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 17:
        return int(given)
    return given


Digits = BeforeValidator(_whole)
AsText = BeforeValidator(as_typed)

GameId = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(description="The tool rules explains each.", json_schema_extra={"enum": list(all_games())}),
]
ExplainedGame = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(
        description=" ".join(f"{game.id}: {game.summary}" for game in all_games().values()),
        json_schema_extra={"enum": list(all_games())},
    ),
]
OpponentLevel = Annotated[
    Literal["open", "random", "easy", "medium", "hard", "perfect", "expert"],
    Field(
        description="open: somebody whom you invite. Else a level of the computer; perfect is for classic, agents and "
        "swap-nine, expert for squared and ultimate."
    ),
]
YourSide = Annotated[Literal["X", "O"], Field(description="Your side.")]
FirstSide = Annotated[
    Literal["X", "O", "toss"] | None, Field(description="The side that starts; by default as the rules say.")
]
DisplayName = Annotated[str, StringConstraints(max_length=NAME_LENGTH), Field(description="Your display name.")]
ShortText = Annotated[str, StringConstraints(max_length=40)]
RuleOptions = Annotated[
    dict[ShortText, ShortText] | None, Field(description="Options of the rules by name; the tool rules lists them.")
]
ShowMoves = Annotated[bool, Field(description="Are players told the legal moves?")]
ShowLines = Annotated[
    bool, Field(description="Are players told the marks of all eight lines? If not, they read the board themselves.")
]
Private = Annotated[bool, Field(description="Only those who have a link may watch.")]
JoinLink = Annotated[
    str,
    StringConstraints(max_length=300),
    Field(description="An invitation, or the id of a match in the lobby. Leave it out if this server has one."),
]
MySeat = Annotated[str, StringConstraints(max_length=120), Field(description="Your seat.")]
SeatOrMatch = Annotated[
    str, StringConstraints(max_length=120), Field(description="Your seat; to watch, the id of a public match.")
]
Request = Annotated[
    str,
    StringConstraints(pattern=f"^{tokens.REQUEST_ID}$"),
    Field(description="A new id. A repeat with the same id does nothing twice."),
]
OptionalRequest = Annotated[
    str | None,
    StringConstraints(pattern=f"^{tokens.REQUEST_ID}$"),
    Field(description="An id; a second call with it is refused. Not needed."),
]
Seen = Annotated[
    int, Field(strict=True, ge=0, le=LARGEST_INTEGER, description="The version that you saw last."), Digits
]
AnyVersion = Annotated[int | None, Field(strict=True, ge=0, le=LARGEST_INTEGER, description="Not needed."), Digits]
Move = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(
        description="5 in classic; [1,2] in agents; 27 (board 2, cell 7) in squared and ultimate; 2x5 (place on 2, "
        "take 5) or 2 in swap-nine."
    ),
    AsText,
]
CellText = Annotated[str, StringConstraints(max_length=20), AsText]
ClaimedCells = Annotated[
    list[CellText], Field(max_length=9, description='The three cells of your line: ["[0,0]", "[1,1]", "[2,2]"].')
]
CellsWithMove = Annotated[
    list[CellText] | None,
    Field(max_length=9, description="In the agents' game: claim these three cells, a line that the move completes."),
]
Text = Annotated[
    str, StringConstraints(max_length=UNCLEANED_LENGTH), Field(description=f"Up to {MESSAGE_LENGTH} characters.")
]
TextWithMove = Annotated[
    str, StringConstraints(max_length=UNCLEANED_LENGTH), Field(description="A message to your opponent.")
]
Reason = Annotated[
    str, StringConstraints(max_length=UNCLEANED_LENGTH), Field(description="What is wrong with the claim.")
]
OfferKind = Literal["draw", "take_back"]
LobbyState = Annotated[Literal["open", "live"], Field(description="open: to join. live: to watch.")]
Full = Annotated[
    bool, Field(description="True for all details: history, options, seats, names, all lines, ten messages.")
]
ClockSeconds = Annotated[
    int, Field(strict=True, ge=0, le=CLOCK_SECONDS.most, description="Each player's time; 0 for no clock."), Digits
]
Increment = Annotated[
    int,
    Field(strict=True, ge=INCREMENT_SECONDS.least, le=INCREMENT_SECONDS.most, description="Added after each move."),
    Digits,
]
ClaimSeconds = Annotated[
    int,
    Field(
        strict=True, ge=CLAIM_SECONDS.least, le=CLAIM_SECONDS.most, description="Until an unanswered claim is settled."
    ),
    Digits,
]
AbsentSeconds = Annotated[
    int,
    Field(
        strict=True,
        ge=ABSENT_SECONDS.least,
        le=ABSENT_SECONDS.most,
        description="Until claim_absent beats a player.",
    ),
    Digits,
]
WaitSeconds = Annotated[int, Field(strict=True, ge=0, le=LONGEST_WAIT, description="The longest time."), Digits]


# What models write instead of a name, seen in practice or likely. Close spellings need no entry.
GUESSES = {
    "seat": "token key secret player match id game",
    "cells": "claim cell line lines",
    "move": "cell position action place square",
    "link": "invitation invite url match id code seat",
    "text": "message say content words",
    "say": "message text comment chat",
    "reason": "text message why explanation",
    "seconds": "timeout time wait duration",
    "opponent": "level difficulty against computer bot",
    "game": "type variant match",
    "what": "kind offer type",
    "accept": "answer yes agree",
    "request": "id idempotency nonce",
    "version": "seen expected revision",
    "name": "player",
    "side": "mark symbol player sign",
    "state": "status",
    "full": "detail details verbose",
}
