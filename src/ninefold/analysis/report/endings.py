"""How a match ended for the seat that lost it: on the board, by resigning and why, by silence, or by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from ninefold.core.solver import values
from ninefold.match.actions import Event
from ninefold.match.match import Match
from ninefold.match.state import State, steps

FORFEITED = "forfeited"  # the reason for a turn that was forfeited: the move at that version is not the seat's own
OPENING = "opening"  # the reason for a move of the opening of a match, which nobody chose
NOT_OWN = (FORFEITED, OPENING)
# Resignations by the value of the position for the side that resigned; it is unknown in the big games.
Cause = Literal[
    "board", "resigned_lost", "resigned_not_lost", "resigned", "forfeit", "silence", "clock",
]  # fmt: skip
CAUSES: tuple[Cause, ...] = get_args(Cause)
RESIGNATIONS: tuple[Cause, ...] = ("resigned_lost", "resigned_not_lost", "resigned")
_BY: dict[str, Cause] = {"gone": "silence", "flagged": "clock"}


class RefusedAttempt(NamedTuple):
    """An attempt that was refused: the seat, the kind of action, the reason, the version of the match, and when."""

    seat: int
    action: str
    reason: str
    version: int | None = None
    at: int | None = None


class Ending(NamedTuple):
    """The cause of a loss. ``reason`` is that of the last refused attempt, where a turn was forfeited."""

    cause: Cause
    reason: str = ""


def endings(match: Match, refused: Sequence[RefusedAttempt] = ()) -> dict[int, Ending]:
    """The ending for the seat that lost; nothing for a draw, or while the match goes on."""
    result = match.result
    if result is None or result.outcome.winner is None:
        return {}
    seat = match.setup.seat(result.outcome.winner.other)
    if result.by == "resigned":
        return {seat: _resignation(match, seat, refused)}
    return {seat: Ending(_BY.get(result.by, "board"))}


def _resignation(match: Match, seat: int, refused: Sequence[RefusedAttempt]) -> Ending:
    """An evaluation resigns for an agent that has forfeited a turn: the audit has that turn, at the same version."""
    version = 0
    for before, event, _ in steps(match.setup, match.events):
        if event.action.kind == "resign" and event.seat == seat:
            mine = [one for one in refused if one.seat == seat]
            if any(one.reason == FORFEITED and one.version == version for one in mine):
                others = [one.reason for one in mine if one.reason not in NOT_OWN]
                return Ending("forfeit", others[-1] if others else "")
            return Ending(_value(match, before, event))
        version += event.action.kind != "say"
    return Ending("resigned")


def _value(match: Match, before: State, event: Event) -> Cause:
    """Whether the position was lost for the seat that resigned, by exact values."""
    if not match.game.small or before.position.outcome:
        return "resigned"
    best = max(value.sign for value in values(match.game, before.position, claims=match.setup.has_claims).values())
    is_to_move = before.position.turn is match.setup.side(event.seat)
    sign = best if is_to_move else -best
    return "resigned_lost" if sign < 0 else "resigned_not_lost"
