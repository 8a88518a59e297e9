"""The pages of a leaderboard, opened from disk: no errors, no violations of accessibility, and steps by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ninefold.agents.leaderboard.pages import write_pages
from ninefold.agents.leaderboard.runs import read_runs
from tests.support.runs import boards_of, play_run


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = play_run(tmp_path_factory.mktemp("leaderboard") / "run")
    written = tmp_path_factory.mktemp("pages")
    list(write_pages(written, boards_of(folder), read_runs([str(folder)])))
    return written


def check(page: Page) -> None:
    found = Axe().run(page, options={"preload": False})  # it would read the style by itself, which disks refuse
    assert not found.violations_count, found.generate_report()
    too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not too_wide, "the page scrolls sideways"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_a_leaderboard_is_read_and_stepped_through(chromium: Browser, pages: Path, scheme: str, width: int) -> None:
    size = {"width": width, "height": 800}
    context = chromium.new_context(color_scheme=scheme, viewport=size, offline=True)  # type: ignore[arg-type]
    page, errors = context.new_page(), list[str]()
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((pages / "index.html").as_uri())
    page.get_by_text("All 6 matches").click()
    page.get_by_label("Show matches of").fill("liar")
    expect(page.locator(".matches tbody tr:visible")).to_have_count(4)
    check(page)
    page.locator(".matches tbody a:visible").first.click()
    expect(page.locator(".steps > li:visible")).to_have_count(1)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(f"#step-{step}")).to_be_visible()
    page.get_by_role("button", name="Last").click()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    check(page)
    assert errors == []
    context.close()
