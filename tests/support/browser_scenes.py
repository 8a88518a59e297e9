"""The pages as people meet them, each brought there by the shortest way: to be scanned, measured and photographed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.server.http.browser.people import Person
from tests.support.http_server import Running
from tests.support.short_games import ShortGame, short_game


class Table(NamedTuple):
    """A match of Ann (X) and Ben (O), played so far from behind the scenes."""

    match: str
    tokens: dict[str, str]
    short: ShortGame


def lay(server: Running, game: str, plies: int | None = None) -> Table:
    """A table with the first moves of a short game on it, or all of them."""
    seats = [{"player": "human", "name": name} for name in ("Ann", "Ben")]
    created = server.post("/matches", {"game": game, "seats": seats}).json()
    match, tokens, short = created["match"], created["seats"], short_game(find_game(game))
    for version, (ply, move) in enumerate(zip(short.plies[:plies], short.end.state.moves, strict=False)):
        token = tokens["1" if ply.side == "X" else "2"]
        assert server.move(match, token, version, [*short.end.game.paths[move]]).status_code == 200
    return Table(match, tokens, short)


def sit_down(person: Person, server: Running, table: Table, seat: str) -> None:
    """Carry a seat to the person's browser; the other player is there too."""
    other, _ = server.welcome(table.match, table.tokens["1" if seat == "2" else "2"])
    person.until_leaving.enter_context(other)
    code = server.post(f"/matches/{table.match}/handover", {"request": "carry"}, token=table.tokens[seat]).json()[
        "code"
    ]
    person.page.goto(f"/m/{table.match}#code={code}")
    expect(person.connection).to_have_text("Connected")


def start(person: Person, server: Running) -> None:
    lay(server, "squared", 14)
    server.create("classic", "human", "open")
    person.page.goto("/")
    expect(person.page.locator("#live-list li").first).to_be_visible()
    expect(person.page.locator("#open-list li").first).to_be_visible()


def rules(person: Person, server: Running) -> None:
    person.page.goto("/")
    person.button("Rules of Swap Nine").click()
    expect(person.dialog).to_be_visible()


def setup(person: Person, server: Running) -> None:
    person.choose(find_game("ultimate"))
    person.dialog.get_by_text("More rules").click()


def invite(person: Person, server: Running) -> None:
    person.start(find_game("classic"), "friend")
    expect(person.page.locator(".qr")).to_be_visible()


def invited(person: Person, server: Running) -> None:
    created = server.create("swap-nine", "human", "open")
    person.page.goto(created["links"]["invite"]["2"])
    expect(person.button("Join the game")).to_be_visible()


def play(person: Person, server: Running) -> None:
    sit_down(person, server, lay(server, "squared", 16), "1")
    person.playable.first.hover()


def choice(person: Person, server: Running) -> None:
    sit_down(person, server, lay(server, "swap-nine", 5), "2")
    person.press(4)
    expect(person.button("No swap")).to_be_visible()


def claim(person: Person, server: Running) -> None:
    table = lay(server, "agents")
    version = len(table.short.plies)
    act = {"request": "claim", "version": version, "action": {"kind": "claim", "cells": [*(table.short.claim or ())]}}
    assert server.post(f"/matches/{table.match}/actions", act, table.tokens["2"]).status_code == 200
    sit_down(person, server, table, "1")
    expect(person.button("Dispute")).to_be_visible()


def watch(person: Person, server: Running) -> None:
    person.watch(lay(server, "classic", 3).match)


def over(person: Person, server: Running) -> None:
    sit_down(person, server, lay(server, "ultimate"), "1")
    expect(person.status).to_contain_text("You won.")


def review(person: Person, server: Running) -> None:
    person.page.goto(f"/review?match={lay(server, 'swap-nine').match}")
    expect(person.page.locator("#depth")).to_have_text("The game is over here.")
    for _ in range(4):
        person.button("One move back").click()
    expect(person.page.locator("#depth")).to_contain_text("Exact values")
    expect(person.page.get_by_role("img", name="10 positions known")).to_be_visible()


def record(person: Person, server: Running) -> None:
    person.page.goto("/review")
    expect(person.button("Open")).to_be_visible()


Scene = Callable[[Person, Running], None]
SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (start, rules, setup, invite, invited, play, choice, claim, watch, over, review, record)
}
