"""Opens the site from the disk in Chromium, as a reader without a server does, and searches it."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from scripts import chromium

# What the search must find, and a page that must be among the results.
WORDS = {"claim": "rules.html", "MaskablePPO": "environments.html", "backup": "operate.html", "perft": "engine.html"}


def results(page: Page, site: Path, word: str) -> list[str]:
    """The addresses of the pages that the search finds for a word, which is typed as a person types it."""
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox")
    box.wait_for()
    box.press_sequentially(word, delay=20)
    found = page.locator(f'[role=option][href*="?h={word}"]')  # the results for the whole word
    found.first.wait_for()
    if box.input_value() != word:
        sys.exit(f"The search box has {box.input_value()!r} after {word!r} was typed.")
    return [option.get_attribute("href") or "" for option in found.all()]


def main(site: Path) -> None:
    browser_path = chromium.find()
    if browser_path is None:
        sys.exit(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, browser_path)
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for word, expected in WORDS.items():
            found = results(page, site, word)
            if not any(expected in address for address in found):
                sys.exit(f"The search for {word!r} does not find {expected}: {found}")
            print(f"Search finds {word!r} in {len(found)} places, {expected} among them.")
        outside = [address for address in asked if not address.startswith(("file:", "data:", "blob:"))]
        if outside:
            sys.exit(f"The site asks for addresses outside: {outside}")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
