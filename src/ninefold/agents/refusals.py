"""What an agent is told when something cannot be done: what was wrong, and what is possible now."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from ninefold.agents.situation import Situation, situation
from ninefold.agents.table import WHOLE_SEAT, Table, read_key
from ninefold.agents.writing import NAMES_SOMEBODY
from ninefold.core import Refusal, quoted
from ninefold.service.problems import WRONG_FIELD, Problem


class Refused(BaseModel):
    """Nothing has changed."""

    reason: str = Field(description="a stable code")
    sentence: str
    instead: str
    now: Situation | None = Field(description="the board as it is, and what is asked of you")


async def refused(table: Table, refusal: Refusal, given: Mapping[str, Any]) -> Refused:
    now = None
    with contextlib.suppress(Refusal):
        if isinstance(seat := given.get("seat"), str):
            key = read_key(seat)
            now = situation(await table.view(key), key.seat)
    sentence, instead = _words(refusal, now, of_seat="seat" in given)
    return Refused(reason=refusal.reason, sentence=sentence, instead=instead, now=now)


# Who comes by other doors knows tokens, and may leave requests out.
_HERE = {
    "bad_token": ("This seat is not known in this match.", WHOLE_SEAT),
    "guessable_request": (
        "This request is too short: whoever guesses it would be given the seat.",
        "Make it of 16 to 64 random letters and digits.",
    ),
}
_NO_SEAT = ("There is no such seat, and no public match of this name.", WHOLE_SEAT)


def _words(refusal: Refusal, now: Situation | None, *, of_seat: bool) -> tuple[str, str]:
    """What was wrong, and what is possible, in the words of this door and in none that a player has chosen."""
    if of_seat and refusal.reason == "no_such_match":
        return _NO_SEAT
    if now and refusal.reason in NAMES_SOMEBODY:
        return refusal.sentence, now.sentence
    return _HERE.get(refusal.reason, (refusal.sentence, refusal.instead))


async def note(table: Table, tool: str, given: Mapping[str, Any]) -> None:
    """What a seat cannot even say is in the audit of its match, like all that is refused there."""
    with contextlib.suppress(Refusal):
        if isinstance(seat := given.get("seat"), str):
            await table.note(read_key(seat), tool)


def wrong_fields(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Arguments that are missing or of the wrong kind. What was sent is not repeated: it may be a secret."""
    told = [f"{quoted('.'.join(str(part)[:40] for part in error['loc']), 60)}: {error['msg']}." for error in errors[:5]]
    return Problem(422, WRONG_FIELD, " ".join(told), "The tool's input schema has every field.")
