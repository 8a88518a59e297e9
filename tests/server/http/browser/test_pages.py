"""Every page: accessible, usable on small screens, and light."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ViewportSize

from tests.server.http.browser.conftest import NewPerson
from tests.support.browser_person import Person
from tests.support.browser_scenes import SCENES, Scene
from tests.support.browser_screenshots import WIDTHS, pictures
from tests.support.http_server import Running

NARROW = ViewportSize(width=320, height=568)
KB = 1000
# What the browser has received, the page included; a resource is listed when it is complete.
RESOURCES = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
# Waits until a resource is listed. Playwright's wait_for_function would need eval, which the pages forbid.
LISTED = """(part) => new Promise((resolve) => {
    const look = (list) => list.getEntries().some(({ name }) => name.includes(part)) && resolve();
    new PerformanceObserver(look).observe({ type: "resource", buffered: true });
})"""


def violations(person: Person) -> str:
    """What axe-core reports about the page as it is now; "" if nothing."""
    found = Axe().run(person.page)
    return str(found.generate_report()) if found.violations_count else ""


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


def test_the_first_page_takes_less_than_100_kb(new_person: NewPerson) -> None:
    person = new_person()
    person.page.goto("/")
    for state in ("live", "open"):
        person.page.evaluate(LISTED, f"state={state}")
    sizes = person.page.evaluate(f"{RESOURCES}.map((resource) => resource.transferSize)")
    assert len([size for size in sizes if size]) > 10  # what is used twice comes from the cache once
    assert sum(sizes) < 100 * KB
