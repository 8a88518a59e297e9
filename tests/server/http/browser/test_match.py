"""A match in a real browser: playing, watching, reconnecting."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ninefold.core.game import Game
from ninefold.games import all_games, find_game
from tests.support.browser_person import NewPair, NewPerson, Pair
from tests.support.clocks import ManualClock
from tests.support.http_server import Running, running
from tests.support.server_process import serving
from tests.support.short_games import Ply, short_game

CLASSIC, SQUARED, SWAP_NINE = map(find_game, ("classic", "squared", "swap-nine"))
# A refused cell is marked for a second only, which a busy machine may miss.
RECORD_REFUSED_CELL = """() => {
    window.refusedCell = new Promise((resolve) => {
        const record = (changes) => changes.forEach(({ target }) =>
            target.classList.contains("refused") && resolve(target.dataset.cell));
        const board = document.querySelector("#board");
        new MutationObserver(record).observe(board, { subtree: true, attributeFilter: ["class"] });
    });
}"""
EVERY_GAME = pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))


def test_a_spectator_sees_every_move_and_cannot_move(new_person: NewPerson, new_pair: NewPair, server: Running) -> None:
    pair, watcher = new_pair(CLASSIC), new_person()
    watcher.watch(pair.match)
    pair.x.press(4)
    expect(watcher.moves).to_have_text(["X centre"])
    expect(watcher.playable).to_have_count(0)
    expect(pair.x.page.locator("#watching")).to_have_text("1 watching")

    watcher.moves.first.hover()
    expect(watcher.board.locator(".lit")).to_have_attribute("data-cell", "4")
    watcher.cell(0).click(force=True)
    watcher.page.keyboard.press("1")
    for action in ("Resign", "Offer a draw", "Ask to take back", "Join the game", "Send"):
        expect(watcher.button(action)).to_be_hidden()
    pair.o.press(8)
    expect(watcher.moves).to_have_text(["X centre", "O bottom-right"])
    expect(watcher.status).to_have_text("Ann (X) to move.")
    assert [move["text"] for move in server.get(f"/matches/{pair.match}").json()["history"]] == ["5", "9"]


def test_the_game_continues_after_a_reload(new_pair: NewPair) -> None:
    pair, short = new_pair(SQUARED), short_game(SQUARED)
    pair.play(*short.plies[:5])
    for person in pair.people:
        person.page.reload()
        expect(person.moves).to_have_count(5)
        expect(person.connection).to_have_text("Connected")
    pair.play(*short.plies[5:])
    expect(pair.o.status).to_have_text(f"You won. {short.shown}")


def test_a_reload_in_the_middle_of_a_move_starts_the_move_over(new_pair: NewPair) -> None:
    pair = new_pair(SWAP_NINE)
    pair.x.press(0)
    pair.o.press(1)
    expect(pair.o.status).to_contain_text("Your turn:")
    expect(pair.o.button("No swap")).to_be_visible()
    pair.o.page.reload()
    expect(pair.o.moves).to_have_count(1)
    expect(pair.o.button("No swap")).to_be_hidden()
    pair.o.press(1, 0)
    expect(pair.x.moves).to_have_text(["X top-left", "O top-middle takes top-left"])


def test_in_the_middle_of_a_move_the_names_of_cells_say_what_can_be_chosen(new_pair: NewPair) -> None:
    pair = new_pair(SWAP_NINE)
    pair.x.press(0)
    expect(pair.o.cell(1)).to_have_accessible_name("top-middle cell, empty, playable, can take top-left")
    pair.o.press(1)
    expect(pair.o.cell(0)).to_have_accessible_name("top-left cell, X, last move, can be taken")
    expect(pair.o.cell(1)).to_have_accessible_name("top-middle cell, empty, chosen")
    expect(pair.o.cell(2)).to_have_accessible_name("top-right cell, empty")
    pair.o.button("Choose again").click()
    expect(pair.o.cell(1)).to_have_accessible_name("top-middle cell, empty, playable, can take top-left")


def test_a_match_is_continued_from_the_first_page(new_person: NewPerson) -> None:
    ann = new_person("Ann")
    ann.start(CLASSIC, "here")
    ann.press(4)
    expect(ann.moves).to_have_count(1)
    ann.page.goto("/")
    ann.page.locator("#my-matches-list").get_by_role("link", name="Continue").click()
    expect(ann.moves).to_have_text(["X centre"])


def test_a_lost_connection_is_shown_and_missed_moves_are_caught_up(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.x.press(4)
    expect(pair.o.moves).to_have_count(1)
    pair.x.context.set_offline(True)
    expect(pair.x.connection).to_have_text("Reconnecting …")
    pair.o.press(0)
    expect(pair.o.moves).to_have_count(2)
    expect(pair.x.moves).to_have_count(1)

    pair.x.context.set_offline(False)
    expect(pair.x.announcements).to_contain_text("Connected again. Caught up: 1 new event.")
    expect(pair.x.moves).to_have_text(["X centre", "O top-left"])
    pair.x.press(8)
    expect(pair.o.moves).to_have_count(3)
    pair.x.ignore_errors("WebSocket connection")


def test_a_move_made_while_the_server_is_down_is_sent_when_it_is_back(new_person: NewPerson, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ann, ben = new_person("Ann", server.url), new_person("Ben", server.url)
        match = ann.start(CLASSIC, "friend")
        ben.join(ann.invitation_link())
        Pair(match, ann, ben).play(Ply("X", (4,)), Ply("O", (0,)))
        server.kill()
        for person in (ann, ben):
            expect(person.page.locator("#connection-lost")).to_contain_text("Connection lost.")
        ann.press(8)
        expect(ann.status).to_have_text("Sending the move …")
        server.start()
        for person in (ann, ben):
            try_now = person.page.locator("#connection-lost button", has_text="Try now")
            try_now.dispatch_event("click")  # also if the page has just been faster, and the button is gone
            expect(person.moves).to_have_text(["X centre", "O top-left", "X bottom-right"])
        ben.press(1)
        expect(ann.moves).to_have_count(4)
        for person in (ann, ben):
            person.close()
            person.ignore_errors("WebSocket connection")


def test_a_player_who_closes_the_page_is_shown_as_away(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    expect(pair.x.opponent).to_contain_text("here")
    pair.o.page.close()
    expect(pair.x.opponent).to_contain_text("away")


@EVERY_GAME
def test_the_computer_answers(new_person: NewPerson, game: Game) -> None:
    ann = new_person("Ann")
    ann.start(game, "computer", level="easy", side="X" if game.id == "agents" else "O")
    ann.playable.first.click()
    if ann.button("No swap").is_visible():
        ann.button("No swap").click()
    expect(ann.moves).to_have_count(3)
    expect(ann.opponent).to_contain_text("Computer (easy)")


def test_a_careless_player_loses_to_the_perfect_computer(new_person: NewPerson) -> None:
    ann = new_person("Ann")
    ann.start(CLASSIC, "computer", level="perfect", side="X")
    over = ann.button("Rematch")
    while not over.is_visible():
        expect(ann.playable.or_(over).first).to_be_visible()
        if ann.playable.first.is_visible():
            ann.playable.first.click()
    expect(ann.status).to_contain_text("You lost.")


def test_if_legal_moves_are_not_shown_any_move_can_be_tried(new_person: NewPerson) -> None:
    ann = new_person()
    ann.open_new_match_dialog(SWAP_NINE)
    ann.dialog.locator('[name="opponent"][value="here"]').check()
    ann.dialog.get_by_text("More rules").click()
    ann.dialog.get_by_label("Show which moves are legal").uncheck()
    ann.dialog.get_by_role("button", name="Start").click()
    expect(ann.connection).to_have_text("Connected")
    ann.press(0)
    ann.button("That is all").click()
    expect(ann.moves).to_have_text(["X top-left"])
    expect(ann.cell(0)).to_have_accessible_name("top-left cell, X, last move")
    expect(ann.cell(1)).to_have_accessible_name("top-middle cell, empty")
    expect(ann.playable).to_have_count(0)

    ann.page.evaluate(RECORD_REFUSED_CELL)
    ann.press(2, 1)
    expect(ann.notice).to_have_text("There is no marker of X to take. Choose another move.")
    assert ann.page.evaluate("refusedCell") == "2"
    ann.press(1, 0)
    expect(ann.moves).to_have_text(["X top-left", "O top-middle takes top-left"])
    ann.ignore_errors("Failed to load resource: the server responded with a status of 409")


def test_two_people_play_on_one_screen(new_person: NewPerson) -> None:
    ann, short = new_person(), short_game(SWAP_NINE)
    match = ann.start(SWAP_NINE, "here")
    Pair(match, ann, ann).play(*short.plies)
    expect(ann.status).to_have_text(short.shown)


def test_the_rules_can_be_read_during_a_match(new_person: NewPerson, server: Running) -> None:
    watcher = new_person()
    watcher.watch(server.create("swap-nine")["match"])
    watcher.page.get_by_text("More", exact=True).click()
    watcher.button("Rules").click()
    expect(watcher.dialog).to_contain_text("Rules: Swap Nine")
    expect(watcher.dialog.locator("figure nine-board")).to_have_count(4)
    expect(watcher.dialog.get_by_role("heading", name="Advice, not part of the rules")).to_be_visible()
    expect(watcher.dialog.get_by_role("listitem")).to_have_text(list(SWAP_NINE.advice))
    watcher.dialog.get_by_role("button", name="Close").click()
    expect(watcher.dialog).to_be_hidden()


def test_a_player_whose_time_runs_out_loses(new_person: NewPerson, tmp_path: Path) -> None:
    now = ManualClock()
    with running(tmp_path, now=now) as server:
        home = f"http://127.0.0.1:{server.port}"
        created = server.create("classic", "open", "open", clock={"initial_seconds": 2})
        ann, ben = new_person("Ann", home), new_person("Ben", home)
        ann.join(created["links"]["invite"]["1"])
        ben.join(created["links"]["invite"]["2"])
        expect(ann.page.get_by_role("timer")).to_have_text(["0:02.0", "0:02.0"])
        ann.press(4)
        expect(ben.moves).to_have_text(["X centre"])
        now.at += 2000
        expect(ben.status).to_contain_text("You lost.")
        expect(ann.status).to_contain_text("You won.")
        ann.close()
        ben.close()


def test_a_seat_can_be_played_in_two_windows(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    second = pair.x.context.new_page()
    second.goto(pair.x.page.url)
    pair.x.press(4)
    expect(second.locator("#history li")).to_have_text(["X centre"])
    pair.o.press(0)
    second.locator('#board [data-cell="8"]').click()
    expect(pair.x.moves).to_have_text(["X centre", "O top-left", "X bottom-right"])


def test_on_a_phone_a_tap_plays_once(new_person: NewPerson) -> None:
    ann = new_person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ann.start(SWAP_NINE, "here")
    ann.cell(0).tap()
    expect(ann.moves).to_have_text(["X top-left"])
    ann.cell(1).tap()
    expect(ann.button("No swap")).to_be_visible()
    ann.cell(0).tap()
    expect(ann.moves).to_have_text(["X top-left", "O top-middle takes top-left"])


def test_a_missing_match_is_reported(new_person: NewPerson) -> None:
    ann = new_person()
    ann.page.goto("/m/0123456789abcdef")
    expect(ann.status).to_have_text("Match not found")
    ann.ignore_errors("Failed to load resource: the server responded with a status of 404")


def test_a_private_match_can_be_watched_only_with_its_link(new_person: NewPerson) -> None:
    ann, guest, stranger = new_person("Ann"), new_person(), new_person()
    match = ann.start(CLASSIC, "here")
    ann.page.get_by_text("More", exact=True).click()
    ann.button("Let others watch").click()
    link = ann.page.get_by_label("Link to watch", exact=True).input_value()
    ann.dialog.get_by_role("button", name="Close").click()
    guest.page.goto(link)
    ann.press(4)
    expect(guest.moves).to_have_text(["X centre"])
    stranger.page.goto(f"/m/{match}")
    expect(stranger.status).to_have_text("Match not found")
    stranger.page.goto(link)
    expect(stranger.moves).to_have_text(["X centre"])
    expect(stranger.notice).to_be_hidden()
    stranger.ignore_errors("Failed to load resource: the server responded with a status of 404")
