"""Finds tmux, the terminal of the tests of the full screen, or gets it.

It never fails a build by itself: tests that find none say so, and count as failed where nothing may be skipped.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from scripts.debian import HAS_APT, can_install, install, unpack

MISSING = "There is no tmux. To test in a terminal: apt-get install tmux (or your system's way), then: make test"
OURS = Path(__file__).parents[1] / "build" / "tmux"  # where it is unpacked by who may not install it


def find() -> str | None:
    return shutil.which("tmux") or shutil.which(str(OURS / "tmux"))


def main() -> None:
    if find() is None and can_install():
        print("Installing tmux (Debian's package) for the tests in a terminal ...", flush=True)
        install("tmux")
    if find() is None and HAS_APT:
        print("Unpacking tmux (Debian's package) in build/tmux for the tests in a terminal ...", flush=True)
        unpack("tmux", "usr/bin/tmux", OURS)
    if find() is None:
        print(f"{'!' * 80}\n{MISSING}\n{'!' * 80}", file=sys.stderr)


if __name__ == "__main__":
    main()
