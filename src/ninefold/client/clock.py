"""Time in a session: the clock of this machine, and the clocks of both players as they are known here."""

from __future__ import annotations

import time
from typing import NamedTuple

from ninefold.core.position import Side
from ninefold.match.clock import ClockReading


def now() -> int:
    """The time in milliseconds, as the events of a match have it."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class SessionClock(NamedTuple):
    """Both clocks as they were at a moment. Since then the clock of the side to move has gone on."""

    left: tuple[int, int]
    running: Side | None
    at: int  # in milliseconds of the session's own time
    increment: int = 0

    def read(self, now: int) -> ClockReading:
        passed = max(0, now - self.at)
        x, o = (max(0, self.left[side] - (passed if side is self.running else 0)) for side in Side)
        return ClockReading((x, o), self.running)

    def after(self, running: Side | None, now: int, *, moved: bool) -> SessionClock:
        """The clocks once another side has to act, or none. A move adds the increment."""
        left = list(self.read(now).left)
        if moved and self.running is not None:
            left[self.running] += self.increment
        return SessionClock((left[0], left[1]), running, now, self.increment)
