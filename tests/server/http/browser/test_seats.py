"""Seats: how they are taken, kept, carried and found again, whatever happens on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from ninefold.client import read_link
from ninefold.games import find_game
from tests.server.http.browser.conftest import Arrive
from tests.server.http.browser.people import Person
from tests.server.http.browser.scenes import lay
from tests.support.http_server import Running
from tests.support.terminals import Player

CLASSIC = find_game("classic")
LOST = "Failed to load resource: net::ERR_FAILED"
NOT_FOUND = "Failed to load resource: the server responded with a status of 404"


def lose_answers(person: Person, most: int = 1000) -> None:
    """The server does what it is asked for a seat, and its answers are lost on their way."""
    left = iter(range(most))

    def lose(route: Route) -> None:
        if next(left, None) is None:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    person.page.route("**/join", lose)


def carried(person: Person) -> str:
    """The link that carries a person's seat to another device."""
    person.page.get_by_text("More", exact=True).click()
    person.button("Other device").click()
    expect(person.dialog.locator("code")).to_have_count(0)
    link = person.page.get_by_label("Link that carries the seat", exact=True).input_value()
    person.dialog.get_by_role("button", name="Close").click()
    return link


def way_to_a_seat(server: Running, kind: str) -> str:
    """A link to seat 1 of a match whose seat 2 is taken."""
    if kind == "code":
        created = server.create(private=True)
        code = server.post(
            f"/matches/{created['match']}/handover", {"request": "carry"}, token=created["seats"]["1"]
        ).json()["code"]
        return f"/m/{created['match']}#code={code}"
    created = server.create("classic", "open", "human", private=kind == "invitation")
    return str(created["links"]["invite"]["1"]) if kind == "invitation" else f"/m/{created['match']}"


KINDS = pytest.mark.parametrize("kind", ["invitation", "open seat", "code"])


@KINDS
def test_a_seat_is_had_although_the_answer_was_lost(arrive: Arrive, server: Running, kind: str) -> None:
    ann = arrive()
    lose_answers(ann, 1)
    ann.page.goto(way_to_a_seat(server, kind))
    if kind != "code":
        ann.button("Join the game").click()
    expect(ann.status).to_have_text("Your turn: choose a cell.")
    expect(ann.page.locator("#notice")).to_be_hidden()
    assert "#" not in ann.page.url
    ann.forgive(LOST)


@KINDS
def test_a_seat_that_was_asked_for_is_had_after_a_reload(arrive: Arrive, server: Running, kind: str) -> None:
    ann = arrive()
    lose_answers(ann)
    ann.page.goto(link := way_to_a_seat(server, kind))
    if kind != "code":
        ann.button("Join the game").click()
    expect(ann.page.locator("#notice")).to_have_text("The server cannot be reached. Trying again …")
    assert ann.page.url.endswith(link)
    ann.page.unroute("**/join")
    ann.page.reload()
    expect(ann.status).to_have_text("Your turn: choose a cell.")
    assert "#" not in ann.page.url
    ann.forgive(LOST)


def test_an_invitation_that_was_used_is_said_to_be(arrive: Arrive, server: Running) -> None:
    created = server.create("classic", "human", "open")
    server.post(f"/matches/{created['match']}/join", {"invitation": created["invitations"]["2"]})
    ben = arrive()
    ben.page.goto(created["links"]["invite"]["2"])
    ben.button("Join the game").click()
    expect(ben.page.locator("#notice")).to_have_text("This invitation has been used. Ask for another match, or watch.")
    expect(ben.status).to_have_text("Player 1 (X) to move.")
    expect(ben.button("Join the game")).to_be_hidden()
    assert "#" not in ben.page.url
    ben.forgive("Failed to load resource: the server responded with a status of 409")


def test_an_invitation_that_comes_too_late_leads_to_watching(arrive: Arrive) -> None:
    ann, ben, carl = arrive("Ann"), arrive("Ben"), arrive("Carl")
    ann.choose(CLASSIC)
    ann.dialog.locator('[name="opponent"][value="friend"]').check()
    ann.dialog.locator('[name="public"]').check()
    ann.dialog.get_by_role("button", name="Start").click()
    link = ann.invitation()
    ben.join(link)
    carl.page.goto(link)
    expect(carl.page.locator("#notice")).to_have_text("The seat is taken already. Here you are watching.")
    expect(carl.button("Join the game")).to_be_hidden()
    ann.press(4)
    expect(carl.moves).to_have_text(["X 5"])
    assert "#" not in carl.page.url


