"""Photographs the pages for the README, at the width of a phone and of a desk.

make screenshots     writes docs/pictures anew
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from scripts.chromium import MISSING, find, launch
from tests.support import browser_scenes as scenes
from tests.support import http_server
from tests.support.browser_person import Person
from tests.support.http_server import Running

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTHS = {"phone": ViewportSize(width=390, height=844), "desktop": ViewportSize(width=1280, height=800)}
SHOWN = (scenes.start, scenes.setup, scenes.play, scenes.claim, scenes.over, scenes.review)


def pictures(folder: Path = PICTURES) -> dict[Path, tuple[scenes.Scene, ViewportSize]]:
    """The scene and the size of the screen for each picture."""
    return {folder / f"{scene.__name__}-{width}.png": (scene, WIDTHS[width]) for scene in SHOWN for width in WIDTHS}


def photograph(browser: Browser, server: Running, folder: Path) -> None:
    for file, (scene, viewport) in pictures(folder).items():
        home = f"http://127.0.0.1:{server.port}"
        person = Person(browser.new_context(base_url=home, reduced_motion="reduce", viewport=viewport), "Ann")
        scene(person, server)
        person.page.evaluate("scrollTo(0, 0)")
        shown = person.dialog if person.dialog.is_visible() else person.page
        shown.screenshot(path=file)
        person.close()
        print(f"wrote {file}")


def main() -> None:
    path = find()
    if path is None:
        raise SystemExit(MISSING)
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        http_server.running(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        photograph(launch(playwright, path), server, PICTURES)


if __name__ == "__main__":
    main()
