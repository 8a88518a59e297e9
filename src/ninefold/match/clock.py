"""Clocks of a match: time controls, what is left, and due times. Pure: times are passed in, in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.core.position import Side

Outages = Sequence[tuple[int, int]]  # when the server was away: from, until


class TimeControl(NamedTuple):
    """The time of each side at the start, and what it gains by a move."""

    initial: int
    increment: int = 0


class ClockState(NamedTuple):
    """The time left for each side, since when the clock of the side to move runs (None: it stands), and how much of
    its network lag each side may still be given back."""

    left: tuple[int, int]
    since: int | None = None
    lag_quotas: tuple[int, int] = (0, 0)


def full_clock(control: TimeControl | None) -> ClockState | None:
    """Both clocks at the start of a match; None without a time control."""
    if control is None:
        return None
    return ClockState((control.initial, control.initial), None, first_lag_quotas(control))


TYPICAL_MOVES = 40  # of one side, to estimate how long a match with an increment takes
SHORTEST_GAIN, LONGEST_GAIN = 150, 1_000  # what a move adds to a lag quota
FIRST_GAINS, MOST_GAINS = 3, 7  # what a lag quota has at the start, and at most, in gains


def lag_gain(control: TimeControl) -> int:
    """What each move of a side adds to its lag quota: more in longer matches, as lichess has it."""
    total = control.initial + TYPICAL_MOVES * control.increment
    return min(LONGEST_GAIN, SHORTEST_GAIN + total * 4 // 1000)


def first_lag_quotas(control: TimeControl) -> tuple[int, int]:
    quota = FIRST_GAINS * lag_gain(control)
    return quota, quota


def compensated(control: TimeControl, quota: int, lag: int, elapsed: int) -> tuple[int, int]:
    """How much of a measured lag a side is given back for a move, and its quota after it.

    >>> compensated(TimeControl(300_000), 3_000, lag=120, elapsed=900)
    (120, 3880)
    >>> compensated(TimeControl(300_000), 100, lag=120, elapsed=900)
    (100, 1000)
    """
    given = max(0, min(lag, quota, elapsed))
    gain = lag_gain(control)
    return given, min(MOST_GAINS * gain, quota - given + gain)


def charged(since: int, now: int, outages: Outages) -> int:
    """The time between two moments, without the outages in it."""
    lost = sum(max(0, min(now, ended) - max(since, began)) for began, ended in outages)
    return max(0, now - since - lost)


def due_after(since: int, wait: int, outages: Outages) -> int:
    """The moment at which so much time will have been charged."""
    for began, ended in sorted(outages):
        if ended > since and began < since + wait:
            wait += ended - max(began, since)
    return since + wait


def latest_before(now: int, wait: int, outages: Outages) -> int:
    """The latest moment since which so much time has been charged."""
    since = now - wait
    for began, ended in sorted(outages, reverse=True):
        if ended > since:
            since -= ended - began
    return since


class ClockReading(NamedTuple):
    """Both clocks at a moment, by side, and whose clock runs."""

    left: tuple[int, int]
    running: Side | None

    def __str__(self) -> str:
        return "  ".join(f"{side} {format_clock(self.left[side])}" for side in Side)


def format_clock(ms: int) -> str:
    """A time as on a clock, with tenths for the last ten seconds.

    >>> format_clock(9_950), format_clock(185_000), format_clock(3_723_000)
    ('0:09.9', '3:05', '1:02:03')
    """
    if ms < 10_000:
        return f"0:0{ms // 1000}.{ms % 1000 // 100}"
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
