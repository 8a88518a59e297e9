"""How far long work is: on one line of a terminal, or in a line now and then where nobody looks."""

from __future__ import annotations

import sys
import time

_WIDTH = 40
_ROOM = 18  # for the estimate, so that a shorter one covers a longer one
INTERVAL = 30.0  # seconds between two lines where there is no terminal


def show(done: int, size: int, what: str, more: str = "") -> None:
    """A bar, where somebody may be looking; ``more`` is said behind it."""
    if sys.stderr.isatty():
        filled = round(_WIDTH * done / size)
        end = "\n" if done == size else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{size} {what}{more}{end}")
        sys.stderr.flush()


class Progress:
    """Of one long work, from ``done`` parts on, with an estimate of how long it will take."""

    def __init__(self, done: int, size: int, what: str, *, interval: float = INTERVAL) -> None:
        self._before, self._size, self._what, self._interval = done, size, what, interval
        self._began = self._told = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        left = self._left(done, now)
        if sys.stderr.isatty():
            show(done, self._size, self._what, f"{left:<{_ROOM}}")
        elif now - self._told >= self._interval:
            self._told = now
            print(f"{done}/{self._size} {self._what}{left}", file=sys.stderr)

    def _left(self, done: int, now: float) -> str:
        """What is left to do, if the rest goes as the parts that were done since the beginning."""
        if done in (self._before, self._size):
            return ""
        seconds = (now - self._began) * (self._size - done) / (done - self._before)
        return f", {seconds:.0f} s left" if seconds < 100 else f", {seconds / 60:.0f} min left"
