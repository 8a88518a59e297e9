"""The review of a game that is over."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import play_match
from tests.support.http_server import Running

REFUSED = "Failed to load resource: the server responded with a status of 4"


def test_a_game_is_reviewed_step_by_step_with_the_values_of_its_moves(new_person: NewPerson, server: Running) -> None:
    ann, played = new_person(), play_match(server, "classic")
    ann.watch(played.match)
    ann.button("Review").click()
    expect(ann.status).to_have_text("Move 6 of 7: O played bottom-left.")  # the first mistake
    expect(ann.page.get_by_role("link", name="To the match")).to_have_attribute("href", f"/m/{played.match}")
    ann.button("First position").click()
    expect(ann.status).to_have_text("The start. 7 moves follow.")
    expect(ann.page.locator("#analysis-status")).to_have_text("Exact values for X, who is to move.")
    expect(ann.board.locator(".value")).to_have_text(["="] * 9)
    expect(ann.page.locator("#value-signs")).to_have_text("+3 wins in 3 moves, = draws, −4 loses in 4.")
    ann.page.keyboard.press("End")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.status).to_have_text("Move 6 of 7: O played bottom-left.")
    expect(ann.board.locator(".value.best")).to_have_text(["+1"])
    expect(ann.cell(3)).to_have_accessible_name("middle-left cell, empty, playable, ends the game, win in 1")
    ann.page.get_by_label("on the board").uncheck()
    expect(ann.board.locator(".value")).to_have_count(0)
    expect(ann.page.locator("#result")).to_have_text(played.short.shown)


def test_mistakes_are_marked_on_the_moves_and_on_the_graph_by_their_cost(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person()
    ann.page.goto(f"/review?match={play_match(server, 'swap-nine').match}")
    expect(ann.status).to_have_text("Move 3 of 9: X played top-middle.")
    expect(ann.page.locator("#history .mistake")).to_have_text(["??", "??", "??"])
    expect(ann.page.get_by_role("button", name="X top-middle , blunder, costs 200")).to_have_attribute(
        "aria-current", "step"
    )
    expect(ann.page.locator("#graph .mistake.blunder")).to_have_count(3)
    expect(ann.page.get_by_role("img", name="10 positions known, 3 mistakes")).to_be_visible()


def test_moves_are_tried_in_variations_that_are_kept(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    ann.page.goto(f"/review?match={play_match(server, 'classic').match}&ply=5")
    expect(ann.status).to_have_text("Move 5 of 7: X played middle-right.")
    expect(ann.page.locator("#move-values li").first).to_have_text(
        "middle-left draw then bottom-left, top-right, bottom-right"
    )
    ann.press(3)
    expect(ann.status).to_have_text("Variation from move 5: O plays middle-left.")
    expect(ann.page.locator("#analysis-status")).to_have_text("Exact values for X, who is to move.")
    ann.press(6)
    expect(ann.status).to_have_text("Variation from move 5: X plays bottom-left.")
    ann.button("One move back").click()
    ann.press(2)
    variations = ann.page.locator("#variation-list > li")
    expect(variations).to_have_text(
        ["After move 5:O middle-leftX bottom-left", "After move 5:O middle-leftX top-right"]
    )
    ann.page.locator("#history button").nth(4).click()
    ann.press(6)  # as it was played
    expect(ann.status).to_have_text("Move 6 of 7: O played bottom-left.")
    variations.first.get_by_role("button", name="X bottom-left").click()
    expect(ann.status).to_have_text("Variation from move 5: X plays bottom-left.")
    expect(ann.board.locator(".value")).to_have_count(2)


def test_any_position_is_set_up_and_an_impossible_one_is_refused_in_a_sentence(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/review")
    ann.button("Set up a position").click()
    editor = ann.page.locator("#editor")
    cell = editor.locator("[data-cell]")
    for number in (0, 1, 2):
        cell.nth(number).click()
    editor.get_by_role("button", name="Analyze").click()
    expect(editor.locator(".notice")).to_have_text("This position cannot arise in play. Check its marks and the turn.")
    cell.nth(2).click()  # now O
    ann.page.get_by_label("To move").select_option("O")
    editor.get_by_role("button", name="Analyze").click()
    expect(ann.status).to_have_text("The position that was set up.")
    expect(ann.page.locator("#analysis-status")).to_have_text("Exact values for O, who is to move.")
    expect(ann.board.locator(".value")).to_have_count(6)
    ann.press(4)
    expect(ann.status).to_have_text("Variation from move 0: O plays centre.")
    ann.button("Set up from here").click()
    expect(cell.nth(4)).to_have_accessible_name("centre cell, O")
    ann.ignore_errors(REFUSED)


def test_a_position_set_up_from_a_match_keeps_the_board_to_play_in_and_the_rules(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person()
    created = server.create("squared", options={"drawn": "nobody", "tie_break": "boards"})
    match, tokens = created["match"], created["seats"]
    assert server.move(match, tokens["1"], 0, [4, 2]).status_code == 200
    ann.page.goto("/review")
    ann.page.get_by_label("Text").fill(server.get(f"/matches/{match}/record").text)
    ann.button("Open").click()
    expect(ann.status).to_have_text("Move 1 of 1: X played centre board, top-right cell.")
    ann.button("Set up from here").click()
    expect(ann.page.get_by_label("Must play in")).to_have_value("9")
    with ann.page.expect_request("**/positions") as asked:
        ann.button("Analyze").click()
    assert " O 9 first=X drawn=nobody tie_break=boards" in (asked.value.post_data or "")
    expect(ann.status).to_have_text("The position that was set up.")
    expect(ann.playable).to_have_count(9)


def test_a_try_that_fails_is_told_until_one_works_and_a_broken_address_opens_a_position(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person()
    ann.page.goto(f"/review?match={play_match(server, 'classic').match}&ply=5.5")
    expect(ann.status).to_have_text("Move 5 of 7: X played middle-right.")
    expect(ann.playable.first).to_be_visible()
    busy = {"title": "Not now.", "detail": "Not now.", "status": 409, "reason": "refused"}
    ann.page.route("**/positions", lambda route: route.fulfill(status=409, json=busy), times=1)
    ann.press(3)
    expect(ann.notice).to_have_text("Not now.")
    ann.press(3)
    expect(ann.status).to_have_text("Variation from move 5: O plays middle-left.")
    expect(ann.notice).to_be_hidden()
    ann.ignore_errors(REFUSED)


def test_on_a_small_screen_the_board_stays_visible_during_the_review(new_person: NewPerson, server: Running) -> None:
    ann = new_person(viewport={"width": 320, "height": 568})
    ann.page.goto(f"/review?match={play_match(server, 'squared').match}&ply=24")
    expect(ann.status).to_have_text("Move 24 of 24: O played bottom-right board, top-right cell.")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.page.locator("#history [aria-current]")).to_have_text("X bottom-right/bottom-right")
    assert ann.page.evaluate("scrollY") == 0


def test_the_marker_of_the_last_position_is_not_cut_off_on_a_small_screen(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person(viewport={"width": 320, "height": 568})
    ann.page.goto(f"/review?match={play_match(server, 'classic').match}&ply=7")
    expect(ann.page.locator("#graph .dot")).to_be_attached()
    room = ann.page.evaluate("""() => {
        const [graph, dot] = ["#graph", "#graph .dot"]
            .map((part) => document.querySelector(part).getBoundingClientRect());
        return graph.right - (dot.left + dot.right) / 2;
    }""")
    assert room >= 5  # half the width of the dot


def test_a_record_is_pasted_or_opened_as_a_file(new_person: NewPerson, server: Running, tmp_path: Path) -> None:
    ann, record = new_person(), server.get(f"/matches/{play_match(server, 'agents').match}/record").text
    ann.page.goto("/review")
    ann.page.get_by_label("Text").fill(record)
    ann.button("Open").click()
    expect(ann.status).to_have_text("Move 2 of 5: X played top-middle.")
    expect(ann.page.locator("#result")).to_have_text("The game was not finished.")
    file = tmp_path / "ultimate.log"
    file.write_text(server.get(f"/matches/{play_match(server, 'ultimate').match}/log").text, encoding="utf-8")
    ann.button("Open another").click()
    ann.page.get_by_label("File").set_input_files(file)
    expect(ann.page.locator("#title")).to_have_text(find_game("ultimate").title)
    ann.button("Last position").click()
    expect(ann.status).to_have_text("Move 23 of 23: X played top-left board, top-left cell.")
    analysis = ann.page.locator("#analysis-status")
    expect(analysis).to_have_text("The game is over here.")
    ann.button("First position").click()
    deep = re.compile(r"^The engine's evaluation for X, who is to move, \d+ moves deep\.$")
    expect(analysis).to_have_text(deep)
    expect(ann.page.locator("#move-values .line").first).to_have_text(re.compile("^ ?then "))


def test_a_second_record_replaces_the_first(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    asked: list[str] = []
    ann.page.on("request", lambda call: asked.append(call.post_data or "") if "/analysis" in call.url else None)
    ann.page.goto("/review")
    for game in ("squared", "classic"):
        ann.page.get_by_label("Text").fill(server.get(f"/matches/{play_match(server, game).match}/log").text)
        ann.button("Open").click()
        expect(ann.page.locator("#title")).to_have_text(find_game(game).title)
        ann.button("Open another").click()
    asked.clear()
    ann.page.locator("#graph").click(position={"x": 2, "y": 20})
    expect(ann.status).to_have_text("The start. 7 moves follow.")
    expect(ann.page.get_by_role("img", name="8 positions known")).to_be_visible()
    expect(ann.board.locator(".value")).to_have_text(["="] * 9)
    assert not any("squared" in body for body in asked)


def test_a_text_that_is_not_a_record_is_refused(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/review")
    ann.page.get_by_label("Text").fill("no record at all")
    ann.button("Open").click()
    expect(ann.page.get_by_role("alert")).not_to_be_empty()
    ann.ignore_errors(REFUSED)


def test_a_live_match_cannot_be_reviewed(new_person: NewPerson, server: Running) -> None:
    ann, match = new_person(), play_match(server, "classic", 3).match
    ann.page.goto(f"/review?match={match}")
    expect(ann.page.get_by_role("heading", name="The game is not over", level=2)).to_be_visible()
    expect(ann.page.locator("main")).to_contain_text("This game is still being played.")
    expect(ann.board).to_be_hidden()
    ann.page.get_by_role("link", name="See the match").click()
    ann.page.wait_for_url(f"**/m/{match}")


def test_a_match_that_is_not_there_has_an_error_page_in_the_review(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/review?match=0123456789abcdef")
    expect(ann.page.get_by_role("heading", name="Match not found", level=2)).to_be_visible()
    expect(ann.page).to_have_title("Match not found · Ninefold")
    expect(ann.page.locator(".lost")).to_be_visible()
    expect(ann.notice).to_be_hidden()
    ann.page.get_by_role("link", name="Open another").click()
    expect(ann.button("Open")).to_be_visible()
    ann.ignore_errors(REFUSED)
