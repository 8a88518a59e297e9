"""The table that agents sit at: what the tools need of matches, be they kept in this process or on a server."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, NamedTuple, Protocol

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import OPEN

_KEY = re.compile(r"([A-Za-z0-9]{1,32})(?:\.([12])\.([A-Za-z0-9_-]{16,64}))?")

WHOLE_SEAT = "Show the whole word that create_match or join gave you."

View = Mapping[str, Any]  # a match as its reader sees it; docs/protocol.md has every field


class Key(NamedTuple):
    """What an agent shows to act: the match, its seat there, and the secret of that seat.

    It is one word, so that a model has one thing to keep. An agent that only watches shows the match alone.
    """

    match: str
    seat: int = 0
    token: str | None = None

    def __str__(self) -> str:
        return f"{self.match}.{self.seat}.{self.token}" if self.token else self.match


def read_key(text: str) -> Key:
    """The key in a word. Who changes the number in it looks at the board from the other side, and no more."""
    found = _KEY.fullmatch(text.strip())
    if not found:
        raise _not_a_seat("This is no seat.")
    match, seat, token = found.groups()
    return Key(match, int(seat or 0), token)


def read_seat(text: str) -> Key:
    """The key of somebody who acts. The id of a match alone is for those who watch."""
    key = read_key(text)
    if not key.token:
        raise _not_a_seat("This is no seat: who shows it can only watch.")
    return key


def _not_a_seat(sentence: str) -> Unreadable:
    return Unreadable("not_a_seat", sentence, WHOLE_SEAT)


class Wanted(NamedTuple):
    """A match that an agent asks for. It has seat 1 itself."""

    game: str
    opponent: str = OPEN  # or a level of the computer
    side: str = "X"
    name: str = ""
    first: str | None = None
    options: Mapping[str, str] = {}
    private: bool = False
    clock: tuple[int, int] | None = None  # seconds, and the increment
    claim_seconds: int = 60
    show_moves: bool = True


class Seated(NamedTuple):
    """A seat that was given, and for a new match the links that lead others there."""

    key: Key
    invitation: str = ""
    watch: str = ""


class Table(Protocol):
    """Everything that is refused is raised as a Refusal."""

    async def create(self, wanted: Wanted, request: str) -> Seated: ...

    async def join(self, link: str, name: str, request: str) -> Seated: ...

    async def act(self, key: Key, request: str, version: int | None, action: Action, typed: str) -> bool:
        """Do something; whether it had been done before. ``typed`` is a move as players type it."""
        ...

    async def note(self, key: Key, tool: str) -> None:
        """Put into the audit what was tried there and cannot be read."""
        ...

    async def view(self, key: Key) -> View: ...

    async def log(self, match: str) -> str: ...

    def follow(self, key: Key) -> AsyncGenerator[View]:
        """The view as it is, and again whenever the game has gone on or somebody has spoken."""
        ...


def seen(view: View) -> object:
    """What makes a view worth telling again: events, and somebody who sat down."""
    return view["size"], view["status"], view["rematch"]


def has_moved(view: View, side: str) -> bool:
    return any(move["side"] == side for move in view["history"])


def request_used() -> NotAllowed:
    """A lost answer is asked for again before anything was done with it. Later it may be somebody else who asks."""
    return NotAllowed("request_reused", "This request was used for a match that is under way.", "Make a new one.")


def no_link() -> Unreadable:
    return Unreadable("no_link", "A seat needs a link or the id of a match.", "Ask your opponent for an invitation.")
