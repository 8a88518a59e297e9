"""Finds bubblewrap, the sandbox of the programs in an evaluation, or gets it for the tests.

It never fails a build by itself: without it the tests of isolation have one mode less, and this says so.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from scripts.debian import HAS_APT, can_install, install, unpack

MISSING = "There is no bubblewrap. To test sandboxes: apt-get install bubblewrap (or your system's way)"
OURS = Path(__file__).parents[1] / "build" / "bubblewrap"  # where it is unpacked by who may not install it


def find() -> str | None:
    return shutil.which("bwrap") or shutil.which(str(OURS / "bwrap"))


def main() -> None:
    if find() is None and can_install():
        print("Installing bubblewrap (Debian's package) for the tests of isolation ...", flush=True)
        install("bubblewrap")
    if find() is None and HAS_APT:
        print("Unpacking bubblewrap (Debian's package) in build/bubblewrap for the tests of isolation ...", flush=True)
        unpack("bubblewrap", "usr/bin/bwrap", OURS)
    if find() is None:
        print(f"{'!' * 80}\n{MISSING}\n{'!' * 80}", file=sys.stderr)


if __name__ == "__main__":
    main()
