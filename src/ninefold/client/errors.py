"""Refusals of a client: in the words of a server, or because of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ninefold.client.http import is_unreadable
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import Message, message, said_again
from ninefold.core.text import clean


def refusal_of(status: int, body: bytes | dict[str, Any]) -> Refusal:
    """The refusal of a server: in the language of this process if that has the code, else in the server's own words."""
    kind = Unreadable if is_unreadable(status) else NotAllowed
    try:
        document = body if isinstance(body, dict) else json.loads(body)
        reason, sentence, instead = (clean(str(document[name])) for name in ("reason", "detail", "instead"))
        code = clean(str(document.get("code", reason)))
        params = {clean(str(name)): _param(value) for name, value in dict(document.get("params", {})).items()}
        parts = {str(path): _part(part) for path, part in dict(document.get("parts", {})).items()}
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return kind("refused", status=status)
    if code.partition(".")[0] != reason:
        code, params = reason, {}
    said, possible = said_again(code, params | _messages(parts), (sentence, instead))
    if "instead" in parts and "instead" not in params:  # not the code's own text
        other = _messages(parts)["instead"]
        possible, _ = said_again(other.code, dict(other.params), (instead, ""))
    return kind.from_text(code, said, possible, **params)


def _part(part: Mapping[str, Any]) -> tuple[str, dict[str, object]]:
    return clean(str(part["code"])), {clean(str(name)): _param(value) for name, value in dict(part["params"]).items()}


def _messages(parts: Mapping[str, tuple[str, dict[str, object]]], above: str = "") -> dict[str, Message]:
    """The parameters that are messages, with those that are parameters of them."""
    found = {path.removeprefix(above): part for path, part in parts.items() if path.startswith(above)}
    return {
        name: message(code, **{**params, **_messages(parts, f"{above}{name}.")})
        for name, (code, params) in found.items()
        if "." not in name
    }


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
