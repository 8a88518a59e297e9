"""What an agent is told when something cannot be done: what was wrong, and what is possible now."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from ninefold.agents.situation import Situation, situation
from ninefold.agents.table import Table, read_key
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
    return Refused(reason=refusal.reason, sentence=refusal.sentence, instead=_instead(refusal, now), now=now)


def _instead(refusal: Refusal, now: Situation | None) -> str:
    if refusal.reason == "guessable_request":  # at other doors it may be left out
        return "Make it of 16 to 64 random letters and digits."
    return now.sentence if now and refusal.reason in NAMES_SOMEBODY else refusal.instead


async def note(table: Table, tool: str, given: Mapping[str, Any]) -> None:
    """What a seat cannot even say is in the audit of its match, like all that is refused there."""
    with contextlib.suppress(Refusal):
        if isinstance(seat := given.get("seat"), str):
            await table.note(read_key(seat), tool)


def wrong_fields(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Arguments that are missing or of the wrong kind. What was sent is not repeated: it may be a secret."""
    told = [f"{quoted('.'.join(str(part)[:40] for part in error['loc']), 60)}: {error['msg']}." for error in errors[:5]]
    return Problem(422, WRONG_FIELD, " ".join(told), "The tool's input schema has every field.")
