"""Refusals of a client: in the words of a server, or because of it."""

from __future__ import annotations

import json
from typing import Any

from ninefold.client.http import is_unreadable
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.text import clean


def refusal_of(status: int, body: bytes | dict[str, Any]) -> Refusal:
    """The refusal of a server, in its own words as far as it has any."""
    kind = Unreadable if is_unreadable(status) else NotAllowed
    try:
        document = body if isinstance(body, dict) else json.loads(body)
        reason, sentence, instead = (clean(str(document[name])) for name in ("reason", "detail", "instead"))
        code = clean(str(document.get("code", reason)))
        params = {clean(str(name)): _param(value) for name, value in dict(document.get("params", {})).items()}
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return kind("refused", status=status)
    if code.partition(".")[0] != reason:
        code, params = reason, {}
    return kind.from_text(code, sentence, instead, **params)


def _param(value: object) -> object:
    return value if isinstance(value, int) else clean(str(value))


def no_connection(address: str) -> NotAllowed:
    return NotAllowed("no_connection", server=address)


def invalid_response(address: str) -> Unreadable:
    return Unreadable("not_a_server.response", server=quoted(address, 60))


def spectators_cannot_act() -> NotAllowed:
    return NotAllowed("only_watching")


def seat_moved() -> NotAllowed:
    return NotAllowed("moved")
