"""The pages as people meet them, each reached by the shortest way: to be checked, measured and photographed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import Person
from tests.support.http_server import Running
from tests.support.short_games import ShortGame, short_game

REFUSED = "Failed to load resource: the server responded with a status of 4"
LABELS = "Letters and numbers on the edges of the board"  # a setting
THREATS = "Mark where a side could win next (not against people)"  # a setting


class PlayedMatch(NamedTuple):
    """A match of Ann (X) and Ben (O) that was played so far over HTTP."""

    match: str
    tokens: dict[str, str]
    short: ShortGame


def play_match(server: Running, game: str, plies: int | None = None, **more: object) -> PlayedMatch:
    """Play the first moves of a short game, or all of them."""
    seats = [{"player": "human", "name": name} for name in ("Ann", "Ben")]
    created = server.post("/matches", {"game": game, "seats": seats, **more}).json()
    match, tokens, short = created["match"], created["seats"], short_game(find_game(game))
    for version, (ply, move) in enumerate(zip(short.plies[:plies], short.end.state.moves, strict=False)):
        token = tokens["1" if ply.side == "X" else "2"]
        assert server.move(match, token, version, [*short.end.game.paths[move]]).status_code == 200
    return PlayedMatch(match, tokens, short)


def switch_on(person: Person, setting: str) -> None:
    """Tick a setting."""
    person.button("Settings").click()
    person.dialog.get_by_label(setting).check()
    person.dialog.get_by_role("button", name="Close").click()


def handover_path(server: Running, match: str, token: str) -> str:
    """The path that moves a seat to the browser that opens it."""
    code = server.post(f"/matches/{match}/handover", {"request": "handover"}, token=token).json()["code"]
    return f"/m/{match}#code={code}"


def take_seat(person: Person, server: Running, played: PlayedMatch, seat: str) -> None:
    """Move a seat to the person's browser; the other player is connected too."""
    other, _ = server.welcome(played.match, played.tokens["1" if seat == "2" else "2"])
    person.until_closed.enter_context(other)
    person.page.goto(handover_path(server, played.match, played.tokens[seat]))
    expect(person.connection).to_have_text("Connected")


def start(person: Person, server: Running) -> None:
    play_match(server, "squared", 14)
    server.create("classic", "human", "open")
    person.page.goto("/")
    expect(person.page.locator("#live-list li").first).to_be_visible()
    expect(person.page.locator("#open-list li").first).to_be_visible()


def rules(person: Person, server: Running) -> None:
    person.choose_game(find_game("swap-nine"))
    person.button("Rules").click()
    expect(person.dialog).to_be_visible()


def setup(person: Person, server: Running) -> None:
    person.open_new_match_dialog(find_game("ultimate"))
    person.dialog.get_by_text("More rules").click()


def settings(person: Person, server: Running) -> None:
    person.page.goto("/")
    person.button("Settings").click()
    expect(person.dialog).to_be_visible()


def invite(person: Person, server: Running) -> None:
    person.start(find_game("classic"), "friend")
    expect(person.page.locator(".qr")).to_be_visible()


def invited(person: Person, server: Running) -> None:
    created = server.create("swap-nine", "human", "open")
    person.page.goto(f"{created['links']['invite']['2']}&game=swap-nine")  # as the page of the host writes it
    expect(person.button("Join the game")).to_be_visible()


def play(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "squared", 16), "1")
    person.playable.first.hover()


def choice(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "swap-nine", 5), "2")
    person.press(4)
    expect(person.button("No swap")).to_be_visible()


def claim(person: Person, server: Running) -> None:
    played = play_match(server, "agents", claim_seconds=600)
    version = len(played.short.plies)
    act = {"request": "claim", "version": version, "action": {"kind": "claim", "cells": [*(played.short.claim or ())]}}
    assert server.post(f"/matches/{played.match}/actions", act, played.tokens["2"]).status_code == 200
    take_seat(person, server, played, "1")
    expect(person.button("Dispute")).to_be_visible()


def watch(person: Person, server: Running) -> None:
    person.watch(play_match(server, "classic", 3).match)


def over(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "ultimate"), "1")
    expect(person.status).to_contain_text("You won.")


def review(person: Person, server: Running) -> None:
    person.page.goto(f"/review?match={play_match(server, 'swap-nine').match}&ply=5")
    expect(person.page.locator("#analysis-status")).to_contain_text("Exact values")
    expect(person.page.get_by_role("img", name="10 positions known")).to_be_visible()
    person.press(8)
    expect(person.page.locator("#variation-list li").first).to_be_visible()


def set_up(person: Person, server: Running) -> None:
    person.page.goto("/review")
    person.button("Set up a position").click()
    person.page.get_by_label("Game").select_option("ultimate")
    person.page.locator("#editor [data-cell]").nth(40).click()


def puzzle(person: Person, server: Running) -> None:
    person.page.goto("/puzzle?id=ultimate-20")
    person.playable.first.click()
    expect(person.page.locator("#feedback")).to_be_visible()


def record(person: Person, server: Running) -> None:
    person.page.goto("/review")
    expect(person.button("Open")).to_be_visible()


def learn(person: Person, server: Running) -> None:
    person.page.goto("/learn?game=squared")
    person.playable.first.click()
    expect(person.page.locator("#feedback")).to_be_visible()


