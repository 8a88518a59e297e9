"""The keys of agents' profiles. The host of an agent sends one beside its calls, so that no model has to see it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from ninefold.core.errors import NotAllowed
from ninefold.core.messages import text
from ninefold.server.hosting import tokens
from ninefold.server.hosting.profiles import ProfileKind

VARIABLE = "NINEFOLD_KEY"  # of the environment, for ``ninefold mcp``
KIND: ProfileKind = "agent"
_BEARER = re.compile(rf"bearer +({tokens.SECRET})", re.IGNORECASE)
_KEY: ContextVar[str | None] = ContextVar("ninefold_profile_key", default=None)
_CHARGE: ContextVar[Callable[[], None]] = ContextVar("ninefold_profile_charge", default=lambda: None)


def from_headers(headers: Mapping[str, str]) -> str | None:
    """The key in the header Authorization of a request; None without one."""
    header = headers.get("authorization")
    if header is None:
        return None
    found = _BEARER.fullmatch(header.strip())
    if not found:
        raise NotAllowed("bad_token.form")
    return found[1]


def from_environment() -> str | None:
    """The key in the environment of this process; None without one."""
    key = os.environ.get(VARIABLE, "").strip()
    if key and not re.fullmatch(tokens.SECRET, key):
        raise NotAllowed("bad_key.variable", variable=VARIABLE)
    return key or None


@contextmanager
def calling_with(key: str | None, charge: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Inside, an agent acts that has sent this key. ``charge`` refuses a new profile if there are too many."""
    before, charged_before = _KEY.set(key), _CHARGE.set(charge)
    try:
        yield
    finally:
        _KEY.reset(before)
        _CHARGE.reset(charged_before)


def current() -> str | None:
    return _KEY.get()


def charge_for_new() -> None:
    """A profile is about to be made: a refusal if the caller has made too many."""
    _CHARGE.get()()


def profile_name(name: str) -> str:
    """The name of a new profile of an agent."""
    return name or text("agent.name")
