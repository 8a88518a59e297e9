"""What an agent is told when something cannot be done: what was wrong, and what is possible now."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from ninefold.agents.backend import WHOLE_SEAT, Table, read_key
from ninefold.agents.models import Situation, situation
from ninefold.agents.parsing import NAMES_SOMEBODY
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.server.hosting.errors import WRONG_FIELD


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


_WRONG = {
    "missing": "is missing",
    "string_type": "has to be text",
    "int_type": "has to be a whole number",
    "int_from_float": "has to be a whole number",
    "bool_type": "has to be true or false",
    "bool_parsing": "has to be true or false",
    "list_type": "has to be a list",
    "dict_type": "has to be an object",
    "string_too_long": "has more than {max_length} characters",
    "too_long": "has more than {max_length} parts",
    "greater_than_equal": "is less than {ge}",
    "less_than_equal": "is more than {le}",
    "literal_error": "has to be {expected}",
    "string_pattern_mismatch": "has to be of 1 to 64 letters, digits and . _ : -",  # a request, and nothing else
}


def wrong_fields(errors: Sequence[Mapping[str, Any]], tool: str, schema: Mapping[str, Any]) -> Unreadable:
    """Arguments that are missing or of the wrong kind. What was sent is not repeated: it may be a secret."""
    return Unreadable(WRONG_FIELD, " ".join(map(_wrong, errors[:5])), _fields(tool, schema))


def _wrong(error: Mapping[str, Any]) -> str:
    where = quoted(".".join(str(part)[:40] for part in error["loc"]), 60)
    return f"{where} {_WRONG.get(error['type'], 'cannot be read').format(**error.get('ctx', {}))}."


def _fields(tool: str, schema: Mapping[str, Any]) -> str:
    required = schema["required"]
    others = [name for name in schema["properties"] if name not in required]
    return f"{tool} needs {', '.join(required)}" + (f", and may have {', '.join(others)}." if others else ".")
