"""What is left on the clocks of a match."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ninefold.core import Side


def face(ms: int) -> str:
    """As on a clock, with tenths for the last ten seconds.

    >>> face(9_950), face(185_000), face(3_723_000)
    ('0:09.9', '3:05', '1:02:03')
    """
    if ms < 10_000:
        return f"0:0{ms // 1000}.{ms % 1000 // 100}"
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Clocks(NamedTuple):
    """What is left of both, in milliseconds by side, and whose clock runs."""

    left: tuple[int, int]
    running: Side | None

    def __str__(self) -> str:
        return "  ".join(f"{side} {face(self.left[side])}" for side in Side)


class ClocksElsewhere:
    """The clocks of a server. Between two of its words they go on by the clock of this machine."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._heard_at = 0.0
        self._clock: Mapping[str, Any] | None = None

    def hear(self, view: Mapping[str, Any]) -> None:
        self._clock, self._heard_at = view["clock"], self._now()

    def read(self) -> Clocks | None:
        """None where there are none."""
        clock = self._clock
        if clock is None:
            return None
        running = Side[clock["running"]] if clock["running"] else None
        return Clocks((self._left(clock, Side.X), self._left(clock, Side.O)), running)

    def _left(self, clock: Mapping[str, Any], side: Side) -> int:
        passed = (self._now() - self._heard_at) * 1000 if clock["running"] == side.name else 0
        return max(0, int(clock[side.name] - passed))
