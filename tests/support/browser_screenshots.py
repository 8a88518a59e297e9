"""Photographs the pages: some for the README, at the width of a phone and of a desk, and all of them in both themes.

make screenshots     writes docs/pictures and docs/pictures/pages anew
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from scripts.chromium import MISSING, find, launch
from tests.support import browser_scenes as scenes
from tests.support import http_server
from tests.support.browser_person import Person
from tests.support.http_server import Running

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTHS = {"phone": ViewportSize(width=390, height=844), "desktop": ViewportSize(width=1280, height=800)}
PAGES = PICTURES / "pages"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SMALL = (720, 450)  # pixels
COLOURS = Image.Quantize.FASTOCTREE  # keeps those of few pixels, such as marks
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
        taken = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
        taken.quantize(256, method=COLOURS).save(file, optimize=True)
        person.close()
        print(f"wrote {file}")


def page_pictures(folder: Path = PAGES) -> dict[str, list[Path]]:
    """The pictures of each scene, in each theme."""
    return {scene: [folder / f"{scene}-{theme}.png" for theme in THEMES] for scene in scenes.SCENES}


def photograph_pages(browser: Browser, server: Running, folder: Path) -> None:
    """Every scene in both themes, small enough to be kept."""
    folder.mkdir(exist_ok=True)
    home = f"http://127.0.0.1:{server.port}"
    for name, files in page_pictures(folder).items():
        person = Person(browser.new_context(base_url=home, reduced_motion="reduce", viewport=WIDTHS["desktop"]), "Ann")
        scenes.SCENES[name](person, server)
        person.page.evaluate("scrollTo(0, 0)")
        for theme, file in zip(THEMES, files, strict=True):
            person.page.emulate_media(color_scheme=theme)
            taken = Image.open(io.BytesIO(person.page.screenshot())).convert("RGB")
            taken.resize(SMALL, Image.Resampling.LANCZOS).quantize(128, method=COLOURS).save(file, optimize=True)
        person.close()
        print(f"wrote {folder / name}-*.png")


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
        browser = launch(playwright, path)
        photograph(browser, server, PICTURES)
        photograph_pages(browser, server, PAGES)


if __name__ == "__main__":
    main()
