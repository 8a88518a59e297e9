"""A refusal as the outside is told of it: with the status that web people give such things."""

from __future__ import annotations

from ninefold.core.errors import Refusal, Unreadable

WRONG_FIELD = "wrong_field"  # what was sent has not the shape it should have


class Problem(Refusal):
    def __init__(self, status: int, reason: str, sentence: str, instead: str = "", **extra: object) -> None:
        super().__init__(reason, sentence, instead)
        self.status = status
        self.extra = extra


def as_problem(refusal: Refusal) -> Problem:
    """What the rules refuse: unreadable is 422, not allowed here and now is 409."""
    if isinstance(refusal, Problem):
        return refusal
    status = 422 if isinstance(refusal, Unreadable) else 409
    return Problem(status, refusal.reason, refusal.sentence, refusal.instead)


def no_such_match() -> Problem:
    instead = "Ask for the whole link: a private match needs what stands behind the #."
    return Problem(404, "no_such_match", "There is no such match.", instead)


def bad_token() -> Problem:
    return Problem(401, "bad_token", "This token opens no seat of this match.", "Join with an invitation.")


def has_left() -> Problem:
    return Problem(410, "left", "You have left this match.", "You may watch.")


def unreadable_match() -> Problem:
    return Problem(500, "unreadable_match", "This match cannot be read any more.", "It has been written down.")


def not_ended(instead: str) -> Problem:
    return Problem(409, "not_ended", "The game has not ended.", instead)


def come_back() -> Problem:
    return Problem(503, "come_back", "The matches cannot be reached just now.", "Try again in a moment.")


def unexpected() -> Problem:
    return Problem(500, "unexpected", "Something is wrong with this server.", "It has been written down. Try again.")
