"""The first page: one click to a game, settings that are kept, motion as wanted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson
from tests.support.browser_screenshots import WIDTHS
from tests.support.http_server import Running

CLASSIC, AGENTS = find_game("classic"), find_game("agents")
# How long a stroke of the newest mark is drawn, in seconds.
DRAWN_FOR = "parseFloat(getComputedStyle(document.querySelector('.mark.drawn > *')).animationDuration)"


@pytest.mark.parametrize("game", [CLASSIC, AGENTS], ids=["classic", "agents"])
def test_one_click_is_the_first_move_of_a_private_game(new_person: NewPerson, server: Running, game: object) -> None:
    ann, first = new_person("Ann"), "O" if game is AGENTS else "X"
    ann.choose_game(AGENTS if game is AGENTS else CLASSIC)
    ann.press(4)
    expect(ann.moves).to_have_count(2)
    expect(ann.moves.first).to_have_text(re.compile(f"^{first} "))
    expect(ann.status).to_contain_text("Your turn")
    expect(ann.connection).to_have_text("Connected")
    match = ann.page.url.rpartition("/")[2]
    assert match not in {one["id"] for one in server.get("/matches?state=live&limit=100").json()["matches"]}
    ann.page.reload()
    expect(ann.moves).to_have_count(2)


def test_going_back_from_a_game_shows_the_first_page_with_the_same_tab(new_person: NewPerson) -> None:
    ann = new_person()
    ann.choose_game(CLASSIC)
    ann.press(0)
    expect(ann.moves).to_have_count(2)
    ann.page.go_back()
    expect(ann.page.get_by_role("tab", selected=True)).to_have_accessible_name(CLASSIC.title)
    expect(ann.page.locator("#my-matches-list li")).to_have_count(1)


def test_an_opponent_is_found_among_those_who_wait_for_the_same_game(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    for person in (ann, ben):
        person.choose_game(CLASSIC)
        person.page.get_by_label("Clock with people").select_option("600+5")
        person.button("Find an opponent").click()
        expect(person.connection).to_have_text("Connected")
    assert ann.page.url == ben.page.url
    expect(ann.page.get_by_role("timer")).to_have_count(2)


def test_while_an_opponent_is_sought_the_page_says_for_what_and_since_when_and_it_can_be_cancelled(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person()
    ann.choose_game(find_game("squared"))
    ann.page.get_by_label("Clock with people").select_option("180+2")
    ann.button("Find an opponent").click()
    expect(ann.status).to_have_text("Looking for an opponent …")
    expect(ann.page.locator("#join h2")).to_have_text("Tic-Tac-Toe Squared · 3 min + 2 s")
    expect(ann.page.locator("#join")).to_contain_text(re.compile(r"Since \d+:\d\d"))
    expect(ann.page.locator("nine-share")).to_have_count(0)
    match = ann.page.url.rpartition("/")[2]
    ann.page.reload()
    expect(ann.status).to_have_text("Looking for an opponent …")
    ann.button("Cancel").click()
    ann.page.wait_for_url("**/")
    expect(ann.page.get_by_role("tab", selected=True)).to_be_visible()
    assert server.get(f"/matches/{match}").json()["status"] == "ended"
    expect(ann.page.locator("#live-none, #live-list li").first).to_be_visible()
    expect(ann.page.locator("#my-matches")).to_be_hidden()


def test_on_an_empty_board_of_boards_any_cell_may_be_chosen(new_person: NewPerson) -> None:
    ann = new_person()
    ann.choose_game(find_game("ultimate"))
    expect(ann.status).to_have_text("Play the computer: choose any cell.")


def test_a_friend_gets_a_link_and_a_qr_code_at_once(new_person: NewPerson) -> None:
    ann = new_person()
    ann.choose_game(CLASSIC)
    ann.button("Play a friend").click()
    expect(ann.page.locator(".qr")).to_be_visible()
    assert "#invite=" in ann.invitation_link()


def test_on_a_phone_the_link_for_a_friend_is_offered_to_other_apps_at_once(new_person: NewPerson) -> None:
    ann = new_person(viewport=WIDTHS["phone"], has_touch=True, is_mobile=True)
    ann.page.add_init_script("navigator.share = async ({ url }) => { window.sent = url; }")
    ann.choose_game(CLASSIC)
    ann.button("Play a friend").click()
    ann.page.wait_for_function("() => window.sent")
    assert ann.page.evaluate("sent") == ann.invitation_link()


def test_settings_are_kept(new_person: NewPerson) -> None:
    ann = new_person()
    ann.choose_game(CLASSIC)
    level, clock = ann.page.get_by_label("Computer", exact=True), ann.page.get_by_label("Clock with people")
    level.select_option("Hard")
    clock.select_option("180+2")
    ann.button("Settings").click()
    ann.dialog.get_by_label("Dark").check()
    ann.dialog.get_by_label("Lines").check()
    ann.dialog.get_by_label("Letters and numbers on the edges of the board").check()
    ann.dialog.get_by_role("button", name="Close").click()
    ann.page.keyboard.press("m")
    expect(ann.announcements).to_contain_text("Sounds off.")
    expect(ann.page.locator(".toast")).to_have_text("Sounds off.")
    expect(ann.button("Settings").locator(".glyph")).to_have_count(2)  # the gear, and a sign that sounds are off
    ann.page.reload()
    expect(ann.button("Settings").locator(".glyph")).to_have_count(2)
    expect(level).to_have_value("hard")
    expect(clock).to_have_value("180+2")
    root = ann.page.locator("html")
    expect(root).to_have_attribute("data-board", "lines")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-labels", "on")
    ann.button("Settings").click()
    expect(ann.dialog.get_by_label("Sounds (key M)")).not_to_be_checked()


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_marks_are_drawn_unless_motion_is_unwanted(new_person: NewPerson, motion: str, moves: bool) -> None:
    ann = new_person()
    ann.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    ann.choose_game(CLASSIC)
    ann.press(4)
    expect(ann.moves).to_have_count(2)
    assert (ann.page.evaluate(DRAWN_FOR) > 0.1) is moves