def test_a_link_of_the_browser_opens_a_seat_at_the_console(arrive: Arrive, tmp_path: Path) -> None:
    ann = arrive("Ann")
    match = ann.start(CLASSIC, "friend")
    link = ann.invitation()
    assert read_link(link)[1:3] == (match, "invite")
    ben = Player(tmp_path, "play", "--join", link, "--name", "Ben")
    try:
        expect(ann.page.locator("#far")).to_contain_text("Ben")
        ann.press(4)
        ben.sees("choose a cell")
    finally:
        ben.close()


def test_a_link_that_works_on_this_computer_only_is_said_to(arrive: Arrive) -> None:
    ann = arrive()
    ann.start(CLASSIC, "friend")
    expect(ann.page.locator("nine-share")).to_contain_text("This link works on this computer only")


def test_a_link_to_an_open_page_is_followed_there(arrive: Arrive, server: Running) -> None:
    created = server.create()
    ann = arrive()
    ann.watch(created["match"])
    code = server.post(
        f"/matches/{created['match']}/handover", {"request": "carry"}, token=created["seats"]["1"]
    ).json()["code"]
    ann.page.goto(f"/m/{created['match']}#code={code}")
    expect(ann.status).to_have_text("Your turn: choose a cell.")


def test_a_match_that_the_server_does_not_know_for_a_while_is_there_again(arrive: Arrive) -> None:
    ann = arrive()
    match = ann.start(CLASSIC, "here")
    ann.page.route(f"**/api/v1/matches/{match}", lambda route: route.fulfill(status=404, json={"status": 404}))
    ann.page.reload()
    expect(ann.status).to_have_text("There is no such match here")
    ann.page.goto("/")
    expect(ann.page.locator("#live-none, #live-list li").first).to_be_visible()
    expect(ann.page.locator("#yours")).to_be_hidden()
    ann.page.unroute(f"**/api/v1/matches/{match}")
    ann.page.reload()
    ann.page.locator("#yours-list").get_by_role("link", name="Go on").click()
    expect(ann.status).to_have_text("X to move: choose a cell.")
    ann.forgive(NOT_FOUND)


def test_a_private_seat_that_was_carried_away_is_over_here(arrive: Arrive, server: Running) -> None:
    created = server.create("classic", "human", "open", private=True)
    ben, phone = arrive(), arrive()
    ben.join(created["links"]["invite"]["2"])
    phone.page.goto(carried(ben))
    expect(phone.connection).to_have_text("Connected")
    expect(ben.page.locator("#notice")).to_have_text("Your seat is played on another device now.")
    expect(ben.connection).to_have_text("Not connected")
    ben.page.reload()
    expect(ben.page.locator("#notice")).to_have_text("Your seat is played on another device now.")
    ben.forgive(NOT_FOUND)


def test_who_made_a_private_match_watches_it_when_the_seat_was_carried_away(arrive: Arrive) -> None:
    ann, ben, phone = arrive(), arrive(), arrive()
    ann.start(CLASSIC, "friend")
    ben.join(ann.invitation())
    phone.page.goto(carried(ann))
    expect(ann.page.locator("#notice")).to_contain_text("Here you are watching.")
    phone.press(4)
    expect(ann.moves).to_have_text(["X 5"])
    phone.page.get_by_text("More", exact=True).click()
    expect(phone.button("Let others watch")).to_be_visible()
    ben.page.get_by_text("More", exact=True).click()
    expect(ben.button("Other device")).to_be_visible()
    expect(ben.button("Let others watch")).to_be_hidden()


def test_who_watched_a_game_is_offered_to_watch_the_rematch(arrive: Arrive, server: Running) -> None:
    table, watcher = lay(server, "classic"), arrive()
    watcher.watch(table.match)
    expect(watcher.button("Review")).to_be_visible()
    again = server.post(f"/matches/{table.match}/rematch", {"request": "again"}, table.tokens["1"]).json()["match"]
    watcher.button("Watch the rematch").click()
    expect(watcher.status).to_have_text("Ben (X) to move.")
    assert watcher.page.url.endswith(again)
