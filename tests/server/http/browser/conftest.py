"""One browser and one server for all tests of this package, and new people for each test.

Playwright keeps an event loop running in the thread of the tests, so that nobody else can run one there. The fixtures
belong to this package, and are gone when the tests of others begin.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from ninefold.core.game import Game
from scripts.chromium import MISSING, REMEDY, NoChromium, find, launch
from tests.support import http_server
from tests.support.browser_person import NewPair, NewPerson, Pair, Person
from tests.support.http_server import Running


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
def new_person(chromium: Browser, server: Running) -> Iterator[NewPerson]:
    """Makes people, each with a browser of their own. In the end none of them may report an error."""
    people: list[Person] = []

    def new_person(name: str = "", home: str = "", place: str = "server", **options: Any) -> Person:
        url = home or f"http://127.0.0.1:{server.port}"
        # Most tests look at hosted matches; test_computer_in_page.py has people who have not chosen a place.
        chosen = [{"name": "ninefold:settings", "value": json.dumps({"place": place})}]
        state = {"cookies": [], "origins": [{"origin": url, "localStorage": chosen}]}
        # Pages that are kept would cost every test time; test_offline.py has browsers that keep them.
        settings = {"base_url": url, "reduced_motion": "reduce", "service_workers": "block", "storage_state": state}
        person = Person(chromium.new_context(**settings | options), name)
        people.append(person)
        return person

    yield new_person
    for person in people:
        person.close()
    assert [error for person in people for error in person.errors] == []


@pytest.fixture
def new_pair(new_person: NewPerson, server: Running) -> NewPair:
    """Makes two people who have joined the same match: Ann plays X, Ben plays O."""

    def new_pair(game: Game) -> Pair:
        created = server.create(game.id, "open", "open")
        pair = Pair(created["match"], new_person("Ann"), new_person("Ben"))
        for seat, person in (("1", pair.x), ("2", pair.o)):
            person.join(created["links"]["invite"][seat])
        return pair

    return new_pair
