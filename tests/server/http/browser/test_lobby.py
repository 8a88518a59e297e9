"""The lists of matches on the first page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import play_match, take_seat
from tests.support.clocks import ManualClock
from tests.support.http_server import Running, running

PAGE = 8
MINUTE = 60_000  # milliseconds
REFRESH_EVERY = 15_000  # milliseconds


def test_more_matches_are_shown_on_request(new_person: NewPerson, server: Running) -> None:
    for _ in range(2 * PAGE):
        server.create("classic", "human", "open")
    ann = new_person()
    ann.page.goto("/")
    items, more = ann.page.locator("#open-list li"), ann.page.locator("#open-more")
    expect(items).to_have_count(PAGE)
    more.click()
    expect(items.nth(2 * PAGE - 1)).to_be_visible()


def test_every_listed_match_is_refreshed(new_person: NewPerson, server: Running) -> None:
    oldest, *_ = [server.create() for _ in range(PAGE + 1)]
    ann = new_person()
    ann.page.clock.install()
    ann.page.goto("/")
    item = ann.page.locator(f'#live-list li[data-match="{oldest["match"]}"]')
    ann.page.locator("#live-more").click()
    expect(item).to_contain_text("0 moves")
    item.get_by_role("link").focus()
    server.move(oldest["match"], oldest["seats"]["1"], 0, "5")
    ann.page.clock.fast_forward(REFRESH_EVERY)
    expect(item).to_contain_text("1 move")
    expect(item.get_by_role("link")).to_be_focused()


def test_your_games_are_ordered_by_whose_turn_it_is(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    for game, plies in (("classic", 2), ("classic", 1), ("swap-nine", None)):
        take_seat(ann, server, play_match(server, game, plies), "1")
    ann.page.goto("/")
    notes = ann.page.locator("#my-matches-list .note")
    expect(notes).to_have_count(3)
    assert notes.all_inner_texts()[:2] == ["Your turn", "Waiting for the other player"]


def test_a_rematch_that_the_opponent_wants_is_listed(new_person: NewPerson, server: Running) -> None:
    ann, played = new_person(), play_match(server, "classic")
    take_seat(ann, server, played, "1")
    again = server.post(f"/matches/{played.match}/rematch", {"request": "again"}, played.tokens["2"]).json()["match"]
    ann.page.goto("/")
    yours = ann.page.locator("#my-matches-list")
    expect(yours.locator(".note")).to_have_text(["Ben wants a rematch."])
    yours.get_by_role("link", name="Rematch").click()
    ann.button("Accept").click()
    expect(ann.status).to_have_text("Ben (X) to move.")
    assert ann.page.url.endswith(again)
    ann.page.goto("/")
    expect(yours.get_by_role("link")).to_contain_text(["Continue", "Look"])


def test_a_match_that_nobody_is_at_any_more_is_not_listed(new_person: NewPerson, tmp_path: Path) -> None:
    now = ManualClock()
    with running(tmp_path, now=now) as server:
        for other in ("human", "open"):
            server.create("classic", "human", other, clock={"initial_seconds": 180, "increment_seconds": 2})
        ann = new_person(home=f"http://127.0.0.1:{server.port}")
        ann.page.goto("/")
        expect(ann.page.locator("#live-list li")).to_have_count(1)
        expect(ann.page.locator("#open-list li")).to_have_count(1)
        for name in ("live", "open"):
            expect(ann.page.locator(f"#{name}-list .note")).to_contain_text("3 min + 2 s")
        now.at += MINUTE
        ann.page.reload()
        expect(ann.page.locator("#live-none")).to_be_visible()
        expect(ann.page.locator("#open-none")).to_be_visible()
        expect(ann.page.locator(".match-list li:visible")).to_have_count(0)
        ann.close()
