"""Seats: how they are taken, stored, moved and found again, even if answers are lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from ninefold.client import read_link
from ninefold.games import find_game
from tests.support.browser_person import NewPerson, Person, violations
from tests.support.browser_scenes import handover_path, play_match
from tests.support.http_server import Running
from tests.support.terminals import Player

CLASSIC = find_game("classic")
CHANGED = "0123456789abcdefghijklmnopqrstuv"  # has the form of a secret
REFUSED = "Failed to load resource: the server responded with a status of 4"
LOST = "Failed to load resource: net::ERR_FAILED"
NOT_FOUND = "Failed to load resource: the server responded with a status of 404"


def lose_answers(person: Person, most: int = 1000) -> None:
    """The server gives the seat, and its answers are lost on the way."""
    left = iter(range(most))

    def lose(route: Route) -> None:
        if next(left, None) is None:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    person.page.route("**/join", lose)


def seat_link(server: Running, kind: str) -> str:
    """A link to seat 1 of a match whose seat 2 is taken."""
    if kind == "code":
        created = server.create(private=True)
        return handover_path(server, created["match"], created["seats"]["1"])
    created = server.create("classic", "open", "human", private=kind == "invitation")
    return str(created["links"]["invite"]["1"]) if kind == "invitation" else f"/m/{created['match']}"


KINDS = pytest.mark.parametrize("kind", ["invitation", "open seat", "code"])


@KINDS
def test_a_seat_is_taken_although_the_answer_is_lost(new_person: NewPerson, server: Running, kind: str) -> None:
    ann = new_person()
    lose_answers(ann, 1)
    ann.page.goto(seat_link(server, kind))
    if kind != "code":
        ann.button("Join the game").click()
    expect(ann.status).to_have_text("Your turn: choose a cell.")
    expect(ann.notice).to_be_hidden()
    assert "#" not in ann.page.url
    ann.ignore_errors(LOST)


@KINDS
def test_a_seat_whose_answer_was_lost_is_taken_after_a_reload(
    new_person: NewPerson, server: Running, kind: str
) -> None:
    ann = new_person()
    lose_answers(ann)
    ann.page.goto(link := seat_link(server, kind))
    if kind != "code":
        ann.button("Join the game").click()
    expect(ann.notice).to_have_text("The server cannot be reached. Trying again …")
    assert ann.page.url.endswith(link)
    ann.page.unroute("**/join")
    ann.page.reload()
    expect(ann.status).to_have_text("Your turn: choose a cell.")
    assert "#" not in ann.page.url
    ann.ignore_errors(LOST)


def test_a_used_invitation_is_refused_as_soon_as_it_is_opened(new_person: NewPerson, server: Running) -> None:
    created = server.create("classic", "human", "open")
    server.post(f"/matches/{created['match']}/join", {"invitation": created["invitations"]["2"]})
    ben = new_person()
    ben.page.goto(created["links"]["invite"]["2"])
    expect(ben.page.get_by_role("heading", name="The invitation has been used")).to_be_visible()
    expect(ben.notice).to_have_text("Somebody has joined the game with this link. Ask for a link to another one.")
    expect(ben.button("Join the game")).to_be_hidden()
    assert "#" not in ben.page.url
    ben.button("Watch the match").click()
    expect(ben.status).to_have_text("Player 1 (X) to move.")
    expect(ben.notice).to_be_hidden()
    ben.ignore_errors("Failed to load resource: the server responded with a status of 409")


@pytest.mark.parametrize("kind", ["invite", "code"])
def test_a_changed_link_to_a_public_match_says_so_and_the_match_can_be_watched(
    new_person: NewPerson, server: Running, kind: str
) -> None:
    match, ben = server.create()["match"], new_person()
    ben.page.goto(f"/m/{match}#{kind}={CHANGED}")
    expect(ben.page.get_by_role("heading", name="The link is damaged")).to_be_visible()
    expect(ben.notice).to_contain_text("This link opens no seat of the match: a part of it is missing or changed.")
    ben.button("Watch the match").click()
    expect(ben.board).to_be_visible()
    ben.ignore_errors(REFUSED)


def test_an_invitation_that_somebody_else_has_used_meanwhile_is_forgotten(
    new_person: NewPerson, server: Running
) -> None:
    created, ben = server.create("classic", "human", "open"), new_person()
    ben.page.goto(created["links"]["invite"]["2"])
    expect(ben.button("Join the game")).to_be_visible()
    server.post(f"/matches/{created['match']}/join", {"invitation": created["invitations"]["2"]})
    ben.watch(created["match"])
    expect(ben.status).to_have_text("Player 1 (X) to move.")
    expect(ben.page.locator("#join")).to_be_hidden()
    expect(ben.notice).to_be_hidden()
    ben.ignore_errors(REFUSED)


def test_an_invitation_tells_the_game_the_clock_the_other_player_and_the_side(
    new_person: NewPerson, server: Running
) -> None:
    seats = [{"player": "human", "name": "Ann"}, {"player": "open"}]
    clock = {"initial_seconds": 180, "increment_seconds": 2}
    created = server.post("/matches", {"game": "classic", "seats": seats, "private": True, "clock": clock}).json()
    ben = new_person()
    ben.page.goto(created["links"]["invite"]["2"])
    expect(ben.page.locator("#join")).to_contain_text("Tic-Tac-Toe, 3 min + 2 s, with Ann. You play O.")


def test_a_late_guest_of_a_public_match_watches_it(new_person: NewPerson) -> None:
    ann, ben, carl = new_person("Ann"), new_person("Ben"), new_person("Carl")
    ann.open_new_match_dialog(CLASSIC)
    ann.dialog.locator('[name="opponent"][value="friend"]').check()
    ann.dialog.locator('[name="public"]').check()
    ann.dialog.get_by_role("button", name="Start").click()
    link = ann.invitation_link()
    ben.join(link)
    carl.page.goto(link)
    expect(carl.page.get_by_role("heading", name="The invitation has been used")).to_be_visible()
    expect(carl.button("Join the game")).to_be_hidden()
    carl.button("Watch the match").click()
    ann.press(4)
    expect(carl.moves).to_have_text(["X centre"])
    assert "#" not in carl.page.url
    carl.ignore_errors(REFUSED)


def test_an_invitation_link_can_be_joined_in_the_console(new_person: NewPerson, tmp_path: Path) -> None:
    ann = new_person("Ann")
    match = ann.start(CLASSIC, "friend")
    link = ann.invitation_link()
    assert read_link(link)[1:3] == (match, "invite")
    ben = Player(tmp_path, "play", "--join", link, "--name", "Ben")
    try:
        expect(ann.opponent).to_contain_text("Ben")
        ann.press(4)
        ben.sees("choose a cell")
    finally:
        ben.close()


def test_a_loopback_link_comes_with_a_warning(new_person: NewPerson) -> None:
    ann = new_person()
    ann.start(CLASSIC, "friend")
    expect(ann.page.locator("nine-share")).to_contain_text("This link works on this computer only")


def test_a_link_to_the_match_that_is_shown_takes_the_seat(new_person: NewPerson, server: Running) -> None:
    created = server.create()
    ann = new_person()
    ann.watch(created["match"])
    ann.page.goto(handover_path(server, created["match"], created["seats"]["1"]))
    expect(ann.status).to_have_text("Your turn: choose a cell.")


def test_a_match_that_was_missing_for_a_while_is_listed_again(new_person: NewPerson) -> None:
    ann = new_person()
    match = ann.start(CLASSIC, "here")
    ann.page.route(f"**/api/v1/matches/{match}", lambda route: route.fulfill(status=404, json={"status": 404}))
    ann.page.reload()
    expect(ann.status).to_have_text("Match not found")
    ann.page.goto("/")
    expect(ann.page.locator("#live-none, #live-list li").first).to_be_visible()
    expect(ann.page.locator("#my-matches")).to_be_hidden()
    ann.page.unroute(f"**/api/v1/matches/{match}")
    ann.page.reload()
    ann.page.locator("#my-matches-list").get_by_role("link", name="Continue").click()
    expect(ann.status).to_have_text("X to move: choose a cell.")
    ann.ignore_errors(NOT_FOUND)


def test_a_private_match_is_closed_after_the_seat_was_moved(new_person: NewPerson, server: Running) -> None:
    created = server.create("classic", "human", "open", private=True)
    ben, phone = new_person(), new_person()
    ben.join(created["links"]["invite"]["2"])
    phone.page.goto(ben.handover_link())
    expect(phone.connection).to_have_text("Connected")
    expect(ben.notice).to_have_text("Your seat was moved to another device.")
    expect(ben.connection).to_have_text("Not connected")
    ben.page.reload()
    expect(ben.notice).to_have_text("Your seat was moved to another device.")
    ben.ignore_errors(NOT_FOUND)


def test_the_creator_of_a_private_match_watches_it_after_moving_the_seat(new_person: NewPerson) -> None:
    ann, ben, phone = new_person(), new_person(), new_person()
    ann.start(CLASSIC, "friend")
    ben.join(ann.invitation_link())
    phone.page.goto(ann.handover_link())
    expect(ann.notice).to_contain_text("You are watching.")
    phone.press(4)
    expect(ann.moves).to_have_text(["X centre"])
    phone.page.get_by_text("More", exact=True).click()
    expect(phone.button("Let others watch")).to_be_visible()
    ben.page.get_by_text("More", exact=True).click()
    expect(ben.button("Other device")).to_be_visible()
    expect(ben.button("Let others watch")).to_be_hidden()


def test_a_spectator_is_offered_the_rematch(new_person: NewPerson, server: Running) -> None:
    played, watcher = play_match(server, "classic"), new_person()
    watcher.watch(played.match)
    expect(watcher.button("Review")).to_be_visible()
    again = server.post(f"/matches/{played.match}/rematch", {"request": "again"}, played.tokens["1"]).json()["match"]
    watcher.button("Watch the rematch").click()
    expect(watcher.status).to_have_text("Waiting for Ben to accept the rematch.")
    assert watcher.page.url.endswith(again)


def test_every_link_that_opens_nothing_has_a_page_that_says_why_and_what_next(
    new_person: NewPerson, server: Running
) -> None:
    created = server.create("classic", "human", "open", private=True)
    page, person = f"/m/{created['match']}", new_person()
    used = created["links"]["invite"]["2"]
    joined = server.post(f"/matches/{created['match']}/join", {"invitation": created["invitations"]["2"]}).json()
    code = server.post(f"/matches/{created['match']}/handover", {"request": "r"}, joined["token"]).json()["code"]
    server.post(f"/matches/{created['match']}/join", {"code": code})
    troubles = {
        f"{page}#invite=damaged": ("The link is damaged", "A part of the link is missing or changed."),
        f"{page}#code=damaged": ("The link is damaged", "A part of the link is missing or changed."),
        f"{page}#invite={CHANGED}": ("The link opens nothing", "or the match ended long ago. Ask for the link again"),
        f"{page}#code={CHANGED}": ("The link opens nothing", "or the match ended long ago. Ask for the link again"),
        used: ("The invitation has been used", "Somebody has joined the game with this link."),
        f"{page}#code={code}": ("The link has expired", "This code has been used or has expired."),
        page: ("Match not found", "it is private and needs its link"),
    }
    for link, (title, sentence) in troubles.items():
        person.page.goto("about:blank")
        person.page.goto(link)
        expect(person.page.get_by_role("heading", name=title)).to_be_visible()
        expect(person.status).to_have_text(title)
        expect(person.page).to_have_title(f"{title} · Ninefold")
        expect(person.notice).to_contain_text(sentence)
        expect(person.page.get_by_role("link", name="All games")).to_be_visible()
        expect(person.button("Watch the match")).to_be_hidden()
    for link, title, instead in (
        ("/puzzle?id=none", "There is no such puzzle", "Today's puzzle"),
        ("/learn?game=none", "There is no such lesson", "The first lesson"),
    ):
        person.page.goto(link)
        expect(person.page.get_by_role("heading", name=title)).to_be_visible()
        expect(person.status).to_have_text(title)
        expect(person.page).to_have_title(f"{title} · Ninefold")
        expect(person.board).to_be_hidden()
        expect(person.page.locator("main")).not_to_contain_text("swap-nine")
        assert violations(person) == ""
        person.page.get_by_role("link", name=instead).click()
        expect(person.playable.first).to_be_visible()
    person.page.goto("/nowhere")
    expect(person.page).to_have_title(re.compile("^There is .* Ninefold$"))
    person.page.get_by_role("link", name="To the games").click()
    person.page.wait_for_url("**/")
    person.ignore_errors("Failed to load resource: the server responded with a status of 4")


def test_an_invitation_to_a_match_that_has_ended_says_so(new_person: NewPerson, server: Running) -> None:
    created = server.create("classic", "human", "open", private=True)
    leave = {"request": "leave", "action": {"kind": "leave"}}
    assert server.post(f"/matches/{created['match']}/actions", leave, created["seats"]["1"]).status_code == 200
    ben = new_person()
    ben.page.goto(created["links"]["invite"]["2"])
    expect(ben.page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(ben.page).to_have_title("The game is over · Ninefold")
    expect(ben.page.get_by_role("link", name="All games")).to_be_visible()
    ben.ignore_errors("Failed to load resource: the server responded with a status of 4")


def test_who_comes_too_late_to_a_full_match_is_told_on_a_page_and_may_watch(
    new_person: NewPerson, server: Running
) -> None:
    created, ben = server.create("classic", "human", "open"), new_person()
    ben.page.route_web_socket("**/socket", lambda _: None)  # nobody tells the page that the seat is taken
    ben.page.goto(f"/m/{created['match']}")
    expect(ben.button("Join the game")).to_be_visible()
    assert server.post(f"/matches/{created['match']}/join", {}).status_code == 200
    ben.button("Join the game").click()
    expect(ben.page.get_by_role("heading", name="The match is full")).to_be_visible()
    expect(ben.page).to_have_title("The match is full · Ninefold")
    expect(ben.notice).to_have_text("Both seats are taken. You may watch.")
    expect(ben.page.get_by_role("link", name="All games")).to_be_visible()
    expect(ben.board).to_be_hidden()
    expect(ben.button("Join the game")).to_be_hidden()
    ben.button("Watch the match").click()
    expect(ben.page.locator("#spectator")).to_be_visible()
    expect(ben.board).to_be_visible()
    expect(ben.notice).to_be_hidden()
    expect(ben.page).to_have_title("Tic-Tac-Toe · Ninefold")
    ben.ignore_errors("Failed to load resource: the server responded with a status of 409")
