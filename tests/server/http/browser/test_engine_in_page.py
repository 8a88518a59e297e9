"""The engine in the page: analysis and hints of the big games without the server's engine."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Request, expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson, Person
from tests.support.browser_scenes import play_match
from tests.support.http_server import Running

pytestmark = pytest.mark.usefixtures("engine_in_page")
WASM = re.compile(r".*/ninefold\.wasm$")
SERVERS = ("/analysis", "/hint")  # what a page asks the server's engine


def requests_of(person: Person) -> list[str]:
    """The addresses that a person's pages ask for from now on, those of their workers too; without those that the
    service worker stores for a time without a server."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.service_worker is None:
            asked.append(request.url)

    person.context.on("request", note)
    return asked


def is_asked(asked: list[str], *ends: str) -> bool:
    return any(url.endswith(ends) for url in asked)


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_a_game_is_analyzed_in_the_page(new_person: NewPerson, server: Running, game: str) -> None:
    ann, played = new_person(), play_match(server, game)
    asked = requests_of(ann)
    ann.page.goto(f"/review?match={played.match}&ply=12")
    expect(ann.board.locator(".value.best").first).to_be_visible()
    expect(ann.page.locator("#move-values li").first).to_contain_text("then")
    assert is_asked(asked, "/ninefold.wasm")
    assert is_asked(asked, f"/{game}.net")
    assert not is_asked(asked, *SERVERS)


def test_the_engine_is_loaded_when_a_hint_is_asked_for(new_person: NewPerson) -> None:
    ann = new_person()
    asked = requests_of(ann)
    ann.start(find_game("ultimate"), "computer", side="X")
    expect(ann.button("Hint")).to_be_visible()
    assert not is_asked(asked, "/ninefold.wasm")
    ann.button("Hint").click()
    expect(ann.page.locator("#hint").filter(visible=True)).to_have_text(re.compile(r"^Hint: "))
    expect(ann.board.locator(".value.best")).to_have_count(1)
    assert is_asked(asked, "/ninefold.wasm")
    assert not is_asked(asked, *SERVERS)


def test_the_server_is_asked_where_the_engine_does_not_load(new_person: NewPerson, server: Running) -> None:
    ann, played = new_person(), play_match(server, "ultimate")
    asked = requests_of(ann)
    ann.context.route(WASM, lambda route: route.abort())
    ann.page.goto(f"/review?match={played.match}&ply=12")
    expect(ann.board.locator(".value.best").first).to_be_visible()
    assert is_asked(asked, "/analysis")
    ann.ignore_errors("Failed to load resource: net::ERR_FAILED")
