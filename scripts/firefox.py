"""Finds Firefox for the journeys of `make test-firefox`, or installs it: Debian's firefox-esr.

puppeteer-core drives it over WebDriver BiDi; it comes from npm into build/puppeteer, in the version that package.json
names.

It never fails a build by itself: journeys without a browser say so, and count as failed where nothing may be skipped.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts import debian, npm

PACKAGE = "firefox-esr"
BROWSERS = (PACKAGE, "firefox")
FOLDER = npm.PROJECT / "build" / "firefox"
DRIVER = "puppeteer-core"
HOME = npm.PROJECT / "build" / "puppeteer"
MISSING = f"There is no Firefox. To test in it: apt-get install {PACKAGE}, then: make test-firefox"
NO_DRIVER = f"npm cannot install {DRIVER}. Connect to npm's registry, then: make test-firefox"


def find(names: Sequence[str] = BROWSERS) -> str | None:
    """The path of Firefox: the first of these that is installed, or the one that was unpacked into build/firefox."""
    for name in (*names, *(str(FOLDER / name) for name in names)):
        if path := shutil.which(name):
            return path
    return None


def driver() -> Path | None:
    """The module that drives Firefox, if it is installed in the pinned version."""
    if npm.installed(DRIVER, HOME) != npm.pinned(DRIVER):
        return None
    return HOME / "node_modules" / DRIVER


def main() -> None:
    debian.provide(find, PACKAGE, f"usr/lib/{PACKAGE}/{PACKAGE}", FOLDER, "journeys in Firefox", MISSING)
    try:
        npm.install(DRIVER, HOME)
    except npm.NotInstalled as error:
        print(f"{'!' * 80}\n{error}\n{NO_DRIVER}\n{'!' * 80}", file=sys.stderr)


if __name__ == "__main__":
    main()
