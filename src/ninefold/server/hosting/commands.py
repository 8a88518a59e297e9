"""What can be written to a kept match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.match.actions import Action
from ninefold.match.state import HUMAN
from ninefold.server.hosting.deadlines import Outages
from ninefold.server.hosting.errors import Problem
from ninefold.server.hosting.model import Kept, Settings

OPEN = "open"


class Place(NamedTuple):
    """Who is to sit on a seat: human (who asks for the match), open, or a level of the computer."""

    player: str = HUMAN
    name: str = ""


class Create(NamedTuple):
    match: str  # a new id
    game: str
    options: Mapping[str, str] = {}
    places: tuple[Place, Place] = (Place(), Place())
    sides: str = "XO"  # of seats 1 and 2
    first: str | None = None
    settings: Settings = Settings()
    seed: int = 0
    secrets: tuple[str, str, str] = ("", "", "")  # for both seats and for spectators


class Join(NamedTuple):
    match: str
    secret: str | None = None  # an invitation, or a code from another device; none for a public match
    name: str = ""
    request: str = ""


class Act(NamedTuple):
    """An action of the bearer of a token, or of the computer at a seat."""

    match: str
    token: str | None
    request: str
    version: int | None
    action: Action
    text: str = ""  # a move as players type it
    computer: int = 0


class Note(NamedTuple):
    """Something that the bearer of a token tried and nobody can read: it only goes into the audit."""

    match: str
    token: str | None
    kind: str  # of what was tried, as far as one can tell
    reason: str


class Handover(NamedTuple):
    match: str
    token: str | None
    request: str


class Absent(NamedTuple):
    match: str
    token: str | None
    request: str
    seen_at: tuple[int, int]  # when each seat was last there


class Rematch(NamedTuple):
    match: str
    token: str | None
    id: str  # for the new match


class Tick(NamedTuple):
    """Time has passed."""

    match: str


class Lease(NamedTuple):
    """A worker wants to compute the computer's move."""

    match: str


Write = Create | Join | Act | Note | Handover | Absent | Rematch | Tick | Lease


class Moment(NamedTuple):
    """What a write may know besides the match."""

    now: int
    outages: Outages
    key: bytes


class Done(NamedTuple):
    """What is answered (or refused although something was due), and the matches as they are afterwards."""

    answer: dict[str, object]
    kept: tuple[Kept, ...]
    problem: Problem | None = None
