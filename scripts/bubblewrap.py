"""Finds bubblewrap, the sandbox of the programs in an evaluation, or gets it for the tests.

It never fails a build by itself: without it the tests of isolation have one mode less, and this says so.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.debian import provide

MISSING = "There is no bubblewrap. To test sandboxes: apt-get install bubblewrap (or your system's way)"
OURS = Path(__file__).parents[1] / "build" / "bubblewrap"  # where it is unpacked by who may not install it


def find() -> str | None:
    return shutil.which("bwrap") or shutil.which(str(OURS / "bwrap"))


def main() -> None:
    provide(find, "bubblewrap", "usr/bin/bwrap", OURS, "tests of isolation", MISSING)


if __name__ == "__main__":
    main()
