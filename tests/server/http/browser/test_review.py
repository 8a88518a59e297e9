"""The review of a game that is over."""

from __future__ import annotations

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
    expect(ann.status).to_have_text("Move 7 of 7: X played 4.")
    expect(ann.page.get_by_role("link", name="Back to the match")).to_have_attribute("href", f"/m/{played.match}")
    ann.button("First position").click()
    expect(ann.status).to_have_text("The start. 7 moves follow.")
    expect(ann.page.locator("#analysis-status")).to_have_text("Exact values for X, who is to move.")
    expect(ann.board.locator(".value")).to_have_text(["="] * 9)
    expect(ann.page.locator("#value-signs")).to_have_text("+3 wins in 3 moves, = draws, −4 loses in 4.")
    ann.page.keyboard.press("End")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.status).to_have_text("Move 6 of 7: O played 7.")
    expect(ann.board.locator(".value.best")).to_have_text(["+1"])
    expect(ann.board.locator('[data-cell="3"]')).to_have_accessible_name("cell 4, empty, win in 1")
    ann.page.get_by_label("on the board").uncheck()
    expect(ann.board.locator(".value")).to_have_count(0)
    expect(ann.page.locator("#result")).to_have_text(played.short.sentence)


def test_on_a_small_screen_the_board_stays_visible_during_the_review(new_person: NewPerson, server: Running) -> None:
    ann = new_person(viewport={"width": 320, "height": 568})
    ann.page.goto(f"/review?match={play_match(server, 'squared').match}")
    expect(ann.status).to_have_text("Move 24 of 24: O played 39.")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.page.locator("#history [aria-current]")).to_have_text("X 33")
    assert ann.page.evaluate("scrollY") == 0


def test_the_marker_of_the_last_position_is_not_cut_off_on_a_small_screen(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person(viewport={"width": 320, "height": 568})
    ann.page.goto(f"/review?match={play_match(server, 'classic').match}")
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
    expect(ann.status).to_have_text("Move 5 of 5: O played [2,2].")
    expect(ann.page.locator("#result")).to_have_text("The game was not finished.")
    file = tmp_path / "ultimate.log"
    file.write_text(server.get(f"/matches/{play_match(server, 'ultimate').match}/log").text, encoding="utf-8")
    ann.button("Open another").click()
    ann.page.get_by_label("File").set_input_files(file)
    expect(ann.status).to_have_text("Move 23 of 23: X played 77.")
    expect(ann.page.locator("#analysis-status")).to_have_text("The game is over here.")


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
    ann = new_person()
    ann.page.goto(f"/review?match={play_match(server, 'classic', 3).match}")
    expect(ann.page.get_by_role("alert")).to_contain_text("This game is still being played.")
    expect(ann.board).to_be_hidden()
