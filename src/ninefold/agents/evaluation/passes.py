"""The passes of a program, and the places in its messages where the secrets of its seat belong.

In any other place a pass stays a pass: what a program says in the chat is read by its opponent.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

PASS = re.compile(r"gate[A-Za-z0-9_-]{28}")


def new_pass() -> str:
    """A pass has the length of a secret, so that it can be replaced in any message."""
    return f"gate{secrets.token_urlsafe(21)}"


class SecretFields(NamedTuple):
    """An object in a message, and the names of its fields that hold a secret. ``is_join`` if it takes a seat."""

    values: dict[str, Any]
    names: tuple[str, ...]
    is_join: bool = False


def request_fields(path: str, document: Any) -> Iterator[SecretFields]:
    """The places for secrets in the body of a request: of the HTTP API the invitation, of MCP the link and the seat."""
    if path.endswith("/join"):
        if isinstance(document, dict):
            yield SecretFields(document, ("invitation",), is_join=True)
        return
    for call in document if isinstance(document, list) else [document]:
        params = call.get("params") if isinstance(call, dict) and call.get("method") == "tools/call" else None
        arguments = params.get("arguments") if isinstance(params, dict) else None
        if isinstance(params, dict) and isinstance(arguments, dict):
            yield SecretFields(arguments, ("link", "seat"), is_join=params.get("name") == "join")


def socket_fields(document: Any) -> Iterator[SecretFields]:
    """The place for a secret in a message through a socket: the token of a hello."""
    if isinstance(document, dict) and document.get("type") == "hello":
        yield SecretFields(document, ("token",))
