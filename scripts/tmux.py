"""Finds tmux, the terminal of the tests of the full screen, or gets it.

It never fails a build by itself: tests that find none say so, and count as failed where nothing may be skipped.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.debian import provide

MISSING = "There is no tmux. To test in a terminal: apt-get install tmux (or your system's way), then: make test"
OURS = Path(__file__).parents[1] / "build" / "tmux"  # where it is unpacked by who may not install it


def find() -> str | None:
    return shutil.which("tmux") or shutil.which(str(OURS / "tmux"))


def main() -> None:
    provide(find, "tmux", "usr/bin/tmux", OURS, "tests in a terminal", MISSING)


if __name__ == "__main__":
    main()
