"""What the tools are given: types with the words that a model reads, and patience for how models write."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from ninefold.agents.parsing import as_typed
from ninefold.games import all_games

LONGEST_WAIT = 50  # seconds; many hosts give up on a call after sixty
LARGEST = 2**53 - 1  # what every JSON reader keeps exactly


def _whole(given: object) -> object:
    """Models write "3" where they mean 3."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 17:
        return int(given)
    return given


Digits = BeforeValidator(_whole)
Written = BeforeValidator(as_typed)

Game = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(
        description=" ".join(f"{game.id}: {game.summary}" for game in all_games().values()),
        json_schema_extra={"enum": list(all_games())},
    ),
]
Opponent = Annotated[
    Literal["open", "random", "easy", "medium", "hard", "perfect", "expert"],
    Field(
        description="open: somebody you invite. Else a level of the computer; perfect exists in classic, agents and "
        "swap-nine, expert in squared and ultimate."
    ),
]
First = Annotated[
    Literal["X", "O", "toss"] | None, Field(description="Who starts; by default as the rules of the game say.")
]
Name = Annotated[str, StringConstraints(max_length=40), Field(description="What you are called.")]
Word = Annotated[str, StringConstraints(max_length=40)]
Options = Annotated[dict[Word, Word] | None, Field(description="Options of the rules by name; see rules://GAME.")]
Link = Annotated[
    str,
    StringConstraints(max_length=300),
    Field(
        description="An invitation link, or the id of a public match with a free seat. It may be left out where this "
        "server was started with an invitation."
    ),
]
SeatKey = Annotated[
    str,
    StringConstraints(max_length=120),
    Field(description="Your seat: the word that create_match or join gave you. Keep it secret."),
]
Request = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$"),
    Field(description="Your own new name for this write. Repeated under the same name, nothing happens twice."),
]
LastingRequest = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$"),
    Field(
        description="Your own new name for this call: 16 to 64 random letters and digits that nobody could guess. "
        "Repeated under the same name, you get the same seat and not a second one."
    ),
]
Version = Annotated[
    int,
    Field(
        strict=True, ge=0, le=LARGEST, description="The version you saw last; if the game has gone on, you are told."
    ),
    Digits,
]
AnyVersion = Annotated[
    int | None, Field(strict=True, ge=0, le=LARGEST, description="Not needed: this is never too late."), Digits
]
Move = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(
        description="5 in classic; [1,2] in agents; 27 (board 2, cell 7) in squared and ultimate, or 7 where only one "
        "board is open; 2x5 (place on 2, take 5) or 2 in swap-nine. rules://GAME says how cells are called."
    ),
    Written,
]
Cell = Annotated[str, StringConstraints(max_length=20), Written]
Cells = Annotated[
    list[Cell], Field(max_length=9, description='Your three cells, as they are called: ["[0,0]", "[1,1]", "[2,2]"].')
]
ClaimWithMove = Annotated[
    list[Cell] | None,
    Field(max_length=9, description="In the agents' game: the three cells of the line that this move completes."),
]
Words = Annotated[str, StringConstraints(max_length=2000), Field(description="Up to 280 characters.")]
WordsWithMove = Annotated[str, StringConstraints(max_length=2000), Field(description="Something to say with it.")]
Reason = Annotated[str, StringConstraints(max_length=2000), Field(description="What is wrong with it, in words.")]
ClockSeconds = Annotated[
    int, Field(strict=True, ge=0, le=86_400, description="Each player's time for the game; 0 for none."), Digits
]
Increment = Annotated[int, Field(strict=True, ge=0, le=3_600, description="Seconds added after each move."), Digits]
ClaimSeconds = Annotated[
    int,
    Field(strict=True, ge=5, le=3_600, description="After which the referee settles a claim that nobody answers."),
    Digits,
]
WaitSeconds = Annotated[int, Field(strict=True, ge=0, le=LONGEST_WAIT, description="How long to wait at most."), Digits]
