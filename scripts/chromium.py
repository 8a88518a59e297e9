"""Finds Chromium for the tests in a browser, or installs it: Debian's package as root on Debian, else Playwright's own.

It never fails a build by itself: tests that find no browser say so, and count as failed where nothing may be skipped.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from scripts import debian
from scripts.debian import HAS_APT, can_install

# The same browser without windows, which takes less than half of the processor time.
SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# A container has no sandbox and little shared memory; and nothing may be asked of the network behind a test's back.
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking")
REMEDY = "apt-get install chromium" if HAS_APT else f"{sys.executable} -m playwright install --with-deps chromium"
MISSING = f"There is no Chromium. To test in a browser: {REMEDY}, then: make test"


class NoChromium(Exception):
    """There is none, or it does not start."""


def find(names: Sequence[str] = (SHELL, *BROWSERS)) -> str | None:
    """The path of a browser that Playwright can drive: the first of these that is installed, or Playwright's own."""
    for name in names:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def launch(playwright: Playwright, path: str) -> Browser:
    try:
        return playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS])
    except Error as error:
        raise NoChromium(f"{path} does not start: {error.message}") from None


def install() -> None:
    if can_install():
        print("Installing Chromium (Debian's package) for the tests in a browser ...", flush=True)
        debian.install(SHELL, "fonts-dejavu-core")
        if find() is None:  # a Debian without that package
            debian.install("chromium", "fonts-dejavu-core")
    if find() is None:
        print("Installing Chromium (Playwright's own) for the tests in a browser ...", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> None:
    if find() is None or (can_install() and not shutil.which(SHELL)):
        install()
    if find() is None:
        print(f"{'!' * 80}\n{MISSING}\n{'!' * 80}", file=sys.stderr)


if __name__ == "__main__":
    main()
