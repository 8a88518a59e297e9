"""How pages name places, and what can be marked on the board: words, labels of the edges, lit moves, threats."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import LABELS, THREATS, play_match, switch_on, take_seat
from tests.support.http_server import Running

CLASSIC = find_game("classic")


def test_a_match_names_cells_in_words_until_the_edges_are_labelled(new_person: NewPerson) -> None:
    ann = new_person()
    ann.start(CLASSIC, "here")
    ann.press(4)
    expect(ann.moves).to_have_text(["X centre"])
    expect(ann.cell(0)).to_have_accessible_name("top-left cell, empty, playable")
    expect(ann.board.locator(".columns-edge")).to_be_hidden()
    switch_on(ann, LABELS)
    expect(ann.moves).to_have_text(["X b2"])
    expect(ann.cell(0)).to_have_accessible_name("a3, empty, playable")
    expect(ann.board.locator(".columns-edge")).to_have_text("abc")
    expect(ann.board.locator(".rows-edge")).to_have_text("321")
    column, cell = ann.board.locator(".columns-edge > span > span").nth(1), ann.cell(7)
    (label, box) = (column.bounding_box(), cell.bounding_box())
    assert label
    assert box
    assert abs((label["x"] + label["width"] / 2) - (box["x"] + box["width"] / 2)) < 3
    assert label["y"] >= box["y"] + box["height"]
    ann.press(0)
    expect(ann.announcements).to_contain_text("O played a3.")


@pytest.mark.parametrize(
    ("labels", "status", "move"),
    [
        ("false", "Move 24 of 24: O played bottom-right board, top-right cell.", "O bottom-right/top-right"),
        ("true", "Move 24 of 24: O played i3.", "O i3"),
    ],
    ids=["words", "labels"],
)
def test_review_and_shared_page_name_a_move_in_the_same_way(
    new_person: NewPerson, server: Running, labels: str, status: str, move: str
) -> None:
    ann, played = new_person(), play_match(server, "squared")
    ann.context.add_init_script(f"localStorage.setItem('ninefold:settings', '{{\"labels\": {labels}}}')")
    share = server.get(f"/matches/{played.match}/share", played.tokens["1"]).json()["page"]
    for page in (f"/review?match={played.match}&ply=24", f"{share}?move=24"):
        ann.page.goto(page)
        expect(ann.status).to_have_text(status)
        expect(ann.moves.last).to_have_text(move)
        ann.page.keyboard.press("ArrowLeft")
        expect(ann.board).to_have_attribute("data-turn", "o")
        ann.page.keyboard.press("ArrowRight")
        ann.moves.last.hover()
        expect(ann.board.locator(".lit")).to_have_attribute("data-cell", str(8 * 9 + 2))
        ann.board.hover()
        ann.moves.first.get_by_role("button").focus()
        expect(ann.board.locator(".lit")).to_have_count(1)


@pytest.mark.parametrize("page", ["/puzzle?id=classic-1", "/learn?game=classic"])
def test_puzzles_and_lessons_have_the_settings_too(new_person: NewPerson, page: str) -> None:
    ann = new_person()
    ann.page.goto(page)
    expect(ann.playable.first).to_be_visible()
    switch_on(ann, LABELS)
    expect(ann.playable.first).to_have_accessible_name(re.compile("^[abc][123], empty, playable"))
    expect(ann.board.locator(".rows-edge")).to_be_visible()


def test_threats_of_a_game_with_claims_are_lines_to_be_claimed(new_person: NewPerson) -> None:
    ann = new_person()
    ann.open_new_match_dialog(CLASSIC)
    ann.dialog.locator('[name="opponent"][value="here"]').check()
    ann.dialog.get_by_text("More rules").click()
    for option, value in (("claims", "yes"), ("line_ends", "no")):
        ann.dialog.locator(f'[name="option-{option}"]').select_option(value)
    ann.dialog.get_by_role("button", name="Start").click()
    for cell in (0, 4, 1):
        ann.press(cell)
    switch_on(ann, THREATS)
    expect(ann.cell(2).locator(".threat.x")).to_be_visible()


def test_threats_are_marked_if_wanted_but_not_against_a_person(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    ann.start(CLASSIC, "here")
    for cell in (0, 4, 1):
        ann.press(cell)
    expect(ann.moves).to_have_count(3)
    expect(ann.board.locator(".threat")).to_have_count(0)
    switch_on(ann, THREATS)
    expect(ann.cell(2).locator(".threat.x")).to_be_visible()
    expect(ann.cell(2)).to_have_accessible_name("top-right cell, empty, playable, X could win here")
    ann.press(2)
    expect(ann.cell(6).locator(".threat.o")).to_be_visible()
    expect(ann.board.locator(".threat")).to_have_count(1)
    ann.page.goto("/review")
    ann.page.get_by_label("Text").fill(server.get(f"/matches/{play_match(server, 'classic').match}/record").text)
    ann.button("Open").click()
    ann.page.get_by_role("slider").fill("6")
    expect(ann.board.locator(".threat.x")).to_have_count(1)
    asked: list[str] = []
    ann.page.on("request", lambda call: asked.append(call.url))
    take_seat(ann, server, play_match(server, "classic", 6), "1")
    expect(ann.status).to_contain_text("Your turn")
    assert not any(url.endswith("/positions") for url in asked)
    expect(ann.board.locator(".threat")).to_have_count(0)
