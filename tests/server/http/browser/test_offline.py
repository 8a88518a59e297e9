"""The browser client without a server: after it was stopped, and as static files under a path of a plain web server."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from ninefold.games import all_games, find_game
from tests.support.browser_person import Person
from tests.support.http_server import running
from tests.support.web_space import PATH, web_space_in

pytestmark = pytest.mark.usefixtures("bundle")

NO_SERVER = "Failed to load resource: net::ERR_"
KEPT = """async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (serviceWorker.controller) return;
    await new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
}"""
VERSIONS = "async () => (await caches.keys()).map((name) => name.slice('ninefold-'.length))"
# The browser may have found the new version by itself before.
UPDATED = """async (version) => {
    const registration = await navigator.serviceWorker.ready;
    for (let attempt = 0; attempt < 300; attempt += 1) {
        await registration.update();
        const { active, installing, waiting } = registration;
        const isKept = (await caches.keys()).includes("ninefold-" + version);
        if (isKept && active.state === "activated" && !installing && !waiting) return;
        await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("no new version");
}"""


@pytest.fixture
def web_space(tmp_path: Path) -> Iterator[str]:
    with web_space_in(tmp_path) as address:
        yield address


@pytest.fixture
def new_visitor(chromium: Browser) -> Iterator[Callable[[str], Person]]:
    """Makes people whose browsers keep the pages."""
    visitors: list[Person] = []

    def new_visitor(url: str) -> Person:
        visitors.append(Person(chromium.new_context(base_url=url, reduced_motion="reduce")))
        return visitors[-1]

    yield new_visitor
    for visitor in visitors:
        visitor.close()
    assert [error for visitor in visitors for error in visitor.errors] == []


def play_a_move(person: Person) -> None:
    """Play on any cell, and wait for the computer's move."""
    before = person.moves.count()
    person.playable.first.click()
    expect(person.moves).to_have_count(before + 2)


def test_all_games_are_played_after_the_server_was_stopped_and_the_page_reloaded(
    tmp_path: Path, new_visitor: Callable[[str], Person]
) -> None:
    with running(tmp_path) as server:
        person = new_visitor(f"http://127.0.0.1:{server.port}")
        person.page.goto("/")
        expect(person.page.locator(".offline-note")).to_have_count(0)
        person.page.evaluate(KEPT)
        server.stop()
    person.page.reload()
    expect(person.page.locator(".offline-note")).to_be_visible()
    for game in all_games().values():
        person.choose_game(game)
        expect(person.button("Same screen")).to_be_visible()
        expect(person.button("Play a friend")).to_have_count(0)
        play_a_move(person)
        expect(person.connection).to_have_text("In this browser")
        person.page.reload()
        expect(person.moves).to_have_count(2)
    play_a_move(person)
    person.page.goto("/")
    expect(person.page.locator("#saved-list li")).to_have_count(len(all_games()))
    person.page.goto("/puzzle")
    expect(person.page.locator("#about")).to_contain_text("You play")
    person.ignore_errors(NO_SERVER)


def test_a_static_site_works_under_any_path_and_asks_for_nothing_elsewhere(
    web_space: str, new_visitor: Callable[[str], Person]
) -> None:
    person = new_visitor(web_space)
    asked: list[str] = []
    person.context.on("request", lambda request: asked.append(request.url))
    person.page.goto(f"{PATH}/")
    person.page.get_by_role("tab", name=find_game("squared").title, exact=True).click()
    play_a_move(person)
    person.resign()
    person.button("Review").click()
    expect(person.page.locator("#move-values li").first).to_be_visible()
    person.page.goto(f"{PATH}/")
    expect(person.page.locator("#saved-list li")).to_have_count(1)
    person.page.get_by_role("link", name="Learn").click()
    expect(person.page.locator("#step")).to_contain_text("1")
    person.page.goto(f"{PATH}/puzzle/?id=classic-1")
    expect(person.page.locator("#about")).to_contain_text("You play X.")
    assert [url for url in asked if not url.startswith(f"{web_space}{PATH}/")] == []


def test_a_new_version_takes_the_place_of_the_kept_one(
    tmp_path: Path, web_space: str, new_visitor: Callable[[str], Person]
) -> None:
    person = new_visitor(web_space)
    person.page.goto(f"{PATH}/learn/")
    person.page.evaluate(KEPT)
    (old,) = person.page.evaluate(VERSIONS)
    folder = tmp_path / PATH.strip("/")
    page = folder / "learn" / "index.html"
    worker = folder / "service-worker.js"
    for file, before, after in ((page, "</head>", "<!-- newer --></head>"), (worker, old, "0123456789abcdef")):
        file.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
        os.utime(file, (time.time() + 10,) * 2)  # web servers compare whole seconds
    person.page.evaluate(UPDATED, "0123456789abcdef")
    assert person.page.evaluate(VERSIONS) == [old, "0123456789abcdef"]
    person.context.set_offline(True)
    answer = person.page.reload()
    assert answer
    assert "<!-- newer -->" in answer.text()
    expect(person.page.locator("#step")).to_contain_text("1")
    person.ignore_errors(NO_SERVER)


def test_the_pages_can_be_installed(tmp_path: Path, new_visitor: Callable[[str], Person]) -> None:
    with running(tmp_path) as server:
        person = new_visitor(f"http://127.0.0.1:{server.port}")
        person.page.goto("/")
        person.page.evaluate(KEPT)
        chromium = person.context.new_cdp_session(person.page)
        found = chromium.send("Page.getAppManifest")
        errors = chromium.send("Page.getInstallabilityErrors")["installabilityErrors"]
        app = json.loads(found["data"])
        icons = {icon["sizes"]: server.http.get(icon["src"]) for icon in app["icons"] if "png" in icon["type"]}
        sizes = {size: "x".join(map(str, Image.open(io.BytesIO(icon.content)).size)) for size, icon in icons.items()}
    assert found["errors"] == []
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
    assert (app["display"], app["start_url"], {"any", "maskable"}) == (
        "standalone",
        "/",
        {icon["purpose"] for icon in app["icons"]},
    )
    assert sizes == {"192x192": "192x192", "512x512": "512x512"}
