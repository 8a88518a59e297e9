"""Every page: usable by everybody, on every screen, and light."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ViewportSize

from tests.server.http.browser.conftest import Arrive
from tests.server.http.browser.people import Person
from tests.server.http.browser.scenes import SCENES, Scene
from tests.server.http.browser.screenshots import WIDTHS, pictures
from tests.support.http_server import Running

NARROW = ViewportSize(width=320, height=568)
KB = 1000


def violations(person: Person) -> str:
    """What axe-core has against the page as it is now; nothing, it is hoped."""
    found = Axe().run(person.page)
    return str(found.generate_report()) if found.violations_count else ""


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_axe_core_finds_nothing_wrong(arrive: Arrive, server: Running, scene: Scene) -> None:
    person = arrive(viewport=WIDTHS["desktop"])
    scene(person, server)
    assert violations(person) == ""
    person.page.set_viewport_size(WIDTHS["phone"])
    person.page.emulate_media(color_scheme="dark")
    assert violations(person) == ""
    person.page.set_viewport_size(NARROW)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert person.page.evaluate(wide) <= 0, "a narrow screen has to be scrolled sideways"


@pytest.mark.parametrize("file", pictures(), ids=lambda file: file.name)
def test_a_picture_of_the_page_is_kept_and_small(file: Path) -> None:
    assert file.exists(), "Run `make screenshots`."
    assert file.stat().st_size < 120 * KB


def test_the_first_page_takes_less_than_100_kb(arrive: Arrive) -> None:
    person = arrive()
    received: list[float] = []
    network = person.context.new_cdp_session(person.page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    person.page.goto("/", wait_until="networkidle")
    assert len(received) > 10
    assert sum(received) < 100 * KB
