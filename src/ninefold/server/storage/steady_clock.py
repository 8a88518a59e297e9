"""The server's clock: it never goes back, whatever happens to the clock of the machine."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from ninefold.server.hosting.deadlines import DAY_MS

MOST_AHEAD_MS = 30 * DAY_MS  # of the clock's time: what lies further ahead was written with a wrong clock


class SteadyClock:
    """UTC in milliseconds that never goes back. ``read`` is where it comes from. All threads may ask."""

    def __init__(self, read: Callable[[], int] | None = None) -> None:
        self._read = read or _boot_time()
        self._lock = threading.Lock()
        self._ahead = 0
        self._latest = self._read()

    def now(self) -> int:
        with self._lock:
            now = self._read() + self._ahead
            if now < self._latest:  # goes on from where it was
                self._ahead += self._latest - now
                return self._latest
            self._latest = now
            return now

    def set(self, now: int) -> None:
        """Go by the clock of the database, which all workers share."""
        with self._lock:
            self._ahead = now - self._read()
            self._latest = now

    def start_after(self, stored: int) -> None:
        """Do not start before the time that a process before this one has stored: the machine's clock went back.

        Else a clock that goes back, and forward again at the next start, would be charged to the players.
        """
        if 0 < stored - self.now() <= MOST_AHEAD_MS:
            self.set(stored)


def _boot_time() -> Callable[[], int]:
    """The machine's time, read once, then measured by a clock that never jumps and runs while the machine sleeps."""
    began, mark = time.time_ns(), _steady_ns()
    return lambda: (began + _steady_ns() - mark) // 1_000_000


_CLOCK = None if sys.platform == "win32" else getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _steady_ns() -> int:
    return time.monotonic_ns() if _CLOCK is None else time.clock_gettime_ns(_CLOCK)
