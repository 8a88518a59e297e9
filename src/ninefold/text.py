"""Text from outside: made safe to show, and JSON without what only Python would take."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from ninefold.core import Unreadable

NAME_LENGTH = 40
MESSAGE_LENGTH = 280


def clean(text: str) -> str:
    """Without control characters, terminal escapes, bidirectional overrides and lone surrogates.

    >>> clean("good\\x1b[31m game\\u202e")
    'good[31m game'
    """
    shown = (char if char.isprintable() else " " if char.isspace() else "" for char in text)
    return "".join(shown).strip()


def clean_name(text: str) -> str:
    return clean(text)[:NAME_LENGTH]


def read_message(text: str) -> str:
    """A message as it may be kept: clean, not empty, not too long."""
    message = clean(text)
    if not message:
        raise Unreadable("no_text", "There is no text in that message.")
    if len(message) > MESSAGE_LENGTH:
        raise Unreadable("too_long", f"A message has at most {MESSAGE_LENGTH} characters; this one has {len(message)}.")
    return message


def read_json(text: str) -> object:
    """What JSON says; a ValueError for a field twice, a number that is none, half a surrogate pair, or too deep."""
    try:
        value: object = json.loads(
            text, object_pairs_hook=_no_repeats, parse_constant=_no_constant, parse_float=_finite
        )
        if "\\u" in text:  # the only way in for half of a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("too deep") from None
    return value


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number