def hint(person: Person, server: Running) -> None:
    person.start(find_game("classic"), "computer", side="X")
    person.button("Hint").click()
    expect(person.page.locator("#hint")).to_contain_text("Hint")


def shared(person: Person, server: Running) -> None:
    played = play_match(server, "ultimate")
    page = server.get(f"/matches/{played.match}/share", played.tokens["1"]).json()["page"]
    person.page.goto(f"{page}?move=18")
    expect(person.status).to_contain_text("Move 18 of 23")


def embedded(person: Person, server: Running) -> None:
    played = play_match(server, "swap-nine")
    page = server.get(f"/matches/{played.match}/share", played.tokens["1"]).json()["page"]
    person.page.goto(f"{page}/embed?move=4")
    expect(person.status).to_contain_text("Move 4 of 9")


def report(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "swap-nine"), "1")
    person.page.get_by_text("The referee's report").click()
    expect(person.page.locator("#report tbody tr").first).to_be_visible()


def waiting(person: Person, server: Running) -> None:
    """Nobody else asks for this game with this clock."""
    person.choose_game(find_game("agents"))
    person.page.get_by_label("Clock with people").select_option("180+2")
    person.button("Find an opponent").click()
    expect(person.connection).to_have_text("Connected")


def rematch(person: Person, server: Running) -> None:
    played = play_match(server, "classic")
    take_seat(person, server, played, "1")
    server.post(f"/matches/{played.match}/rematch", {"request": "again"}, played.tokens["2"])
    expect(person.button("Accept")).to_be_visible()


def handover(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "classic", 2), "1")
    person.page.get_by_text("More", exact=True).click()
    person.button("Other device").click()
    expect(person.page.locator(".qr")).to_be_visible()


def labels(person: Person, server: Running) -> None:
    play(person, server)
    switch_on(person, LABELS)
    expect(person.board.locator(".rows-edge")).to_be_visible()


def threats(person: Person, server: Running) -> None:
    person.start(find_game("classic"), "here")
    for cell in (0, 4, 1):
        person.press(cell)
    switch_on(person, THREATS)
    expect(person.board.locator(".threat")).to_be_visible()


def offer(person: Person, server: Running) -> None:
    played = play_match(server, "classic", 3)
    act = {"request": "offer", "version": 3, "action": {"kind": "offer", "text": "draw"}}
    assert server.post(f"/matches/{played.match}/actions", act, played.tokens["1"]).status_code == 200
    take_seat(person, server, played, "2")
    expect(person.page.locator("#offer")).to_contain_text("Ann offers a draw.")


def absence(person: Person, server: Running) -> None:
    """The opponent, whose turn it is, has gone."""
    played = play_match(server, "classic", 3)
    take_seat(person, server, played, "1")
    person.until_closed.close()
    expect(person.page.locator("#absence")).to_contain_text("Ben is away.")


def lost_connection(person: Person, server: Running) -> None:
    watch(person, server)
    person.context.set_offline(True)
    expect(person.button("Try now")).to_be_visible()
    person.until_closed.callback(person.ignore_errors, "WebSocket connection")


def claim_picker(person: Person, server: Running) -> None:
    take_seat(person, server, play_match(server, "agents", 4), "2")
    person.button("Claim victory").click()
    person.press(0, 1, 2)
    expect(person.page.locator("#claim").get_by_role("button", name="Claim victory")).to_be_enabled()


def full(person: Person, server: Running) -> None:
    created = server.create("classic", "human", "open")
    person.page.route_web_socket("**/socket", lambda _: None)  # nobody tells the page that the seat is taken
    person.page.goto(f"/m/{created['match']}")
    expect(person.button("Join the game")).to_be_visible()
    assert server.post(f"/matches/{created['match']}/join", {}).status_code == 200
    person.button("Join the game").click()
    expect(person.page.get_by_role("heading", name="The match is full")).to_be_visible()
    person.ignore_errors(REFUSED)


def used(person: Person, server: Running) -> None:
    created = server.create("classic", "human", "open")
    join = {"invitation": created["invitations"]["2"]}
    assert server.post(f"/matches/{created['match']}/join", join).status_code == 200
    person.page.goto(created["links"]["invite"]["2"])
    expect(person.button("Watch the match")).to_be_visible()
    person.ignore_errors(REFUSED)


def no_review(person: Person, server: Running) -> None:
    person.page.goto("/review?match=0123456789abcdef")
    expect(person.page.get_by_role("heading", name="Match not found", level=2)).to_be_visible()
    person.ignore_errors(REFUSED)


def trouble(person: Person, server: Running) -> None:
    person.page.goto("/m/0123456789abcdef#invite=damaged")
    expect(person.page.get_by_role("heading", name="The link is damaged")).to_be_visible()
    person.ignore_errors(REFUSED)


def missing(person: Person, server: Running) -> None:
    person.page.goto("/nowhere")
    expect(person.page.get_by_role("link", name="To the games")).to_be_visible()
    person.ignore_errors(REFUSED)


Scene = Callable[[Person, Running], None]
SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        *(start, rules, setup, settings, invite, invited, play, choice, claim),
        *(watch, over, review, record, set_up, puzzle, learn, hint),
        *(shared, embedded, report, waiting, rematch, handover, full, trouble, missing),
    )
}
# What these pages can show beside: to be checked, and not photographed.
STATES: dict[str, Scene] = {
    scene.__name__: scene for scene in (labels, threats, offer, absence, lost_connection, claim_picker, used, no_review)
}
