"""Pages beside the game, used with the keyboard only."""

from __future__ import annotations

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_keys import Keys
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import SCENES, play_match, take_seat
from tests.support.http_server import Running

CLASSIC = find_game("classic")


def test_the_settings(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.choose_game(CLASSIC)
    keys.activate("Settings")
    keys.tab_to(ann.dialog.get_by_label("As the device"))
    for _ in range(2):
        keys.press("ArrowRight")
    root = ann.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    keys.tab_to(ann.dialog.get_by_label("Letters and numbers on the edges of the board"))
    keys.press("Space")
    expect(root).to_have_attribute("data-labels", "on")
    keys.press("Escape")
    expect(ann.dialog).to_be_hidden()
    expect(ann.button("Settings")).to_be_focused()
    keys.press("m")
    expect(ann.announcements).to_contain_text("Sounds off.")


def test_an_opponent_is_found_and_answers(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.choose_game(CLASSIC)
    keys.tab_to(ann.page.get_by_label("Clock with people"))
    keys.press("End")
    clock = ann.page.get_by_label("Clock with people").input_value()
    keys.activate("Find an opponent")
    expect(ann.status).to_have_text("Looking for an opponent …")
    expect(ann.page.locator("#board-area")).to_be_focused()
    initial, increment = map(int, clock.split("+"))
    asked = {"initial_seconds": initial, "increment_seconds": increment}
    paired = server.post("/pairings", {"game": "classic", "clock": asked, "request": "pair" * 8}).json()
    assert paired["match"] in ann.page.url
    if server.get(f"/matches/{paired['match']}", paired["token"]).json()["asked"] == paired["seat"]:
        assert server.move(paired["match"], paired["token"], 0, "1").status_code == 200
    expect(ann.status).to_contain_text("Your turn")
    keys.press("5")
    expect(ann.cell(4).locator(".mark")).to_be_visible()
    expect(ann.status).to_contain_text("to move.")


def test_a_position_is_set_up(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.page.goto("/review")
    keys.activate("Set up a position")
    expect(ann.page.get_by_label("Game")).to_be_focused()
    keys.tab_to(ann.page.locator("#editor-board [tabindex='0']"))
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("Enter")
    keys.press("Enter")
    expect(ann.page.locator("#editor-board [data-cell='1']")).to_have_accessible_name("top-middle cell, O")
    keys.activate("Analyze")
    expect(ann.status).to_have_text("The position that was set up.")
    keys.expect_focus_on_board()
    keys.activate("Set up from here")
    keys.activate("Cancel")
    keys.expect_focus_on_board()


def test_a_shared_game(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    keys = Keys(ann)
    SCENES["shared"](ann, server)
    keys.press("ArrowLeft")
    expect(ann.status).to_contain_text("Move 17 of 23")
    keys.activate("One move forward")
    expect(ann.status).to_contain_text("Move 18 of 23")
    keys.activate("Copy link")
    expect(ann.page.locator("#copy-link")).to_have_text("Copied")
    keys.tab_to(ann.page.get_by_role("link", name="Animation (GIF)"))
    keys.tab_to(ann.moves.get_by_role("button").nth(2))
    expect(ann.board.locator(".lit")).to_have_count(1)
    keys.press("Enter")
    expect(ann.status).to_contain_text("Move 3 of 23")


def test_a_rematch_is_declined_asked_for_and_accepted(new_person: NewPerson, server: Running) -> None:
    ann, played = new_person(), play_match(server, "classic")
    keys = Keys(ann)
    take_seat(ann, server, played, "1")
    server.post(f"/matches/{played.match}/rematch", {"request": "again"}, played.tokens["2"])
    keys.activate("Decline")
    expect(ann.page.locator("#rematch p")).to_have_text("The rematch was declined.")
    keys.activate("Rematch")
    expect(ann.status).to_have_text("Waiting for Ben to accept the rematch.")
    SCENES["rematch"](ann, server)
    keys.activate("Accept")
    expect(ann.status).to_have_text("Ben (X) to move.")
