"""What a seat can do, and the event that doing it becomes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ninefold.core import Path

# The name of each action, and of the event it leaves in the log.
PAST = {
    "move": "moved",
    "claim": "claimed",
    "confirm": "confirmed",
    "dispute": "disputed",
    "withdraw": "withdrawn",
    "settle": "settled",
    "say": "said",
    "offer": "offered",
    "accept": "accepted",
    "decline": "declined",
    "take_back": "taken_back",
    "resign": "resigned",
    "leave": "left",
    "flag": "flagged",
    "expire": "expired",
    "draw_early": "drawn_early",
}
REFEREE = 0  # the seat of what the referee does: settle, flag, expire, draw early


class Action(NamedTuple):
    kind: str
    move: int | Path | None = None
    cells: tuple[int, ...] | None = None
    text: str = ""
    number: int | None = None  # of plies taken back, or of the seat whose flag fell


class Event(NamedTuple):
    """An action that was taken, by which seat (1, 2, or 0 for the referee), and when (UTC, in milliseconds)."""

    at: int
    seat: int
    action: Action


def move(move: int | Path, *, claim: Iterable[int] | None = None, say: str = "") -> Action:
    """Play a move, perhaps claiming victory with it, perhaps saying something."""
    return Action("move", move=move, cells=None if claim is None else tuple(claim), text=say)


def claim(cells: Iterable[int]) -> Action:
    return Action("claim", cells=tuple(cells))


CONFIRM = Action("confirm")
WITHDRAW = Action("withdraw")
ACCEPT = Action("accept")
DECLINE = Action("decline")
OFFER_DRAW = Action("offer", text="draw")
OFFER_TAKE_BACK = Action("offer", text="take_back")
RESIGN = Action("resign")
LEAVE = Action("leave")
SETTLE = Action("settle")
EXPIRE = Action("expire")


def dispute(reason: str) -> Action:
    return Action("dispute", text=reason)


def say(text: str) -> Action:
    return Action("say", text=text)


def take_back(plies: int = 1) -> Action:
    return Action("take_back", number=plies)


def flag(seat: int) -> Action:
    """The referee says that a seat's time has run out."""
    return Action("flag", number=seat)
