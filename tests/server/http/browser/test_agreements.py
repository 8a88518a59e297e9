"""What two people do beside their moves: chat, offer, resign, move a seat, play again."""

from __future__ import annotations

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPair, NewPerson, Pair
from tests.support.http_server import Running
from tests.support.short_games import short_game

CLASSIC, SWAP_NINE = find_game("classic"), find_game("swap-nine")


def test_the_rematch_is_played_with_sides_swapped(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.play(*short_game(CLASSIC).plies)
    pair.x.button("Rematch").click()
    pair.x.page.wait_for_url(lambda url: pair.match not in url)
    expect(pair.x.status).to_have_text("Waiting for Ben to accept the rematch.")
    expect(pair.o.page.locator("#rematch p")).to_have_text("Ann wants a rematch.")
    expect(pair.o.announcements).to_contain_text("Ann wants a rematch.")
    pair.o.button("Accept").click()
    expect(pair.o.status).to_have_text("Your turn: choose a cell.")
    pair.o.press(4)
    expect(pair.x.moves).to_have_text(["X centre"])
    pair.x.page.goto(f"/m/{pair.match}")
    expect(pair.x.button("Go to the rematch")).to_be_visible()
    expect(pair.x.page.locator("#rematch")).to_be_hidden()


def test_a_rematch_is_declined_offered_anew_and_accepted_by_a_late_player(
    new_person: NewPerson, server: Running
) -> None:
    created = server.create("classic", "open", "open", clock={"initial_seconds": 600})
    pair = Pair(created["match"], new_person("Ann"), new_person("Ben"))
    for seat, person in (("1", pair.x), ("2", pair.o)):
        person.join(created["links"]["invite"][seat])
    pair.x.resign()
    pair.x.button("Rematch").click()
    pair.x.page.wait_for_url(lambda url: pair.match not in url)
    declined = pair.x.page.url
    pair.o.button("Decline").click()
    pair.x.page.wait_for_url(lambda url: pair.match in url)  # back where the other player is
    pair.x.page.goto(declined)  # as if the page had opened only after it was declined
    pair.x.page.wait_for_url(lambda url: pair.match in url)
    for person in (pair.x, pair.o):
        expect(person.page.locator("#rematch p")).to_have_text("The rematch was declined.")
    pair.o.button("Rematch").click()
    pair.o.page.wait_for_url(lambda url: pair.match not in url)
    expect(pair.o.connection).to_have_text("Connected")
    pair.o.page.goto("about:blank")
    pair.x.button("Accept").click()
    expect(pair.x.status).to_have_text("Waiting for Ben to accept the rematch.")
    expect(pair.x.playable).to_have_count(0)
    pair.o.page.goto(pair.x.page.url)
    pair.o.button("Accept").click()
    expect(pair.o.status).to_have_text("Your turn: choose a cell.")


def test_in_swap_nine_the_signs_stay_in_a_rematch_and_o_starts(new_pair: NewPair) -> None:
    pair = new_pair(SWAP_NINE)
    pair.play(*short_game(SWAP_NINE).plies)
    pair.x.button("Rematch").click()
    pair.x.page.wait_for_url(lambda url: pair.match not in url)
    pair.o.button("Accept").click()
    expect(pair.o.status).to_contain_text("Your turn")
    pair.o.press(4)
    expect(pair.x.moves).to_have_text(["O centre"])


def test_a_seat_is_moved_to_another_device(new_person: NewPerson, new_pair: NewPair) -> None:
    pair, phone = new_pair(CLASSIC), new_person()
    phone.page.goto(pair.x.handover_link())
    expect(pair.x.notice).to_contain_text("Your seat was moved to another device.")
    expect(pair.x.playable).to_have_count(0)
    phone.press(4)
    expect(pair.o.moves).to_have_text(["X centre"])
    assert "code" not in phone.page.url


def test_a_move_is_taken_back_when_the_other_agrees(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.x.press(0)
    pair.x.button("Ask to take back").click()
    expect(pair.o.page.locator("#offer")).to_contain_text("Ann asks to take back a move.")
    pair.o.button("Accept").click()
    expect(pair.x.moves).to_have_count(0)
    pair.x.press(4)
    expect(pair.o.moves).to_have_text(["X centre"])


def test_a_draw_is_offered_declined_offered_again_and_accepted(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.x.press(0)
    pair.x.button("Offer a draw").click()
    pair.o.button("Decline").click()
    expect(pair.x.page.locator("#offer")).to_be_hidden()
    expect(pair.x.notice).to_have_text("The offer was declined.")
    expect(pair.x.announcements).to_contain_text("The offer was declined.")
    pair.o.press(4)
    expect(pair.o.moves).to_have_count(2)
    pair.o.button("Offer a draw").click()
    pair.x.button("Accept").click()
    for person in pair.people:
        expect(person.status).to_have_text("A draw: agreed by both players.")


def test_a_player_who_resigns_loses(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.x.resign()
    expect(pair.x.status).to_contain_text("You lost.")
    expect(pair.o.status).to_contain_text("You won.")


def test_a_chat_message_is_shown_as_text(new_pair: NewPair) -> None:
    pair, words = new_pair(CLASSIC), '<img src=x onerror="alert(1)"> & more'
    pair.x.page.get_by_label("Message").fill(words)
    pair.x.button("Send").click()
    expect(pair.o.page.locator("#chat-messages li")).to_have_text([f"Ann (X): {words}"])
    expect(pair.o.page.locator("#chat-messages img")).to_have_count(0)


def test_a_good_game_is_said_after_the_end(new_pair: NewPair) -> None:
    pair = new_pair(CLASSIC)
    pair.play(*short_game(CLASSIC).plies)
    pair.o.page.locator("#chat-text").fill("good game")
    pair.o.page.locator("#chat-text").press("Enter")
    expect(pair.x.page.locator("#chat-messages")).to_contain_text("good game")


def test_on_one_screen_a_move_is_taken_back_at_once_and_resigning_says_who(new_person: NewPerson) -> None:
    person = new_person()
    person.start(CLASSIC, "here")
    person.press(4)
    person.button("Take back").click()
    expect(person.moves).to_have_count(0)
    person.press(0)
    expect(person.moves).to_have_text(["X top-left"])
    person.button("Resign").click()
    expect(person.dialog).to_contain_text("Does O resign?")
    person.dialog.get_by_role("button", name="O resigns").click()
    expect(person.status).to_contain_text("X wins")
    person.button("Rematch").click()
    expect(person.status).to_have_text("X to move: choose a cell.")


def test_against_the_computer_a_move_is_taken_back_at_once_and_the_button_says_so(new_person: NewPerson) -> None:
    ann = new_person()
    ann.choose_game(CLASSIC)
    ann.press(4)
    expect(ann.moves).to_have_count(2)
    expect(ann.button("Ask to take back")).to_have_count(0)
    ann.button("Take back").click()
    expect(ann.moves).to_have_count(0)


def test_against_the_computer_nobody_talks_and_a_spectator_is_told_so(new_person: NewPerson, server: Running) -> None:
    created = server.create("classic", "human", "easy")
    watcher = new_person()
    watcher.watch(created["match"])
    expect(watcher.page.locator("#spectator")).to_have_text("You are watching this match.")
    expect(watcher.page.locator("#spectator")).to_be_visible()
    ann = new_person()
    ann.start(CLASSIC, "computer", side="X")
    expect(ann.button("Resign")).to_be_visible()
    expect(ann.page.locator("#chat")).to_be_hidden()
