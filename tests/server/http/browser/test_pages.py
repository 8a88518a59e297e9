"""Every page: accessible, usable on small screens, and light."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.support.browser_person import NewPerson, violations
from tests.support.browser_scenes import SCENES, Scene
from tests.support.browser_screenshots import WIDTHS, pictures
from tests.support.first_board import BOARD_PAGES, first_board
from tests.support.http_server import Running, running

NARROW = ViewportSize(width=320, height=568)
KB = 1000


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_axe_core_reports_nothing(new_person: NewPerson, server: Running, scene: Scene) -> None:
    person = new_person(viewport=WIDTHS["desktop"])
    scene(person, server)
    assert violations(person) == ""
    person.page.set_viewport_size(WIDTHS["phone"])
    person.page.emulate_media(color_scheme="dark")
    assert violations(person) == ""
    person.page.set_viewport_size(NARROW)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert person.page.evaluate(wide) <= 0, "a narrow screen has to be scrolled sideways"


@pytest.mark.parametrize("file", pictures(), ids=lambda file: file.name)
def test_the_picture_of_a_page_exists_and_is_small(file: Path) -> None:
    assert file.exists(), "Run `make screenshots`."
    assert file.stat().st_size < 120 * KB


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
