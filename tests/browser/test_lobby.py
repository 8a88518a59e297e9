"""The lists of the first page."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Arrive
from web_server import Running

PAGE = 8
EVERY = 15_000  # milliseconds


def test_more_matches_are_shown_until_there_are_no_more(arrive: Arrive, server: Running) -> None:
    for _ in range(2 * PAGE):
        server.create("classic", "human", "open")
    waiting = len(server.get("/matches?state=open&limit=100").json()["matches"])
    ann = arrive()
    ann.page.goto("/")
    items, more = ann.page.locator("#open-list li"), ann.page.locator("#open-more")
    for shown in range(PAGE, waiting, PAGE):
        expect(items).to_have_count(shown)
        more.click()
    expect(items).to_have_count(waiting)
    expect(more).to_be_hidden()


def test_every_match_that_is_shown_is_kept_up_to_date(arrive: Arrive, server: Running) -> None:
    oldest, *_ = [server.create() for _ in range(PAGE + 1)]
    ann = arrive()
    ann.page.clock.install()
    ann.page.goto("/")
    item = ann.page.locator(f'#live-list li[data-match="{oldest["match"]}"]')
    ann.page.locator("#live-more").click()
    expect(item).to_contain_text("0 moves")
    item.get_by_role("link").focus()
    server.move(oldest["match"], oldest["seats"]["1"], 0, "5")
    ann.page.clock.fast_forward(EVERY)
    expect(item).to_contain_text("1 move")
    expect(item.get_by_role("link")).to_be_focused()
