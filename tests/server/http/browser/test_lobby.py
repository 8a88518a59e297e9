"""The lists of the first page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.server.http.browser.conftest import Arrive
from tests.server.http.browser.scenes import lay, sit_down
from tests.support.http_server import Running

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


def test_your_games_begin_with_those_that_wait_for_you_and_end_with_those_that_are_over(
    arrive: Arrive, server: Running
) -> None:
    ann = arrive()
    for game, plies in (("classic", 2), ("classic", 1), ("swap-nine", None)):
        sit_down(ann, server, lay(server, game, plies), "1")
    ann.page.goto("/")
    notes = ann.page.locator("#yours-list .note")
    expect(notes).to_have_count(3)
    assert notes.all_inner_texts()[:2] == ["Your turn", "Waiting for the other player"]


def test_a_rematch_that_the_other_wants_is_found_on_the_first_page(arrive: Arrive, server: Running) -> None:
    ann, table = arrive(), lay(server, "classic")
    sit_down(ann, server, table, "1")
    again = server.post(f"/matches/{table.match}/rematch", {"request": "again"}, table.tokens["2"]).json()["match"]
    ann.page.goto("/")
    yours = ann.page.locator("#yours-list")
    expect(yours.locator(".note")).to_have_text(["Ben wants a rematch."])
    yours.get_by_role("link", name="Rematch").click()
    expect(ann.status).to_have_text("Ben (X) to move.")
    assert ann.page.url.endswith(again)
    ann.page.goto("/")
    expect(yours.get_by_role("link")).to_contain_text(["Go on", "Look"])
