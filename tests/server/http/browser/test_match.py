"""A match in a real browser: who may touch it, what it survives, and what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ninefold.core.game import Game
from ninefold.games import all_games, find_game
from tests.server.http.browser.conftest import Arrive, Sit
from tests.server.http.browser.people import Pair
from tests.support.http_server import Running
from tests.support.server_process import serving
from tests.support.short_games import Ply, short_game

CLASSIC, SQUARED, SWAP_NINE = map(find_game, ("classic", "squared", "swap-nine"))
EVERY_GAME = pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))


def test_a_spectator_sees_every_move_and_cannot_move(arrive: Arrive, sit: Sit, server: Running) -> None:
    pair, watcher = sit(CLASSIC), arrive()
    watcher.watch(pair.match)
    pair.x.press(4)
    expect(watcher.moves).to_have_text(["X 5"])
    expect(watcher.playable).to_have_count(0)
    expect(pair.x.page.locator("#watching")).to_have_text("1 watching")

    watcher.square(0).click(force=True)
    watcher.page.keyboard.press("1")
    for deed in ("Resign", "Offer a draw", "Ask to take back", "Join the game", "Send"):
        expect(watcher.button(deed)).to_be_hidden()
    pair.o.press(8)
    expect(watcher.moves).to_have_text(["X 5", "O 9"])
    expect(watcher.status).to_have_text("Ann (X) to move.")
    assert [move["text"] for move in server.get(f"/matches/{pair.match}").json()["history"]] == ["5", "9"]


def test_after_a_reload_the_game_goes_on(sit: Sit) -> None:
    pair, short = sit(SQUARED), short_game(SQUARED)
    pair.play(*short.plies[:5])
    for person in pair.people:
        person.page.reload()
        expect(person.moves).to_have_count(5)
        expect(person.connection).to_have_text("Connected")
    pair.play(*short.plies[5:])
    expect(pair.o.status).to_have_text(f"You won. {short.sentence}")


def test_a_reload_halfway_through_a_move_begins_the_move_again(sit: Sit) -> None:
    pair = sit(SWAP_NINE)
    pair.x.press(0)
    pair.o.press(1)
    expect(pair.o.status).to_contain_text("Your turn:")
    expect(pair.o.button("No swap")).to_be_visible()
    pair.o.page.reload()
    expect(pair.o.moves).to_have_count(1)
    expect(pair.o.button("No swap")).to_be_hidden()
    pair.o.press(1, 0)
    expect(pair.x.moves).to_have_text(["X 1", "O 2x1"])


def test_halfway_through_a_move_the_cells_are_named_for_the_choice_that_is_left(sit: Sit) -> None:
    pair = sit(SWAP_NINE)
    pair.x.press(0)
    expect(pair.o.square(1)).to_have_accessible_name("cell 2, empty, playable, can take 1")
    pair.o.press(1)
    expect(pair.o.square(0)).to_have_accessible_name("cell 1, X, last move, can be taken")
    expect(pair.o.square(1)).to_have_accessible_name("cell 2, empty, chosen")
    expect(pair.o.square(2)).to_have_accessible_name("cell 3, empty")
    pair.o.button("Choose again").click()
    expect(pair.o.square(1)).to_have_accessible_name("cell 2, empty, playable, can take 1")


def test_a_game_is_found_again_from_the_first_page(arrive: Arrive) -> None:
    ann = arrive("Ann")
    ann.start(CLASSIC, "here")
    ann.press(4)
    expect(ann.moves).to_have_count(1)
    ann.page.goto("/")
    ann.page.locator("#yours-list").get_by_role("link", name="Go on").click()
    expect(ann.moves).to_have_text(["X 5"])


def test_a_cut_connection_is_noticed_and_what_was_missed_is_caught_up_with(sit: Sit) -> None:
    pair = sit(CLASSIC)
    pair.x.press(4)
    expect(pair.o.moves).to_have_count(1)
    pair.x.context.set_offline(True)
    expect(pair.x.connection).to_have_text("Reconnecting …")
    pair.o.press(0)
    expect(pair.o.moves).to_have_count(2)
    expect(pair.x.moves).to_have_count(1)

    pair.x.context.set_offline(False)
    expect(pair.x.connection).to_have_text("Caught up: 1 new event")
    expect(pair.x.moves).to_have_text(["X 5", "O 1"])
    pair.x.press(8)
    expect(pair.o.moves).to_have_count(3)
    pair.x.forgive("WebSocket connection")


def test_a_move_made_while_the_server_is_down_is_sent_when_it_is_back(arrive: Arrive, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ann, ben = arrive("Ann", server.url), arrive("Ben", server.url)
        match = ann.start(CLASSIC, "friend")
        ben.join(ann.invitation())
        Pair(match, ann, ben).play(Ply("X", (4,)), Ply("O", (0,)))
        server.kill()
        expect(ann.page.locator("#lost")).to_contain_text("Connection lost.")
        ann.press(8)
        expect(ann.status).to_have_text("Sending the move …")
        server.start()
        for person in (ann, ben):
            person.button("Try now").or_(person.connection.filter(has_text="Caught up")).first.click()
            expect(person.moves).to_have_text(["X 5", "O 1", "X 9"])
        ben.press(1)
        expect(ann.moves).to_have_count(4)
        for person in (ann, ben):
            person.leave()
            person.forgive("WebSocket connection")


def test_who_closes_the_page_is_seen_to_be_away(sit: Sit) -> None:
    pair = sit(CLASSIC)
    expect(pair.x.page.locator("#far")).to_contain_text("here")
    pair.o.page.close()
    expect(pair.x.page.locator("#far")).to_contain_text("away")


@EVERY_GAME
def test_the_computer_answers(arrive: Arrive, game: Game) -> None:
    ann = arrive("Ann")
    ann.start(game, "computer", level="easy", side="X" if game.id == "agents" else "O")
    ann.playable.first.click()
    if ann.button("No swap").is_visible():
        ann.button("No swap").click()
    expect(ann.moves).to_have_count(3)
    expect(ann.page.locator("#far")).to_contain_text("Computer (easy)")


def test_nobody_beats_the_perfect_computer(arrive: Arrive) -> None:
    ann = arrive("Ann")
    ann.start(CLASSIC, "computer", level="perfect", side="X")
    over = ann.status.filter(has_text="You lost")
    while not over.is_visible():
        expect(ann.playable.or_(over).first).to_be_visible()
        if ann.playable.first.is_visible():
            ann.playable.first.click()
    expect(ann.button("Rematch")).to_be_visible()


def test_where_legal_moves_are_not_shown_any_can_be_tried(arrive: Arrive) -> None:
    ann = arrive()
    ann.choose(SWAP_NINE)
    ann.dialog.locator('[name="opponent"][value="here"]').check()
    ann.dialog.get_by_text("More rules").click()
    ann.dialog.get_by_label("Show which moves are legal").uncheck()
    ann.dialog.get_by_role("button", name="Start").click()
    ann.press(0)
    ann.button("That is all").click()
    expect(ann.moves).to_have_text(["X 1"])
    expect(ann.square(0)).to_have_accessible_name("cell 1, X, last move")
    expect(ann.square(1)).to_have_accessible_name("cell 2, empty")
    expect(ann.playable).to_have_count(0)

    ann.press(2, 1)
    expect(ann.page.locator("#notice")).to_have_text("There is no marker of X on cell 2. Choose another move.")
    expect(ann.square(2)).to_have_class(re.compile("refused"))
    ann.press(1, 0)
    expect(ann.moves).to_have_text(["X 1", "O 2x1"])
    ann.forgive("Failed to load resource: the server responded with a status of 409")


def test_two_people_at_one_screen_play_both_sides(arrive: Arrive) -> None:
    ann, short = arrive(), short_game(SWAP_NINE)
    match = ann.start(SWAP_NINE, "here")
    Pair(match, ann, ann).play(*short.plies)
    expect(ann.status).to_have_text(short.sentence)


def test_the_rules_can_be_read_during_a_match(arrive: Arrive, server: Running) -> None:
    watcher = arrive()
    watcher.watch(server.create("swap-nine")["match"])
    watcher.page.get_by_text("More", exact=True).click()
    watcher.button("Rules").click()
    expect(watcher.dialog).to_contain_text("Rules: Swap Nine")
    watcher.dialog.get_by_role("button", name="Close").click()
    expect(watcher.dialog).to_be_hidden()


def test_whose_time_has_run_out_has_lost(arrive: Arrive, server: Running) -> None:
    created = server.create("classic", "open", "open", clock={"initial_seconds": 2})
    ann, ben = arrive("Ann"), arrive("Ben")
    ann.join(created["links"]["invite"]["1"])
    ben.join(created["links"]["invite"]["2"])
    expect(ann.page.get_by_role("timer")).to_have_text(["0:02.0", "0:02.0"])
    ann.press(4)
    expect(ben.status).to_contain_text("You lost.")
    expect(ann.status).to_contain_text("You won.")


def test_a_seat_that_is_played_in_two_windows_is_the_same_in_both(sit: Sit) -> None:
    pair = sit(CLASSIC)
    second = pair.x.context.new_page()
    second.goto(pair.x.page.url)
    pair.x.press(4)
    expect(second.locator("#history li")).to_have_text(["X 5"])
    pair.o.press(0)
    second.locator('#board [data-cell="8"]').click()
    expect(pair.x.moves).to_have_text(["X 5", "O 1", "X 9"])


def test_on_a_phone_a_tap_plays_once(arrive: Arrive) -> None:
    ann = arrive(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ann.start(SWAP_NINE, "here")
    ann.square(0).tap()
    expect(ann.moves).to_have_text(["X 1"])
    ann.square(1).tap()
    expect(ann.button("No swap")).to_be_visible()
    ann.square(0).tap()
    expect(ann.moves).to_have_text(["X 1", "O 2x1"])


def test_a_match_that_is_not_there_is_said_to_be_missing(arrive: Arrive) -> None:
    ann = arrive()
    ann.page.goto("/m/0123456789abcdef")
    expect(ann.status).to_have_text("There is no such match here")
    ann.forgive("Failed to load resource: the server responded with a status of 404")


def test_a_private_match_is_open_to_those_with_its_link_alone(arrive: Arrive) -> None:
    ann, guest, stranger = arrive("Ann"), arrive(), arrive()
    match = ann.start(CLASSIC, "here")
    ann.page.get_by_text("More", exact=True).click()
    ann.button("Let others watch").click()
    link = ann.page.get_by_label("Link to watch", exact=True).input_value()
    ann.dialog.get_by_role("button", name="Close").click()
    guest.page.goto(link)
    ann.press(4)
    expect(guest.moves).to_have_text(["X 5"])
    stranger.page.goto(f"/m/{match}")
    expect(stranger.status).to_have_text("There is no such match here")
    stranger.page.goto(link)
    expect(stranger.moves).to_have_text(["X 5"])
    expect(stranger.page.locator("#notice")).to_be_hidden()
    stranger.forgive("Failed to load resource: the server responded with a status of 404")
