"""What is due in a hosted match, and how its clocks go on. Pure: the time is passed in, and the server's outages."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.clock import ClockReading, ClockState, Outages, charged, compensated, due_after
from ninefold.match.state import State
from ninefold.server.hosting.model import HostedMatch

DAY_MS = 86_400_000
OPEN_MS = DAY_MS  # how long a seat stays open
IDLE_MS = 14 * DAY_MS  # how long a match without clocks may stand still


class Deadline(NamedTuple):
    """What the referee does, and when, unless somebody acts before."""

    at: int
    action: Action


def read_clock(hosted: HostedMatch, now: int, outages: Outages) -> ClockReading | None:
    """What both clocks show at a moment."""
    if hosted.clock is None:
        return None
    left, since, turn = list(hosted.clock.left), hosted.clock.since, hosted.match.position.turn
    if since is not None:
        left[turn] = max(0, left[turn] - charged(since, now, outages))
    return ClockReading((left[0], left[1]), None if since is None else turn)


def is_running(state: State) -> bool:
    """Clocks run from the first move on; they stand while a claim is pending."""
    return bool(state.moves) and state.pending is None and state.result is None


def _clock_after(
    before: HostedMatch, state: State, moved: bool, now: int, outages: Outages, lag: int
) -> ClockState | None:
    """The clocks once the game has come to a new state. A take-back does not rewind them."""
    reading, clock, control = read_clock(before, now, outages), before.clock, before.settings.clock
    if reading is None or clock is None or control is None:
        return None
    left, quotas, side = list(reading.left), list(clock.lag_quotas), reading.running
    if moved and side is not None:
        given, quotas[side] = compensated(control, quotas[side], lag, clock.left[side] - left[side])
        left[side] += control.increment + given
    return ClockState((left[0], left[1]), now if is_running(state) else None, (quotas[0], quotas[1]))


def next_deadline(hosted: HostedMatch, outages: Outages, *, timers: bool = True) -> Deadline | None:
    """The next thing that the referee will do on his own. Without timers, at one screen, only a flag can fall."""
    state = hosted.match.state
    if state.result:
        return None
    if hosted.status == "open":
        return Deadline(due_after(hosted.touched_at, OPEN_MS, outages), actions.EXPIRE)
    deadlines = []
    if timers:
        idle = Deadline(due_after(hosted.touched_at, IDLE_MS, outages), actions.EXPIRE)
        if not state.pending and not hosted.clock:  # as in most matches
            return idle
        deadlines.append(idle)
    if timers and state.pending:
        deadlines.append(Deadline(due_after(hosted.touched_at, hosted.settings.claim_ms, outages), actions.SETTLE))
    if hosted.clock and hosted.clock.since is not None:
        turn = hosted.match.position.turn
        flag = actions.flag(hosted.match.setup.seat(turn))
        deadlines.append(Deadline(due_after(hosted.clock.since, hosted.clock.left[turn], outages), flag))
    return min(deadlines, key=lambda deadline: deadline.at, default=None)


def absent_at(hosted: HostedMatch, seen_at: tuple[int, int], outages: Outages) -> int | None:
    """When the person who has to act can be claimed absent. Where a clock runs, its flag is waited for."""
    to_act = hosted.match.to_act
    running = hosted.clock is not None and hosted.clock.since is not None
    if hosted.status != "live" or not to_act or hosted.seat_holder(to_act).holder != "person" or running:
        return None
    return due_after(max(hosted.touched_at, seen_at[to_act - 1]), hosted.settings.absent_ms, outages)


def apply_due(hosted: HostedMatch, now: int, outages: Outages, *, timers: bool = True) -> HostedMatch:
    """The match after everything that was due."""
    if hosted.due_at is not None and now < hosted.due_at:
        return hosted
    while (deadline := next_deadline(hosted, outages, timers=timers)) and deadline.at <= now:
        hosted = advance(hosted, REFEREE, deadline.action, now, outages)
    return hosted


def advance(hosted: HostedMatch, seat: int, action: Action, now: int, outages: Outages, lag: int = 0) -> HostedMatch:
    """The match after an action, with its clocks. A message does not touch the clocks. ``lag`` is the measured part of
    the time that the network took."""
    match = hosted.match.act(seat, action, now)
    if action.kind == "say":
        return hosted._replace(match=match)
    clock = _clock_after(hosted, match.state, action.kind == "move", now, outages, lag)
    return hosted._replace(match=match, clock=clock, touched_at=now)
