"""What is left on the clocks of a match elsewhere, at the beginning of every prompt."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any


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


class Clocks:
    """Between two words of the server they go on by the clock of this machine."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._heard_at = 0.0
        self._clock: Mapping[str, Any] | None = None

    def hear(self, view: Mapping[str, Any]) -> None:
        self._clock, self._heard_at = view["clock"], self._now()

    def __bool__(self) -> bool:
        return self._clock is not None

    def __str__(self) -> str:
        """Nothing where there are none."""
        clock = self._clock
        return f"[{'  '.join(f'{side} {face(self._left(clock, side))}' for side in 'XO')}] " if clock else ""

    def _left(self, clock: Mapping[str, Any], side: str) -> int:
        passed = (self._now() - self._heard_at) * 1000 if clock["running"] == side else 0
        return max(0, int(clock[side] - passed))
