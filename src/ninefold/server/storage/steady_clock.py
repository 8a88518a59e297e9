"""The server's clock."""

from __future__ import annotations

import sys
import time


class SteadyClock:
    """UTC in milliseconds that never jumps: read once, then measured by a clock that runs while the machine sleeps."""

    def __init__(self) -> None:
        self._began = time.time_ns()
        self._mark = _steady_ns()

    def now(self) -> int:
        return (self._began + _steady_ns() - self._mark) // 1_000_000


def _steady_ns() -> int:
    if sys.platform == "win32":
        return time.monotonic_ns()
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
