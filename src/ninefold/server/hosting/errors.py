"""Refusals that several modules of the server need."""

from __future__ import annotations

from ninefold.core.errors import NotAllowed, Unreadable

WRONG_FIELD = "wrong_field"  # the reason of a request that has not the shape it should have


def no_such_match() -> NotAllowed:
    return NotAllowed("no_such_match")


def bad_token() -> NotAllowed:
    return NotAllowed("bad_token")


def has_left() -> NotAllowed:
    return NotAllowed("left")


def unreadable_match() -> Unreadable:
    return Unreadable("unreadable_match")


def unavailable() -> NotAllowed:
    return NotAllowed("come_back")


def unexpected() -> NotAllowed:
    return NotAllowed("unexpected")
