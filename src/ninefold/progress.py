"""How far long work is, on one line of a terminal."""

from __future__ import annotations

import sys

_WIDTH = 40


def show(done: int, size: int, what: str, more: str = "") -> None:
    """A bar, where somebody may be looking; ``more`` is said behind it."""
    if sys.stderr.isatty():
        filled = round(_WIDTH * done / size)
        end = "\n" if done == size else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{size} {what}{more}{end}")
        sys.stderr.flush()
