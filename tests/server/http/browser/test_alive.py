"""What makes a match alive: motion, sounds in their moments, a pause before a fast answer, the colour of the turn."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from PIL import ImageColor
from playwright.sync_api import expect

from ninefold.core.palette import LIGHT
from ninefold.games import find_game
from tests.support.browser_person import NewPerson, Person
from tests.support.browser_scenes import play_match, take_seat
from tests.support.http_server import Running

CLASSIC, SWAP_NINE = find_game("classic"), find_game("swap-nine")
# Keeps the notes that the page plays, in hertz.
HEAR = """
window.heard = [];
window.OscillatorNode = class extends window.OscillatorNode {
    constructor(context, options) { super(context, options); window.heard.push(options.frequency); }
};
"""
# Counts the marks that fly from the board.
RECORD = """() => {
    window.flown = 0;
    new MutationObserver(() => {
        flown = Math.max(flown, document.querySelectorAll(".celebration span").length);
    }).observe(document.body, { subtree: true, childList: true });
}"""
# For each cell or board of the winning line, how far its centre is from the line, in parts of the board.
OFF_CENTRE = """(line, cells) => {
    const { x1, y1, x2, y2 } = line, matrix = line.getScreenCTM();
    const [from, to] = [[x1, y1], [x2, y2]].map(([x, y]) =>
        new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(matrix));
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    return cells.map((cell) => {
        const boards = document.querySelectorAll("#board .plane.boards .nine");
        const part = boards[cell] ?? document.querySelector(`#board [data-cell="${cell}"]`);
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const [x, y] = [(left + right) / 2 - from.x, (top + bottom) / 2 - from.y];
        const away = Math.abs(x * (to.y - from.y) - y * (to.x - from.x)) / length;
        return away / document.querySelector("#board .plane").clientWidth;
    });
}"""
WAITS = 600  # milliseconds, in which the computer's answer is shown


def hears(person: Person, *notes: int) -> None:
    """These notes have been played since the last time."""
    person.page.wait_for_function("(notes) => heard.join() === notes", arg=",".join(map(str, notes)))
    person.page.evaluate("heard.length = 0")


def test_your_turn_a_move_its_answer_low_time_and_a_win_have_their_sounds(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person("Ann")
    ann.page.add_init_script(HEAR)
    ann.page.clock.install()
    created = server.create("classic", "open", "open", clock={"initial_seconds": 3600})
    match, invitation = created["match"], created["invitations"]["2"]
    ann.join(created["links"]["invite"]["1"])
    ben = server.post(f"/matches/{match}/join", {"invitation": invitation}).json()["token"]
    hears(ann, 659, 880)
    for version, (mine, answer) in enumerate(((0, 3), (1, 4))):
        ann.press(mine)
        hears(ann, 330)
        assert server.move(match, ben, 2 * version + 1, [answer]).status_code == 200
        hears(ann, 220)
    ann.page.clock.fast_forward(3_575_000)
    hears(ann, 880, 880)
    ann.press(2)
    hears(ann, 330, 392, 494, 587, 784)


def test_the_answer_of_a_fast_computer_waits_a_moment(new_person: NewPerson) -> None:
    ann, received = new_person(), list[str]()
    ann.page.emulate_media(reduced_motion="no-preference")
    ann.page.on("websocket", lambda socket: socket.on("framereceived", lambda text: received.append(str(text))))
    ann.page.clock.install()
    ann.start(CLASSIC, "computer", side="X")
    ann.page.clock.pause_at(datetime.fromtimestamp(ann.page.evaluate("Date.now()") / 1000 + 1, UTC))
    ann.press(4)
    while not any(len((json.loads(text).get("view") or {"history": ""})["history"]) > 1 for text in received):
        ann.page.wait_for_timeout(50)
    ann.page.evaluate("fetch('/')")  # by then the page has read what it received
    expect(ann.board.locator(".mark")).to_have_count(1)
    ann.page.clock.run_for(WAITS)
    expect(ann.board.locator(".mark.o")).to_be_visible()


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_a_won_board_pops_and_a_win_is_celebrated_unless_motion_is_unwanted(
    new_person: NewPerson, server: Running, motion: str, moves: bool
) -> None:
    ann, played = new_person(), play_match(server, "ultimate", -1)
    ann.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    take_seat(ann, server, played, "1")
    ann.page.evaluate(RECORD)
    ann.press(*played.short.plies[-1].squares)
    won = ann.board.locator(".owner.won")
    expect(won).to_have_css("animation-name", "pop")
    assert (won.evaluate("shape => parseFloat(getComputedStyle(shape).animationDuration)") > 0.1) is moves
    expect(ann.status).to_contain_text("You won.")
    assert (ann.page.evaluate("flown") > 0) is moves


def test_a_marker_that_changes_its_side_flips(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.emulate_media(reduced_motion="no-preference")
    ann.start(SWAP_NINE, "here")
    ann.press(0)
    expect(ann.moves).to_have_count(1)
    ann.press(1, 0)
    expect(ann.cell(0).locator(".mark.o")).to_have_css("animation-name", "flip")
    expect(ann.cell(1).locator(".mark.o")).not_to_have_class(re.compile("flipped"))


def test_the_board_has_the_colour_of_the_side_to_move_and_a_muted_one_for_others(
    new_person: NewPerson, server: Running
) -> None:
    played = play_match(server, "squared", 16)
    ann, watcher = new_person(color_scheme="light"), new_person(color_scheme="light")
    take_seat(ann, server, played, "1")
    watcher.watch(played.match)
    for person in (ann, watcher):
        expect(person.board).to_have_attribute("data-turn", "x")
    full = f"rgb{ImageColor.getrgb(LIGHT.x)}"
    expect(ann.board.locator(".nine.open")).to_have_css("background-color", full)
    expect(watcher.board.locator(".nine.open")).not_to_have_css("background-color", full)
    ann.playable.first.click()
    expect(ann.moves).to_have_count(17)
    expect(ann.board).to_have_attribute("data-turn", "o")
    expect(ann.board).to_have_attribute("data-mine", "no")


@pytest.mark.parametrize("style", ["tiles", "lines"])
@pytest.mark.parametrize("labels", ["true", "false"])
def test_winning_lines_go_through_the_centres(new_person: NewPerson, server: Running, style: str, labels: str) -> None:
    ann = new_person()
    kept = f'{{"board": "{style}", "labels": {labels}}}'
    ann.context.add_init_script(f"localStorage.setItem('ninefold:settings', '{kept}')")
    for game in ("classic", "ultimate"):
        match = play_match(server, game).match
        ann.watch(match)
        (cells,) = server.get(f"/matches/{match}").json()["result"]["lines"]
        line = ann.board.locator(".lines line")
        expect(line).to_have_count(1)
        assert max(line.evaluate(OFF_CENTRE, cells)) < 0.002
