"""Lessons and hints."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import LABELS, switch_on
from tests.support.browser_screenshots import WIDTHS


def test_a_lesson_is_gone_through_step_by_step(new_person: NewPerson) -> None:
    ann = new_person()
    feedback, step = ann.page.locator("#feedback"), ann.page.locator("#step")
    ann.page.goto("/learn?game=swap-nine")
    expect(step).to_have_text("Step 1 of 5")
    ann.press(4)
    ann.button("Next step").click()
    expect(step).to_have_text("Step 2 of 5")
    ann.press(0)
    expect(feedback).to_have_text("Top-left is allowed, but not what is asked for here. Try again.")
    ann.button("Try again").click()
    ann.press(1, 4)
    expect(feedback).to_contain_text("Two markers to none.")
    ann.button("Next step").click()
    expect(step).to_have_text("Step 3 of 5")
    ann.press(3, 3)
    expect(feedback).to_contain_text("Nothing was taken.")
    ann.button("Next step").click()
    expect(step).to_have_text("Step 4 of 5")
    ann.press(3, 4)
    ann.button("Next step").click()
    expect(step).to_have_text("Step 5 of 5")
    ann.press(8, 5)
    expect(feedback).to_have_text("Five to four: you have won. That was the lesson. Try a game or a puzzle.")
    expect(ann.page.locator("#pictures figure")).to_have_count(5)
    play = ann.page.get_by_role("link", name="Play", exact=True).get_attribute("href") or ""
    ann.page.get_by_role("navigation").get_by_role("link", name="Ultimate Tic-Tac-Toe").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Learn: Ultimate Tic-Tac-Toe")
    ann.page.goto(play)
    expect(ann.page.get_by_role("tab", selected=True)).to_have_accessible_name("Swap Nine")
    assert "game" not in ann.page.url


def test_a_response_that_arrives_after_its_step_was_left_changes_nothing(new_person: NewPerson) -> None:
    ann, held = new_person(), list[Route]()
    ann.page.goto("/learn?game=swap-nine")
    ann.page.route("**/positions", lambda route: held.append(route), times=1)
    with ann.page.expect_request("**/positions"):
        ann.press(4)
    ann.button("Next step").click()
    expect(ann.page.locator("#step")).to_have_text("Step 2 of 5")
    with ann.page.expect_response("**/positions"):
        held[0].continue_()
    ann.press(0)
    expect(ann.page.locator("#feedback")).to_contain_text("Top-left is allowed, but not what is asked for here.")


def test_a_notice_goes_and_what_is_said_follows_the_naming_of_places(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/learn?game=classic")
    ann.button("Next step").click()
    ann.page.route("**/positions", lambda route: route.abort(), times=1)
    ann.press(8)
    expect(ann.notice).to_contain_text("The server cannot be reached.")
    ann.press(8)
    feedback = ann.page.locator("#feedback")
    expect(feedback).to_have_text("Bottom-right is allowed, but not what is asked for here. Try again.")
    expect(ann.notice).to_be_hidden()
    switch_on(ann, LABELS)
    expect(feedback).to_have_text("c1 is allowed, but not what is asked for here. Try again.")
    ann.ignore_errors("Failed to load resource")


def test_a_hint_shows_the_best_move_on_the_board(new_person: NewPerson) -> None:
    ann = new_person(viewport=WIDTHS["phone"])
    ann.start(find_game("classic"), "computer", side="X")
    ann.button("Hint").click()
    hint = ann.page.locator("#hint").filter(visible=True)
    expect(hint).to_have_text("Hint: top-left (draw).")
    expect(ann.board.locator(".value.best")).to_have_text(["="])
    ann.cell(4).hover()
    ann.status.hover()
    expect(hint).to_have_text("Hint: top-left (draw).")
    ann.press(4)
    expect(ann.board.locator(".value")).to_have_count(0)


def test_people_who_play_each_other_have_no_hint_button(new_person: NewPerson) -> None:
    ann = new_person()
    ann.start(find_game("classic"), "here")
    expect(ann.button("Resign")).to_be_visible()
    expect(ann.button("Hint")).to_have_count(0)
