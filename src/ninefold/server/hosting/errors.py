"""Refusals that several modules of the server need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import Message, catalogue, message, text

WRONG_FIELD = "wrong_field"  # the reason of a request that has not the shape it should have
UNREADABLE = "unreadable"  # the kind of an action in the audit, if that cannot be read


def field_message(error: Mapping[str, Any], location: Sequence[object] | None = None) -> Message:
    """What is wrong with a field, from an error of pydantic. The value is not repeated: it may be a secret."""
    context = error.get("ctx", {})
    if isinstance(refusal := context.get("error"), Refusal):  # by a validator of ours
        return message(refusal.code, **refusal.params)
    code = f"field.{error['type']}"
    field = field_name(error["loc"] if location is None else location)
    return message(code if code in catalogue() else "field.other", field=field, **context)


def field_name(location: Sequence[object]) -> str:
    """A field in a sentence."""
    name = ".".join(str(part)[:40] for part in location)
    return quoted(name, 60) if name else text("field.request")


def no_such_match() -> NotAllowed:
    return NotAllowed("no_such_match")


def bad_token() -> NotAllowed:
    return NotAllowed("bad_token")


def has_left() -> NotAllowed:
    return NotAllowed("left")


def unreadable_match() -> Unreadable:
    return Unreadable("unreadable_match")


def unavailable() -> NotAllowed:
    return NotAllowed("come_back")


def unexpected() -> NotAllowed:
    return NotAllowed("unexpected")
