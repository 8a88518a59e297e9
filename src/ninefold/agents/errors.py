"""How a tool refuses a call: what is wrong, what is possible, and the match as it is now."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ninefold.agents.arguments import GUESSES
from ninefold.agents.backend import Backend, parse_key
from ninefold.agents.models import ToolRefusal, ToolResult, tool_result
from ninefold.agents.parsing import NAMES_A_PLAYER
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.messages import refusal_texts, text
from ninefold.core.strict_json import LARGEST_INTEGER
from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import WRONG_FIELD, field_message, field_name

MOST_ERRORS = 5
_NOT_A_NUMBER_IN_RANGE = {"greater_than_equal", "less_than_equal", "int_type", "int_from_float"}
# Codes whose usual text is about tokens, which tools do not have.
_FOR_TOOLS = {"bad_token": "bad_token.tool"}


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
    if code := _FOR_TOOLS.get(refusal.code):
        return refusal_texts(code, refusal.params)
    return refusal.sentence, refusal.instead


async def note_unreadable(backend: Backend, tool: str, arguments: Mapping[str, Any], reason: str = WRONG_FIELD) -> None:
    """Record an unreadable call in the audit of its match, where all refusals are."""
    with contextlib.suppress(Refusal):
        if isinstance(seat := arguments.get("seat"), str):
            await backend.note(parse_key(seat), tool, reason)


def wrong_arguments(
    errors: Sequence[Mapping[str, Any]], given: Collection[str], tool: str, schema: Mapping[str, Any]
) -> Unreadable | None:
    """The refusal of arguments that are unknown, missing or of the wrong type; None if there are none. What was sent is
    not repeated: it may be a secret."""
    required, names = schema.get("required", ()), schema["properties"]
    wrong = [_unknown(name, given, tool, schema) for name in given if name not in names]
    wrong += [_describe(error, names) for error in errors]
    if not wrong:
        return None
    optional = [name for name in names if name not in required]
    return Unreadable(
        ("wrong_field.optional" if optional else "wrong_field.required") if required else "wrong_field.only_optional",
        errors=" ".join(wrong[:MOST_ERRORS]),
        tool=tool,
        required=", ".join(required),
        optional=", ".join(optional),
    )


def _unknown(name: str, given: Collection[str], tool: str, schema: Mapping[str, Any]) -> str:
    field, right = quoted(name, 40), right_name(name, given, schema)
    if right is None:
        return text("field.unknown", field=field, tool=tool)
    return text("field.misnamed", field=field, tool=tool, name=quoted(right))


def right_name(wrong: str, given: Collection[str], schema: Mapping[str, Any]) -> str | None:
    """The argument that was probably meant: rather one that is required, and none that was given."""
    required = schema.get("required", ())
    names = sorted((name for name in schema["properties"] if name not in given), key=lambda name: name not in required)
    words = wrong.lower().replace("-", "_").split("_")
    named = [name for name in names if name in words]
    guessed = [name for name in names if not {*words}.isdisjoint(GUESSES.get(name, "").split())]
    return next(iter([*named, *guessed, *get_close_matches(wrong.lower(), names)]), None)


def _describe(error: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    field = field_name(error["loc"])
    if error["type"] == "string_pattern_mismatch":  # only requests have a pattern
        return text("field.request_id", field=field, most=tokens.LONGEST)
    is_about_range = error["type"] in _NOT_A_NUMBER_IN_RANGE and len(error["loc"]) == 1
    sentence = _range(field, schemas[error["loc"][0]]) if is_about_range else ""
    return sentence or str(field_message(error))


def _range(field: str, schema: Mapping[str, Any]) -> str:
    """The values that a whole number may have, in a sentence; empty if the schema has no range."""
    found = next((one for one in schema.get("anyOf", [schema]) if "maximum" in one), None)
    if found is None:
        return ""
    least, most = found.get("minimum", 0), found["maximum"]
    code = "field.version" if most == LARGEST_INTEGER else "field.range"  # only versions are so large
    return text(code, field=field, least=least, most=most)
