"""One browser and one server for all of these tests, and new people for each.

Playwright keeps an event loop running in the thread of the tests, and nobody else could run one there. So all of this
belongs to this package of tests, and is gone when others begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from ninefold.core.game import Game
from scripts.chromium import MISSING, REMEDY, NoChromium, find, launch
from tests.server.http.browser.people import Pair, Person
from tests.support import http_server
from tests.support.http_server import Running

Arrive = Callable[..., Person]
Sit = Callable[[Game], Pair]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright, path)
        except NoChromium as problem:
            pytest.skip(f"{problem} To test in a browser: {REMEDY}, then: make test")
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("browser")) as server:
        yield server


@pytest.fixture
def arrive(chromium: Browser, server: Running) -> Iterator[Arrive]:
    """Lets people arrive, each with a browser of their own; when they leave, nothing may have gone wrong in it."""
    here: list[Person] = []

    def arrive(name: str = "", home: str = "", **more: object) -> Person:
        url = home or f"http://127.0.0.1:{server.port}"
        person = Person(chromium.new_context(base_url=url, reduced_motion="reduce", **more), name)  # type: ignore[arg-type]
        here.append(person)
        return person

    yield arrive
    for person in here:
        person.leave()
    assert [error for person in here for error in person.errors] == []


@pytest.fixture
def sit(arrive: Arrive, server: Running) -> Sit:
    """Two people who have been invited to the same match: Ann plays X, Ben plays O."""

    def sit(game: Game) -> Pair:
        created = server.create(game.id, "open", "open")
        pair = Pair(created["match"], arrive("Ann"), arrive("Ben"))
        for seat, person in (("1", pair.x), ("2", pair.o)):
            person.join(created["links"]["invite"][seat])
        return pair

    return sit
