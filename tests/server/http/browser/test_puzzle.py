"""The page of a puzzle."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import LABELS, switch_on
from tests.support.http_server import Running

REFUSED = "Failed to load resource: the server responded with a status of 4"


def test_a_puzzle_is_solved_after_a_wrong_move_and_its_reason(new_person: NewPerson) -> None:
    ann = new_person()
    feedback = ann.page.locator("#feedback")
    ann.page.goto("/puzzle?id=classic-1")
    expect(ann.status).to_have_text("X to move wins in 3.")
    ann.press(3)
    expect(feedback).to_have_text("Middle-left loses in 4: O answers bottom-middle.")
    expect(ann.cell(7)).to_have_accessible_name("bottom-middle cell, O, last move")
    ann.button("Try again").click()
    expect(ann.cell(3)).to_have_accessible_name("middle-left cell, empty, playable")
    ann.press(8)
    expect(feedback).to_have_text("Right. O answered middle-left. Go on.")
    ann.press(7)
    expect(feedback).to_have_text("Bottom-middle wins in 3, but there is a win in 1.")
    ann.button("Try again").click()
    ann.press(4)
    expect(feedback).to_have_text("Solved!")
    expect(ann.page.get_by_role("link", name="Puzzle 1, wins in 3, solved")).to_be_visible()
    expect(ann.page.locator("#sets summary").first).to_have_text("Tic-Tac-Toe: 1 of 42 solved")
    ann.page.get_by_role("link", name="Next puzzle").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Puzzle 2: Tic-Tac-Toe")
    expect(ann.page.get_by_role("link", name="Puzzle 1, wins in 3, solved")).to_be_visible()


def test_the_solution_of_a_puzzle_is_shown_move_by_move(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle?id=ultimate-20")
    ann.button("Solution").click()
    moves = ann.page.locator("#solution-moves button")
    expect(moves.first).to_have_attribute("aria-current", "step")
    moves.last.click()
    expect(moves.last).to_have_attribute("aria-current", "step")
    expect(ann.page.locator("#solution-moves [aria-current]")).to_have_count(1)
    expect(ann.board.locator(".lines line")).to_have_count(1)


def test_a_solution_that_cannot_be_fetched_is_told_until_it_can(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle?id=classic-1")
    expect(ann.playable.first).to_be_visible()
    ann.page.route("**/positions", lambda route: route.abort())
    ann.button("Solution").click()
    expect(ann.notice).to_contain_text("The server cannot be reached.")
    expect(ann.page.locator("#solution-moves [aria-current]")).to_have_count(0)
    ann.page.unroute("**/positions")
    ann.page.locator("#solution-moves button").first.click()
    expect(ann.cell(8)).to_have_accessible_name("bottom-right cell, X, last move")
    expect(ann.notice).to_be_hidden()
    ann.ignore_errors("Failed to load resource")


def test_of_two_moves_of_a_solution_the_one_pressed_last_is_shown(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle?id=classic-1")
    ann.button("Solution").click()
    moves = ann.page.locator("#solution-moves button")
    expect(moves.first).to_have_attribute("aria-current", "step")
    waiting: list[Route] = []
    ann.page.route("**/positions", lambda route: waiting.append(route), times=1)
    with ann.page.expect_request("**/positions"):
        moves.nth(1).click()
    moves.last.click()
    expect(moves.last).to_have_attribute("aria-current", "step")
    with ann.page.expect_response("**/positions") as late:
        waiting[0].continue_()
    late.value.finished()
    ann.page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(ann.announcements).to_contain_text("bottom-right, middle-left, centre")
    expect(moves.last).to_have_attribute("aria-current", "step")
    expect(ann.cell(4)).to_have_accessible_name("centre cell, X, last move")


def test_what_is_said_and_the_solution_follow_the_naming_of_places(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle?id=classic-1")
    ann.press(3)
    feedback = ann.page.locator("#feedback")
    expect(feedback).to_have_text("Middle-left loses in 4: O answers bottom-middle.")
    ann.button("Solution").click()
    current = ann.page.locator("#solution-moves [aria-current]")
    expect(current).to_have_text("X bottom-right")
    switch_on(ann, LABELS)
    expect(feedback).to_have_text("a2 loses in 4: O answers b1.")
    expect(current).to_have_text("X c1")


def test_the_puzzle_of_the_day_is_played_with_the_keyboard(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle")
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Today's puzzle: ")
    ann.page.goto("/puzzle?id=swap-nine-1")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(f"Puzzle 1: {find_game('swap-nine').title}")
    ann.page.goto("/puzzle?id=classic-1")
    expect(ann.status).to_have_text("X to move wins in 3.")
    for key in ("9", "5"):
        expect(ann.playable.first).to_be_visible()
        ann.page.keyboard.press(key)
    expect(ann.page.locator("#feedback")).to_have_text("Solved!")


def test_an_unknown_puzzle_is_told_in_a_sentence(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/puzzle?id=classic-999")
    expect(ann.page.locator("#feedback")).to_have_text("The puzzles of this game have other numbers.")
    ann.ignore_errors(REFUSED)


def test_the_first_page_shows_the_puzzle_of_the_day_in_small_and_that_it_is_solved(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person()
    ann.page.goto("/")
    card = ann.page.locator("nine-puzzle a")
    expect(card).to_contain_text("Today's puzzle: ")
    expect(card).to_contain_text("to move wins in")
    card.click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Today's puzzle: ")
    today = server.get("/puzzles/today").json()["id"]
    ann.page.evaluate("(id) => localStorage.setItem('ninefold.puzzles.solved', JSON.stringify([id]))", today)
    ann.page.goto("/")
    expect(card).to_contain_text("You have solved it. The next one comes tomorrow.")
