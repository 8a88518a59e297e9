"""How far long work is: a progress bar on a terminal, or a line now and then without one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from ninefold.core.messages import text

_BAR_WIDTH = 40
_ESTIMATE_WIDTH = 18  # so that a shorter one overwrites a longer one
INTERVAL = 30.0  # seconds between two lines without a terminal


class Progress:
    """The progress of long work of ``size`` parts, of which some are done already, with an estimate of the time left.
    ``unit`` names the parts."""

    def __init__(
        self,
        done: int,
        size: int,
        unit: str,
        *,
        interval: float = INTERVAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._done_before, self._size, self._unit = done, size, unit
        self._interval, self._clock = interval, clock
        self._started = self._shown = clock()
        self._width = 0  # of the widest note, which the next one overwrites

    def show(self, done: int) -> None:
        now = self._clock()
        count = text("progress.done", done=done, size=self._size, unit=self._unit)
        line = self._with_estimate(count, done, now)
        if sys.stderr.isatty():
            self._draw_bar(done, f"{line:<{len(count) + _ESTIMATE_WIDTH}}")
        elif now - self._shown >= self._interval:
            self._shown = now
            print(line, file=sys.stderr)

    def show_note(self, note: str, *, is_last: bool = False) -> None:
        """Show a note instead of how much is done, for work that may end at any time."""
        now = self._clock()
        if sys.stderr.isatty():
            self._width = max(self._width, len(note))
            sys.stderr.write(f"\r{note:<{self._width}}" + ("\n" if is_last else ""))
            sys.stderr.flush()
        elif is_last or now - self._shown >= self._interval:
            self._shown = now
            print(note, file=sys.stderr)

    def say(self, line: str) -> None:
        """Print a line that stays, above the bar if there is one."""
        is_terminal = sys.stderr.isatty()
        width = _BAR_WIDTH + _ESTIMATE_WIDTH + 30 if is_terminal else 0
        sys.stderr.write(("\r" if is_terminal else "") + f"{line:<{width}}\n")
        sys.stderr.flush()

    def _draw_bar(self, done: int, line: str) -> None:
        filled = round(_BAR_WIDTH * done / self._size)
        end = "\n" if done == self._size else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {line}{end}")
        sys.stderr.flush()

    def _with_estimate(self, progress: str, done: int, now: float) -> str:
        """With the time left, if the rest goes as fast as the parts that were done since the start."""
        if done in (self._done_before, self._size):
            return progress
        seconds = (now - self._started) * (self._size - done) / (done - self._done_before)
        if seconds < 100:
            return text("progress.seconds_left", progress=progress, time=seconds)
        return text("progress.minutes_left", progress=progress, time=seconds / 60)
