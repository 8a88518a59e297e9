"""The computer plays in the page of an online visitor: the server is asked for no move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ninefold.core.game import Game
from ninefold.games import all_games, find_game
from tests.server.http.browser.test_engine_in_page import WASM, requests_of
from tests.support.browser_person import NewPerson, Person

pytestmark = pytest.mark.usefixtures("engine_in_page")
FULL = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); }; }"
CLASSIC, ULTIMATE = find_game("classic"), find_game("ultimate")


def asked_about_matches(asked: list[str]) -> list[str]:
    """The requests about single matches, and those that create one."""
    return [url for url in asked if re.search(r"/api/v1/(matches(/|$)|analysis)|/hint|/socket", url)]


def watch_requests(person: Person) -> list[str]:
    """What a person's pages ask for from now on, sockets too."""
    asked = requests_of(person)
    person.page.on("websocket", lambda socket: asked.append(socket.url))
    return asked


def play_a_move(person: Person) -> None:
    before = person.moves.count()
    person.playable.first.click()
    expect(person.moves).to_have_count(before + 2)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_server_is_asked_for_nothing_while_the_computer_plays_in_the_page(
    new_person: NewPerson, game: Game
) -> None:
    ann = new_person(place="")
    asked = watch_requests(ann)
    ann.choose_game(game)
    play_a_move(ann)
    expect(ann.connection).to_have_text("In this browser")
    ann.button("Hint").click()
    expect(ann.page.locator("#hint").filter(visible=True)).to_have_text(re.compile(r"^Hint: "))
    ann.page.reload()
    expect(ann.moves).to_have_count(2)
    ann.button("Take back").click()
    expect(ann.moves).to_have_count(0)
    ann.resign()
    ann.button("Rematch").click()
    expect(ann.connection).to_have_text("In this browser")
    assert asked_about_matches(asked) == []


def test_a_game_in_the_page_is_reviewed_and_listed_on_the_first_page(new_person: NewPerson) -> None:
    ann = new_person(place="")
    ann.choose_game(ULTIMATE)
    play_a_move(ann)
    ann.resign()
    ann.button("Review").click()
    expect(ann.page.locator("#move-values li").first).to_be_visible()
    expect(ann.button("Copy record")).to_be_visible()
    ann.page.goto("/")
    expect(ann.page.locator("#saved-list li")).to_have_count(1)


def test_the_dialog_asks_where_a_match_with_the_computer_is_kept_and_remembers_it(
    new_person: NewPerson,
) -> None:
    ann = new_person(place="")
    ann.open_new_match_dialog(CLASSIC)
    expect(ann.dialog.get_by_label("In this browser")).to_be_checked()
    expect(ann.dialog.get_by_label("Clock")).to_be_hidden()
    match = ann.start(CLASSIC, "computer", place="server")
    assert not match.startswith("local-")
    ann.choose_game(CLASSIC)
    ann.press(4)
    expect(ann.connection).to_have_text("Connected")


def test_a_match_with_a_friend_has_no_choice_of_place(new_person: NewPerson) -> None:
    ann = new_person(place="")
    ann.open_new_match_dialog(CLASSIC)
    ann.dialog.locator('[name="opponent"][value="friend"]').check()
    expect(ann.dialog.get_by_label("In this browser")).to_be_hidden()
    expect(ann.dialog.get_by_label("Clock")).to_be_visible()


def test_whoever_has_a_profile_keeps_matches_on_the_server_at_first(new_person: NewPerson) -> None:
    ann = new_person(place="")
    ann.page.goto("/")
    ann.page.evaluate("localStorage.setItem('ninefold:key', 'k'.repeat(43))")
    ann.open_new_match_dialog(CLASSIC)
    expect(ann.dialog.get_by_label("On the server")).to_be_checked()
    ann.ignore_errors("Failed to load resource")  # no profile has this key


@pytest.mark.parametrize("missing", ["engine", "storage"])
def test_the_server_plays_where_the_browser_cannot(new_person: NewPerson, missing: str) -> None:
    ann = new_person(place="")
    if missing == "engine":
        ann.context.route(WASM, lambda route: route.abort())
    else:
        ann.page.add_init_script("indexedDB.open = () => { throw new DOMException('forbidden', 'SecurityError'); }")
    ann.choose_game(ULTIMATE)
    play_a_move(ann)
    expect(ann.connection).to_have_text("Connected")
    ann.ignore_errors("Failed to load resource: net::ERR_FAILED")


def test_a_full_device_refuses_the_move_with_a_sentence_and_loses_nothing(new_person: NewPerson) -> None:
    ann = new_person(place="")
    ann.choose_game(CLASSIC)
    play_a_move(ann)
    ann.page.evaluate(FULL)
    ann.playable.first.click()
    expect(ann.notice).to_contain_text("This browser cannot save the game now. Make room on this device")
    expect(ann.connection).to_have_text("In this browser")
    expect(ann.moves).to_have_count(2)
    ann.page.reload()
    expect(ann.moves).to_have_count(2)
    play_a_move(ann)


def test_games_in_the_page_are_listed_in_the_language(new_person: NewPerson) -> None:
    ann = new_person(place="", locale="de-DE")
    ann.page.goto("/?game=agents")
    play_a_move(ann)
    ann.page.locator("#actions [data-key=resign]").click()
    ann.dialog.get_by_role("button").first.click()
    expect(ann.status).to_contain_text("hat aufgegeben")
    ann.page.goto("/")
    expect(ann.page.locator("#saved-list")).to_contain_text("Agentenspiel mit Computer (mittel)")
    expect(ann.page.locator("#saved-list")).to_contain_text("hat aufgegeben")
