"""Finds tmux, the terminal of the tests of the full screen, or installs it.

It never fails a build by itself: tests that find none say so, and count as failed where nothing may be skipped.
"""

from __future__ import annotations

import shutil
import sys

from scripts.debian import can_install, install

MISSING = "There is no tmux. To test in a terminal: apt-get install tmux (or your system's way), then: make test"


def find() -> str | None:
    return shutil.which("tmux")


def main() -> None:
    if find() is None and can_install():
        print("Installing tmux (Debian's package) for the tests in a terminal ...", flush=True)
        install("tmux")
    if find() is None:
        print(f"{'!' * 80}\n{MISSING}\n{'!' * 80}", file=sys.stderr)


if __name__ == "__main__":
    main()
