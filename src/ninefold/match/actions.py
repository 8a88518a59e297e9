"""What a seat can do, and the event that doing it becomes.

>>> from ninefold import actions, begin
>>> begin("agents").act(2, actions.move(4, claim=(0, 4, 8), say="mine")).act(1, actions.dispute("Only one.")).status
'in_progress'
>>> actions.RESIGN, actions.OFFER_DRAW, actions.claim((2, 4, 6))
(Action('resign'), Action('offer', text='draw'), Action('claim', cells=(2, 4, 6)))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from ninefold.core.position import Path

# The actions of players, and those of the referee alone.
SeatActionKind = Literal[
    "move", "claim", "confirm", "dispute", "withdraw", "say", "offer", "accept", "decline", "resign", "leave",
]  # fmt: skip
RefereeActionKind = Literal["settle", "flag", "gone", "expire", "draw_early"]
# On a server a move is taken back by agreement; "take_back" is an action of its own only at one shared screen.
Kind = Literal[SeatActionKind, "take_back", RefereeActionKind]
SEAT_ACTIONS: tuple[SeatActionKind, ...] = get_args(SeatActionKind)
REFEREE_ACTIONS: tuple[RefereeActionKind, ...] = get_args(RefereeActionKind)
ANSWERS: tuple[Kind, ...] = ("confirm", "dispute", "withdraw")  # what settles a claim
UNVERSIONED: tuple[Kind, ...] = ("say", "resign", "leave")  # what cannot be stale: it needs no version
REFEREE = 0  # the referee's seat


class Action(NamedTuple):
    kind: Kind
    move: int | Path | None = None
    cells: tuple[int, ...] | None = None
    text: str = ""
    number: int | None = None  # of plies taken back, or of the seat whose flag fell or who has gone

    def __repr__(self) -> str:
        rest = zip(self._fields[1:], self[1:], strict=True)
        given = [f"{name}={value!r}" for name, value in rest if value != self._field_defaults[name]]
        return f"Action({', '.join([repr(self.kind), *given])})"


class Event(NamedTuple):
    """An action that was taken, by which seat (1, 2, or 0 for the referee), and when (UTC, in milliseconds)."""

    at: int
    seat: int
    action: Action


def move(move: int | Path, *, claim: Iterable[int] | None = None, say: str = "") -> Action:
    """Play a move, perhaps claiming victory with it, perhaps saying something.

    >>> from ninefold import begin
    >>> begin("classic").act(1, move(4, say="good luck"))
    <Match of classic: 5, O to act>
    """
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


def gone(seat: int) -> Action:
    """The referee says that a seat has gone, and that the other need not wait any longer."""
    return Action("gone", number=seat)
