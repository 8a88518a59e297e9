"""How a tool refuses a call: what is wrong, what is possible, and the match as it is now."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.agents.backend import Backend, parse_key
from ninefold.agents.models import ToolRefusal, ToolResult, tool_result
from ninefold.agents.parsing import NAMES_A_PLAYER
from ninefold.core.errors import Refusal, Unreadable
from ninefold.core.messages import refusal_texts, text
from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import field_message, field_name

MOST_ERRORS = 5
# Reasons whose usual text is about tokens and optional requests, which tools do not have.
_FOR_TOOLS = {"bad_token": "bad_token.tool", "guessable_request": "guessable_request.tool"}


async def tool_refusal(backend: Backend, refusal: Refusal, arguments: Mapping[str, Any]) -> ToolRefusal:
    now = None
    with contextlib.suppress(Refusal):
        if isinstance(seat := arguments.get("seat"), str):
            key = parse_key(seat)
            now = tool_result(await backend.view(key), key.seat)
    sentence, instead = _texts(refusal, now, has_seat="seat" in arguments)
    return ToolRefusal(reason=refusal.reason, sentence=sentence, instead=instead, now=now)


def _texts(refusal: Refusal, now: ToolResult | None, *, has_seat: bool) -> tuple[str, str]:
    """Sentences on what is wrong and what is possible, in terms of the tools, without the names that players chose."""
    if has_seat and refusal.reason == "no_such_match":
        return refusal_texts("no_such_match.tool", {})
    if now and refusal.reason in NAMES_A_PLAYER:
        return refusal.sentence, now.sentence
    if code := _FOR_TOOLS.get(refusal.reason):
        return refusal_texts(code, refusal.params)
    return refusal.sentence, refusal.instead


async def note_unreadable(backend: Backend, tool: str, arguments: Mapping[str, Any]) -> None:
    """Record an unreadable call in the audit of its match, where all refusals are."""
    with contextlib.suppress(Refusal):
        if isinstance(seat := arguments.get("seat"), str):
            await backend.note(parse_key(seat), tool)


def wrong_arguments(errors: Sequence[Mapping[str, Any]], tool: str, schema: Mapping[str, Any]) -> Unreadable:
    """Arguments that are missing or of the wrong type. What was sent is not repeated: it may be a secret."""
    required = schema["required"]
    optional = [name for name in schema["properties"] if name not in required]
    return Unreadable(
        "wrong_field.optional" if optional else "wrong_field.required",
        errors=" ".join(_describe(error) for error in errors[:MOST_ERRORS]),
        tool=tool,
        required=", ".join(required),
        optional=", ".join(optional),
    )


def _describe(error: Mapping[str, Any]) -> str:
    if error["type"] == "string_pattern_mismatch":  # only requests have a pattern
        return text("field.request_id", field=field_name(error["loc"]), most=tokens.LONGEST)
    return str(field_message(error))
