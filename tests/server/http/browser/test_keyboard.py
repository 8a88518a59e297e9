"""Games played with the keyboard only."""

from __future__ import annotations

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_keys import Keys
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import play_match
from tests.support.http_server import Running
from tests.support.short_games import short_game

CLASSIC, AGENTS, SQUARED, SWAP_NINE = map(find_game, ("classic", "agents", "squared", "swap-nine"))


def test_a_game_against_the_computer(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    keys.start("Tic-Tac-Toe", "Computer")
    over = ann.button("Rematch")
    arrows = True
    while not over.is_visible():
        expect(ann.playable.or_(over).first).to_be_visible()
        if not ann.playable.first.is_visible():
            continue
        cell = int(ann.playable.first.get_attribute("data-cell") or "")
        if arrows:
            keys.move_to(cell)
            keys.press("Enter")
            expect(ann.cell(cell)).to_be_focused()
        else:
            keys.press(str(cell + 1))
        arrows = not arrows
    played = ann.page.url
    keys.activate("Rematch")
    ann.page.wait_for_url(lambda url: url != played)
    expect(ann.status).not_to_be_empty()


def test_the_agents_game_with_a_claim_and_its_answer(new_person: NewPerson) -> None:
    ann, short = new_person(), short_game(AGENTS)
    keys = Keys(ann)
    keys.start("The agents' game", "Same screen")
    for number, ply in enumerate(short.plies, 1):
        keys.press(str(ply.squares[0] // 3))
        keys.press(str(ply.squares[0] % 3))
        expect(ann.moves).to_have_count(number)
    keys.activate("Claim victory")
    assert short.claim
    for cell in short.claim:
        keys.move_to(cell)
        keys.press("Space")
        expect(ann.cell(cell)).to_have_attribute("aria-pressed", "true")
    keys.activate("Claim for O")
    keys.expect_focus_on_board()
    keys.activate("Confirm: it is true")
    expect(ann.status).to_have_text(short.shown)
    keys.expect_focus_on_board()


def test_a_board_of_boards_is_played_with_digits_and_announces_the_next_board(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    keys.start("Tic-Tac-Toe Squared", "Same screen")
    expect(ann.status).to_have_text("X to move: choose any cell.")
    keys.press("7")
    expect(ann.status).to_have_text("X to move: choose a cell in the top-left board.")
    keys.press("Escape")
    expect(ann.status).to_have_text("X to move: choose any cell.")
    keys.press("5")
    keys.press("9")
    expect(ann.moves).to_have_text(["X centre/top-right"])
    expect(ann.announcements).to_contain_text("X played centre board, top-right cell.")
    expect(ann.announcements).to_contain_text("O to move, top-right board.")
    keys.press("1")
    expect(ann.moves).to_have_text(["X centre/top-right", "O top-right/bottom-left"])
    expect(ann.board.get_by_role("grid", name="bottom-left board, playable")).to_be_visible()
    expect(ann.cell(8 + 9 * 2)).to_have_attribute("aria-label", "top-right board, bottom-right cell, empty")


def test_the_first_move_on_the_first_page(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.choose_game(CLASSIC)
    keys.move_to(4)
    keys.press("Enter")
    expect(ann.moves).to_have_count(2)
    expect(ann.cell(4)).to_be_focused()


def test_a_lesson_and_its_next_step(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.page.goto("/learn?game=classic")
    expect(ann.playable.first).to_be_visible()
    keys.move_to(4)
    keys.press("Enter")
    keys.activate("Next step")
    expect(ann.page.locator("#step")).to_have_text("Step 2 of 5")
    keys.press("3")
    expect(ann.page.locator("#feedback")).to_contain_text("Three in a row")


def test_a_puzzle_and_its_solution(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.page.goto("/puzzle?id=classic-1")
    expect(ann.playable.first).to_be_visible()
    keys.move_to(3)
    keys.press("Enter")
    keys.activate("Try again")
    keys.expect_focus_on_board()
    keys.activate("Solution")
    moves = ann.page.locator("#solution-moves button")
    keys.tab_to(moves.last)
    expect(ann.board.locator(".lit")).to_have_count(1)
    keys.press("Enter")
    expect(moves.last).to_have_attribute("aria-current", "step")


def test_a_review_with_a_variation(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    keys = Keys(ann)
    ann.page.goto(f"/review?match={play_match(server, 'classic').match}&ply=7")
    expect(ann.page.locator("#history button")).to_have_count(7)
    keys.press("Home")
    expect(ann.status).to_have_text("The start. 7 moves follow.")
    keys.tab_to(ann.page.locator("#history button").nth(4))
    keys.press("Enter")
    expect(ann.status).to_have_text("Move 5 of 7: X played middle-right.")
    expect(ann.playable.first).to_be_visible()
    ann.board.evaluate("board => board.focus()")
    keys.move_to(3)
    keys.press("Enter")
    expect(ann.status).to_have_text("Variation from move 5: O plays middle-left.")


def test_a_swap_is_taken_or_declined_with_digits(new_person: NewPerson) -> None:
    ann = new_person()
    keys = Keys(ann)
    keys.start("Swap Nine", "Same screen")
    keys.press("1")
    expect(ann.moves).to_have_text(["X top-left"])
    keys.press("2")
    expect(ann.announcements).to_contain_text("or the same cell again for none.")
    keys.press("1")
    expect(ann.moves).to_have_text(["X top-left", "O top-middle takes top-left"])
    keys.press("3")
    keys.activate("No swap")
    expect(ann.moves).to_have_text(["X top-left", "O top-middle takes top-left", "X top-right"])
    keys.expect_focus_on_board()
