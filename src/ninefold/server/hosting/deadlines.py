"""Clocks and due times of a kept match. Pure: the time is passed in, and the server's outages with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.state import State
from ninefold.server.hosting.model import MINUTE, Kept, Time

OPEN_MS = 24 * 60 * MINUTE  # how long a seat stays open
IDLE_MS = 14 * 24 * 60 * MINUTE  # how long a match without clocks may stand still

Outages = Sequence[tuple[int, int]]


class Due(NamedTuple):
    """What the referee does, and when, unless somebody acts before."""

    at: int
    action: Action


def charged(since: int, now: int, outages: Outages) -> int:
    """The time between two moments while the server was there."""
    lost = sum(max(0, min(now, ended) - max(since, began)) for began, ended in outages)
    return max(0, now - since - lost)


def later(since: int, wait: int, outages: Outages) -> int:
    """The moment at which so much time will have been charged."""
    for began, ended in sorted(outages):
        if ended > since and began < since + wait:
            wait += ended - max(began, since)
    return since + wait


def remaining(kept: Kept, now: int, outages: Outages) -> tuple[int, int] | None:
    """What both clocks show at a moment, by side."""
    if kept.time is None:
        return None
    left = list(kept.time.left)
    if kept.time.since is not None:
        turn = kept.match.position.turn
        left[turn] = max(0, left[turn] - charged(kept.time.since, now, outages))
    return left[0], left[1]


def runs(state: State) -> bool:
    """Clocks run from the first move on; they stand while a claim is pending."""
    return bool(state.moves) and state.pending is None and state.result is None


def after(before: Kept, state: State, moved: bool, now: int, outages: Outages) -> Time | None:
    """The clocks once the game has come to a new state. A take-back does not rewind them."""
    left = remaining(before, now, outages)
    if left is None or before.settings.clock is None:
        return None
    if moved and before.time and before.time.since is not None:
        mover = before.match.position.turn
        gained = left[mover] + before.settings.clock.increment
        left = (gained, left[1]) if mover == 0 else (left[0], gained)
    return Time(left, now if runs(state) else None)


def due(kept: Kept, outages: Outages) -> Due | None:
    """The next thing that the referee will do by himself."""
    state = kept.match.state
    if state.result:
        return None
    if kept.status == "open":
        return Due(later(kept.touched_at, OPEN_MS, outages), actions.EXPIRE)
    waits = [Due(later(kept.touched_at, IDLE_MS, outages), actions.EXPIRE)]
    if state.pending:
        waits.append(Due(later(kept.touched_at, kept.settings.claim_ms, outages), actions.SETTLE))
    if kept.time and kept.time.since is not None:
        turn = kept.match.position.turn
        flag = actions.flag(kept.match.setup.seat(turn))
        waits.append(Due(later(kept.time.since, kept.time.left[turn], outages), flag))
    return min(waits, key=lambda wait: wait.at)


def settle_due(kept: Kept, now: int, outages: Outages) -> Kept:
    """The match after everything that was due."""
    while (next_due := due(kept, outages)) and next_due.at <= now:
        kept = advance(kept, REFEREE, next_due.action, now, outages)
    return kept


def advance(kept: Kept, seat: int, action: Action, now: int, outages: Outages) -> Kept:
    """The kept match after an action, its clocks with it. Talk does not touch the clocks."""
    match = kept.match.act(seat, action, now)
    if action.kind == "say":
        return kept._replace(match=match)
    time = after(kept, match.state, action.kind == "move", now, outages)
    return kept._replace(match=match, time=time, touched_at=now)
