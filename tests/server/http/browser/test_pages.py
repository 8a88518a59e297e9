"""Every page: accessible, usable on small screens, and light."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from scripts.side_by_side import compared
from tests.support.browser_person import NewPerson, Person, violations
from tests.support.browser_scenes import SCENES, STATES
from tests.support.browser_screenshots import PICTURES, WIDTHS, page_pictures, pictures
from tests.support.first_board import BOARD_PAGES, first_board
from tests.support.http_server import Running, running

SIZES = [ViewportSize(width=width, height=height) for width, height in ((320, 568), (1024, 768), (2560, 1440))]
PHONES = [ViewportSize(width=width, height=height) for width, height in ((320, 568), (390, 844), (844, 390))]
# What has to be reached without scrolling, by scene.
TO_ACT_ON = {
    "start": "#board, #tabs button, #home-actions select, #home-actions .opponents button, .puzzle-card",
    **dict.fromkeys(("rules", "setup", "handover"), "dialog > .buttons button, dialog form > .buttons button"),
    "settings": "dialog input, dialog button",
    "invite": "#join button, #join input, #join .qr",
    "waiting": "#board, #join button",
    "invited": "#board, #join button, #join input",
    **dict.fromkeys(("play", "labels", "threats", "hint"), "#board, #actions button"),
    "choice": "#board, #choice button",
    "claim": "#board, #claim-due, #claim button, #claim input",
    "claim_picker": "#board, #claim button",
    "offer": "#board, #offer button",
    "absence": "#board, #absence",
    "lost_connection": "#board, #connection-lost button",
    **dict.fromkeys(("watch", "report"), "#board, #more summary"),
    "over": "#actions button",
    "rematch": "#rematch button",
    "review": "header a, header button, #board, .steps button, #slider, #copy-buttons button, #values-on-board",
    "record": "#open input, #open textarea, #open button",
    "set_up": "#editor select, #editor-board, #editor button[type]",
    **dict.fromkeys(("puzzle", "learn"), "#board, #actions button"),
    "shared": "header button, #board, .steps button, #slider, .sidebar section:not(.moves-section) :is(button, a)",
    "embedded": "#board, .steps button, #slider, #whole",
    **dict.fromkeys(("full", "trouble", "missing", "used", "no_review"), "header a, main a, main button"),
}
# The edges of elements, and what they are.
PLACES = """(elements) => elements.map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom, element.outerHTML.slice(0, 200)];
})"""
# What can differ where only colours and sizes are other ones.
RULES_OF_LOOK = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
# The colours of each mark on the board and of the tile below it.
COLOURS_OF_MARKS = """[...document.querySelectorAll("#board .mark")].map((mark) =>
    [getComputedStyle(mark).stroke, getComputedStyle(mark.closest(".cell")).backgroundColor])"""
KB = 1000


class Shown(NamedTuple):
    """A scene that somebody has reached."""

    scene: str
    person: Person


@pytest.fixture(scope="module", params=[*SCENES, *STATES])
def shown(request: pytest.FixtureRequest, chromium: Browser, server: Running) -> Iterator[Shown]:
    """Each scene, reached once for all tests that only look at it."""
    home = f"http://127.0.0.1:{server.port}"
    person = Person(chromium.new_context(base_url=home, reduced_motion="reduce", viewport=WIDTHS["desktop"]))
    (SCENES | STATES)[request.param](person, server)
    yield Shown(request.param, person)
    person.close()
    assert person.errors == []


def test_axe_core_reports_nothing(shown: Shown) -> None:
    page = shown.person.page
    page.set_viewport_size(WIDTHS["desktop"])
    assert violations(shown.person) == ""
    page.set_viewport_size(WIDTHS["phone"])
    page.emulate_media(color_scheme="dark")
    assert violations(shown.person, *RULES_OF_LOOK) == ""
    page.emulate_media(color_scheme="light", contrast="more")
    assert violations(shown.person, "color-contrast") == ""
    page.emulate_media(color_scheme="light", contrast="no-preference")


def test_no_screen_has_to_be_scrolled_sideways(shown: Shown) -> None:
    for size in SIZES:
        shown.person.page.set_viewport_size(size)
        wide = shown.person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, size


def test_on_a_phone_nothing_to_act_on_is_below_the_fold(shown: Shown) -> None:
    page = shown.person.page
    for size in PHONES:
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, 0)")
        found = page.locator(TO_ACT_ON[shown.scene]).filter(visible=True)
        expect(found.first).to_be_visible()
        for left, top, right, bottom, name in found.evaluate_all(PLACES):
            assert 0 <= left < right <= size["width"] + 1, (size, name)
            assert 0 <= top < bottom <= size["height"] + 1, (size, name)


def test_on_a_phone_a_claim_is_answered_without_scrolling(new_person: NewPerson, server: Running) -> None:
    person = new_person(viewport=PHONES[0])
    SCENES["claim"](person, server)
    due = person.page.locator("#claim-due")
    expect(due).to_contain_text("the referee decides in")
    for size in PHONES:
        person.page.set_viewport_size(size)
        for part in (person.board, due, person.button("Confirm: it is true"), person.button("Dispute")):
            expect(part).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("scene", ["start", "play", "review"])
def test_axe_core_reports_nothing_with_forced_colours_and_marks_stay_visible(
    new_person: NewPerson, server: Running, scene: str
) -> None:
    person = new_person(viewport=WIDTHS["desktop"], forced_colors="active")
    SCENES[scene](person, server)
    assert violations(person) == ""
    colours = person.page.evaluate(COLOURS_OF_MARKS)
    assert all(mark != ground for mark, ground in colours)
    assert bool(colours) is (scene != "start")


@pytest.mark.parametrize("scene", ["start", "play"])
def test_the_board_grows_with_the_window(new_person: NewPerson, server: Running, scene: str) -> None:
    person = new_person(viewport=SIZES[-1])
    SCENES[scene](person, server)
    width, height = SIZES[-1]["width"], SIZES[-1]["height"]
    box = person.board.bounding_box()
    assert box
    assert box["width"] > 0.9 * (height - 80)
    panel = person.page.locator(".act").bounding_box()
    assert panel
    assert panel["x"] >= box["x"] + box["width"]
    assert panel["x"] + panel["width"] <= width
    last = person.page.locator("#open-list li, #chat-form").filter(visible=True).last.bounding_box()
    assert last
    assert last["y"] + last["height"] > 0.6 * height


def test_a_decided_board_is_one_tile_and_a_board_to_set_up_is_bright(new_person: NewPerson, server: Running) -> None:
    person = new_person(viewport=WIDTHS["desktop"])
    colours = "elements => [...new Set(elements.map((element) => getComputedStyle(element).backgroundColor))]"
    SCENES["over"](person, server)
    assert person.board.locator(".decided .cell").evaluate_all(colours) == ["rgba(0, 0, 0, 0)"]
    SCENES["set_up"](person, server)
    person.page.mouse.move(0, 0)
    [surface] = person.page.locator("#editor-game").evaluate_all(colours)
    assert person.page.locator("#editor .cell").evaluate_all(colours) == [surface]


def test_a_dialog_grows_with_its_text(new_person: NewPerson, server: Running) -> None:
    person = new_person(viewport=SIZES[-1])
    SCENES["rules"](person, server)
    ems = "dialog => dialog.getBoundingClientRect().width / parseFloat(getComputedStyle(dialog).fontSize)"
    assert person.dialog.evaluate(ems) > 40


@pytest.mark.parametrize("file", pictures(), ids=lambda file: file.name)
def test_the_picture_of_a_page_exists_and_is_small(file: Path) -> None:
    assert file.exists(), "Run `make screenshots`."
    assert file.stat().st_size < 120 * KB


def test_the_docs_show_pages_of_today_beside_those_of_an_earlier_commit() -> None:
    shown = (PICTURES.parent / "browser-pages.md").read_text(encoding="utf-8")
    for file in compared():
        assert f"(pictures/compared/{file.name})" in shown
        assert file.stat().st_size < 150 * KB


def test_every_page_is_shown_in_the_docs_in_both_themes_by_small_pictures() -> None:
    shown = (PICTURES.parent / "browser-pages.md").read_text(encoding="utf-8")
    files = [file for files in page_pictures().values() for file in files]
    assert [file.name for file in files if f"(pictures/pages/{file.name})" not in shown] == []
    assert sum(file.stat().st_size for file in files) < 1500 * KB


@pytest.mark.usefixtures("bundle")
@pytest.mark.parametrize("name", BOARD_PAGES)
def test_at_most_12_requests_and_120_kb_come_before_the_first_board(
    new_person: NewPerson, server: Running, name: str
) -> None:
    person = new_person()
    seen = first_board(person.page, BOARD_PAGES[name](server))
    assert len(seen.requests) <= 12, seen.requests
    assert seen.bytes <= 120 * KB


@pytest.mark.usefixtures("bundle")
def test_a_page_that_was_open_before_asks_for_no_file_again(new_person: NewPerson) -> None:
    person = new_person()
    first_board(person.page, "/")
    assert [address for address in first_board(person.page, "/").requests if "/static/" in address] == []


def test_where_there_is_no_bundle_every_page_works_with_plain_modules(new_person: NewPerson, tmp_path: Path) -> None:
    with running(tmp_path, plain_modules=True) as server:
        person = new_person(home=f"http://127.0.0.1:{server.port}")
        for open_page in BOARD_PAGES.values():
            assert len(first_board(person.page, open_page(server)).asked) > 12
        person.page.goto("/")
        person.playable.first.click()
        expect(person.moves.first).to_be_visible()
        person.close()
