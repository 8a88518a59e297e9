"""What keys do at the table of a match: whose seat acts, and its action; or a refusal that says why not now. Pure."""

from __future__ import annotations

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.terminal.tui.prompts import Situation

Act = tuple[int, Action]  # a seat, and what it does


class NotNow(Refusal):
    """Why a key does nothing now. It is said on the screen, and to no program."""

    def __init__(self, sentence: str, instead: str = "") -> None:
        super().__init__("not_now", sentence, instead)


def speaker(now: Situation) -> int:
    """The seat that speaks from here: the one that is asked, or else the first."""
    seat = now.table.to_act or next(iter(now.table.seats), None)
    if seat is None:
        raise NotNow("You are watching: only who plays can do that.")
    return seat


def say(now: Situation, text: str) -> Act:
    return speaker(now), actions.say(text)


def undo(now: Situation) -> Act:
    seat = speaker(now)
    return seat, now.table.undo(seat)


def resign(now: Situation) -> Act:
    return _going_on(now), actions.RESIGN


def offer_draw(now: Situation) -> Act:
    if not now.table.is_online:
        instead = "At one screen you can leave the game, or resign."
        raise NotNow("A draw is offered to somebody on a server.", instead)
    return speaker(now), actions.OFFER_DRAW


def agree(now: Situation) -> Act:
    """To what is offered, or claimed."""
    _check_asked(now)
    return speaker(now), actions.ACCEPT if now.is_offered else actions.CONFIRM


def decline(now: Situation) -> Act:
    _check_asked(now)
    return speaker(now), actions.DECLINE


def dispute(now: Situation, why: str) -> Act:
    _check_asked(now)
    return speaker(now), actions.dispute(why)


def _check_asked(now: Situation) -> None:
    if not (now.is_offered or now.answers_claim):
        raise NotNow("There is nothing to answer now.")


def withdraw(now: Situation) -> Act:
    claim = now.match.state.pending
    if claim is None or not now.withdraws:
        raise NotNow("There is no claim of yours to withdraw.")
    return now.match.setup.seat(claim.side), actions.WITHDRAW


# What is no action of a seat, but is not for everybody and for any time either


def check_hint(now: Situation) -> None:
    _going_on(now)
    if now.table.no_hint:
        raise NotNow(now.table.no_hint)


def check_once_more(now: Situation) -> None:
    speaker(now)
    if not now.match.result:
        raise NotNow("The game goes on. Once more is for when it is over.")


def check_claim(now: Situation) -> None:
    if not now.match.setup.has_claims:
        raise NotNow(f"{now.match.game.title} has no claims.")
    _going_on(now)
    if now.match.state.pending:
        raise NotNow("A claim is waiting for its answer.")


def _going_on(now: Situation) -> int:
    """The seat that speaks, in a game that has not ended."""
    seat = speaker(now)
    if now.match.result:
        raise NotNow("The game has ended.")
    return seat
