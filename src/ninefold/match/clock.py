"""What is left on the clocks of a match."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from ninefold.core.position import Side


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


class ClocksElsewhere(NamedTuple):
    """The clocks of a server as it told them. From then on they go by the clock of this machine."""

    told: Mapping[str, Any] | None = None  # None where there are none
    at: float = 0.0

    @classmethod
    def heard(cls, view: Mapping[str, Any]) -> ClocksElsewhere:
        """Those of a view that has come just now."""
        return cls(view["clock"], time.monotonic())

    def read(self, moment: float | None = None) -> Clocks | None:
        if self.told is None:
            return None
        passed = int(1000 * ((time.monotonic() if moment is None else moment) - self.at))
        running = Side[self.told["running"]] if self.told["running"] else None
        x, o = (max(0, self.told[side.name] - (passed if side is running else 0)) for side in Side)
        return Clocks((x, o), running)


def now() -> int:
    """Milliseconds, as the events of a match have them."""
    return time.time_ns() // 1_000_000
