"""The arguments of the tools: types with descriptions for models, lenient where models write numbers as text."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from ninefold.agents.parsing import as_typed
from ninefold.core.strict_json import LARGEST_INTEGER
from ninefold.core.text import MESSAGE_LENGTH, NAME_LENGTH, UNCLEANED_LENGTH
from ninefold.games import all_games
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import CLAIM_SECONDS, CLOCK_SECONDS, INCREMENT_SECONDS

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
    Field(
        description=" ".join(f"{game.id}: {game.summary}" for game in all_games().values()),
        json_schema_extra={"enum": list(all_games())},
    ),
]
OpponentLevel = Annotated[
    Literal["open", "random", "easy", "medium", "hard", "perfect", "expert"],
    Field(
        description="open: a person or an agent that you invite. Else a level of the computer; perfect exists in "
        "classic, agents and swap-nine, expert in squared and ultimate."
    ),
]
YourSide = Annotated[Literal["X", "O"], Field(description="Your side.")]
FirstSide = Annotated[
    Literal["X", "O", "toss"] | None,
    Field(description="The side that starts; by default as the rules of the game say."),
]
DisplayName = Annotated[str, StringConstraints(max_length=NAME_LENGTH), Field(description="Your display name.")]
ShortText = Annotated[str, StringConstraints(max_length=40)]
RuleOptions = Annotated[
    dict[ShortText, ShortText] | None, Field(description="Options of the rules by name; see rules://GAME.")
]
ShowMoves = Annotated[bool, Field(description="True if players are told which moves are legal.")]
Private = Annotated[bool, Field(description="True if only those who have a link may watch.")]
JoinLink = Annotated[
    str,
    StringConstraints(max_length=300),
    Field(
        description="An invitation link, or the id of a public match with an open seat. Leave it out if this server "
        "was started with an invitation."
    ),
]
MySeat = Annotated[
    str,
    StringConstraints(max_length=120),
    Field(description="Your seat, as create_match or join returned it. Keep it secret."),
]
Request = Annotated[
    str,
    StringConstraints(pattern=f"^{tokens.REQUEST_ID}$"),
    Field(description="A new id of your own for this write. A repeat with the same id does nothing twice."),
]
SecretRequest = Annotated[
    str,
    StringConstraints(pattern=f"^{tokens.REQUEST_ID}$"),
    Field(
        description=f"A new id of your own for this call: {tokens.SHORTEST} to {tokens.LONGEST} random letters and "
        "digits that nobody can guess. A repeat with the same id returns the same seat, not a second one."
    ),
]
Seen = Annotated[
    int,
    Field(
        strict=True,
        ge=0,
        le=LARGEST_INTEGER,
        description="The version that you saw last. The call is refused if the game has gone on since.",
    ),
    Digits,
]
AnyVersion = Annotated[
    int | None,
    Field(strict=True, ge=0, le=LARGEST_INTEGER, description="Not needed: this call is never stale."),
    Digits,
]
Move = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(
        description="5 in classic; [1,2] in agents; 27 (board 2, cell 7) in squared and ultimate, or 7 if only one "
        "board is open; 2x5 (place on 2, take 5) or 2 in swap-nine. rules://GAME says how cells are named."
    ),
    AsText,
]
CellText = Annotated[str, StringConstraints(max_length=20), AsText]
ClaimedCells = Annotated[
    list[CellText], Field(max_length=9, description='The three cells of your line: ["[0,0]", "[1,1]", "[2,2]"].')
]
ClaimWithMove = Annotated[
    list[CellText] | None,
    Field(max_length=9, description="In the agents' game: the three cells of the line that this move completes."),
]
Text = Annotated[
    str, StringConstraints(max_length=UNCLEANED_LENGTH), Field(description=f"Up to {MESSAGE_LENGTH} characters.")
]
TextWithMove = Annotated[
    str,
    StringConstraints(max_length=UNCLEANED_LENGTH),
    Field(description="A message to your opponent, sent with the move."),
]
Reason = Annotated[
    str, StringConstraints(max_length=UNCLEANED_LENGTH), Field(description="What is wrong with the claim.")
]
OfferKind = Literal["draw", "take_back"]
ClockSeconds = Annotated[
    int,
    Field(strict=True, ge=0, le=CLOCK_SECONDS.most, description="Each player's time for the game; 0 for no clock."),
    Digits,
]
Increment = Annotated[
    int,
    Field(
        strict=True, ge=INCREMENT_SECONDS.least, le=INCREMENT_SECONDS.most, description="Seconds added after each move."
    ),
    Digits,
]
ClaimSeconds = Annotated[
    int,
    Field(
        strict=True,
        ge=CLAIM_SECONDS.least,
        le=CLAIM_SECONDS.most,
        description="After this time the referee settles a claim without an answer.",
    ),
    Digits,
]
WaitSeconds = Annotated[int, Field(strict=True, ge=0, le=LONGEST_WAIT, description="The longest time to wait."), Digits]
