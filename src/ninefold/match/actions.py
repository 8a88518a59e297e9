"""What a seat can do, and the event that doing it becomes.

>>> from ninefold import actions, begin
>>> begin("agents").act(2, actions.move(4, claim=(0, 4, 8), say="mine")).act(1, actions.dispute("Only one.")).status
'in_progress'
>>> actions.RESIGN, actions.OFFER_DRAW, actions.claim((2, 4, 6))
(Action('resign'), Action('offer', text='draw'), Action('claim', cells=(2, 4, 6)))
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Literal, NamedTuple, get_args

from ninefold.core.position import Path

__all__ = [
    "ACCEPT",
    "CONFIRM",
    "DECLINE",
    "EXPIRE",
    "LEAVE",
    "OFFER_DRAW",
    "OFFER_TAKE_BACK",
    "RESIGN",
    "SETTLE",
    "WITHDRAW",
    "Action",
    "Event",
    "claim",
    "dispute",
    "flag",
    "gone",
    "move",
    "say",
    "take_back",
]

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
    """What a seat or the referee does: its ``kind``, and what belongs to it. The functions and constants of this module
    make them.

    >>> from ninefold import actions, begin
    >>> actions.claim((0, 4, 8)), actions.CONFIRM, actions.RESIGN
    (Action('claim', cells=(0, 4, 8)), Action('confirm'), Action('resign'))
    >>> begin("classic").act(1, actions.OFFER_DRAW).act(2, actions.ACCEPT).result.score
    '1/2-1/2'
    >>> begin("classic").act(1, actions.RESIGN).result.score
    '0-1'
    >>> begin("classic").act(1, actions.LEAVE).result.score
    '*'
    """

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
    """An action that was taken, by which seat (1, 2, or 0 for the referee), and when (UTC, in milliseconds).

    >>> from ninefold import begin
    >>> begin("classic", at=1000).act(1, 4, at=2500).events[0]
    Event(at=2500, seat=1, action=Action('move', move=4))
    """

    at: int
    seat: int
    action: Action


def move(move: int | Path, *, claim: Iterable[int] | None = None, say: str = "") -> Action:
    """Play a move, perhaps claiming victory with it, perhaps saying something.

    >>> from ninefold import begin
    >>> begin("classic").act(1, move(4, say="good luck"))
    <Match of classic: 5, O to act>
    """
    if type(move) is not int:
        move = tuple(map(_plain, move)) if isinstance(move, tuple) else _plain(move)
    return Action("move", move=move, cells=None if claim is None else _cells(claim), text=say)


def claim(cells: Iterable[int]) -> Action:
    """Claim victory with three cells.

    >>> from ninefold import begin
    >>> match = begin("agents").act(2, claim((0, 4, 8)))
    >>> match.state.pending is None, match.to_act
    (False, 1)
    """
    return Action("claim", cells=_cells(cells))


def _cells(given: Iterable[int]) -> tuple[int, ...]:
    """Cells as they are claimed; what is no list of them is a claim that cannot be read."""
    return tuple(map(_plain, given)) if isinstance(given, Iterable) else ()


def _plain(number: Any) -> Any:
    """A Python integer for one of NumPy; everything else as it is, for the rules to refuse."""
    return index(number) if hasattr(number, "__index__") and not isinstance(number, int) else number


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
    """Deny a claim, and say why.

    >>> from ninefold import begin
    >>> match = begin("agents").act(2, claim((0, 4, 8))).act(1, dispute("the board is empty"))
    >>> match.events[-1].action
    Action('settle', text='only_two')
    """
    return Action("dispute", text=reason)


def say(text: str) -> Action:
    """Send a message, which changes nothing.

    >>> from ninefold import begin
    >>> begin("classic").act(2, say("good luck")).events[0].action.text
    'good luck'
    """
    return Action("say", text=text)


def take_back(plies: int = 1) -> Action:
    """Take back plies at one shared screen. On a server a move is taken back by agreement: ``OFFER_TAKE_BACK``.

    >>> from ninefold import begin
    >>> begin("classic").act(1, 4).act(2, 0).act(1, take_back(2))
    <Match of classic: no moves, X to act>
    """
    return Action("take_back", number=plies)


def flag(seat: int) -> Action:
    """The referee says that a seat's time has run out.

    >>> from ninefold import begin
    >>> begin("classic").act(0, flag(1)).result.score
    '0-1'
    """
    return Action("flag", number=seat)


def gone(seat: int) -> Action:
    """The referee says that a seat has gone, and that the other need not wait any longer.

    >>> from ninefold import begin
    >>> begin("classic").act(0, gone(2)).result.score
    '1-0'
    """
    return Action("gone", number=seat)
