"""Sessions on a server and their threads: the screen shows one moment, and what nobody waits for is closed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.client import RemoteSeat, Server
from ninefold.client.api import ActionResult
from ninefold.client.remote import RemoteSession
from ninefold.core.errors import Unreadable
from ninefold.match import actions
from ninefold.terminal import saves
from ninefold.terminal.tui.session_adapter import RemoteScreenSession
from tests.support.async_tests import async_test
from tests.support.relay import Relay, relay
from tests.support.server_process import Serving, serving
from tests.support.terminals import invited
from tests.support.tui_person import Person, at_match, at_screen
from tests.support.tui_scenes import still
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def relayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Relay]]:
    """A server behind a relay that can hold responses back."""
    folder = tmp_path_factory.mktemp("relayed")
    with relay() as between, serving(folder / "data", "--public-url", between.url) as running:
        between.target = running.port
        yield running, between


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def executors() -> set[threading.Thread]:
    """The threads of sessions on servers, and of those that are being opened."""
    return {thread for thread in threading.enumerate() if thread.name == "ninefold-executor"}


async def enter_link(person: Person, link: object) -> None:
    await person.press("j")
    await person.paste(str(link))
    await person.press("enter", "enter")


@async_test
async def test_the_screen_shows_a_new_state_in_the_loop_and_as_a_whole(server: Serving) -> None:
    ann, invitation = invited(server)
    changes: list[tuple[frozenset[int], int | None, str]] = []
    news: list[str] = []
    session = RemoteScreenSession(await asyncio.to_thread(RemoteSession, ann))

    def changed() -> None:
        state = session.state
        changes.append((state.open_seats, state.to_act, state.match.setup.display_name(2)))

    session.start(changed, news.append)
    server.client().join(invitation, "Bob")  # while the loop stands
    state = session.session.state
    while state.open_seats:
        state = session.session.wait(state, PATIENCE)
    assert session.state.open_seats == {2}  # the listener knows more than the screen
    while not news:
        await asyncio.sleep(0)
    assert news == ["Bob (O) has joined."]
    assert set(changes) <= {(frozenset({2}), None, "Player 2"), (frozenset(), 1, "Bob")}
    session.close()


@async_test
async def test_a_seat_that_is_taken_after_the_dialog_was_closed_is_among_the_saved_games(
    relayed: tuple[Serving, Relay], tmp_path: Path
) -> None:
    server, between = relayed
    ann, invitation = invited(server)

    async with at_screen(tmp_path) as person:
        before = executors()
        with between.holding("/join") as held:
            await enter_link(person, invitation._replace(server=between.url))
            await person.until(held.is_set)
            await person.press("escape")
            assert "Join by link" in person.text
        await person.until(lambda: executors() <= before)
        assert ann.view()["status"] == "live"  # the server had received the request
        await person.press("c")
        await person.sees(" online")
        await person.press("enter")
        await person.sees("● connected")


@async_test
async def test_a_refusal_after_the_dialog_was_closed_disturbs_nobody(
    relayed: tuple[Serving, Relay], tmp_path: Path
) -> None:
    _, between = relayed

    async with at_screen(tmp_path) as person:
        before = executors()
        with between.holding("/join") as held:
            await enter_link(person, f"{between.url}/m/00ff")
            await person.until(held.is_set)
            await person.press("escape")
        await person.until(lambda: executors() <= before)
        await person.press("j")
        assert "The link that you were given" in person.text


@async_test
async def test_a_rematch_that_comes_after_leaving_is_closed_and_saved(
    relayed: tuple[Serving, Relay], tmp_path: Path
) -> None:
    server, between = relayed
    _, invitation = invited(server)

    async with at_screen(tmp_path) as person:
        before = executors()
        await enter_link(person, invitation._replace(server=between.url))
        await person.sees("● connected")
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")
        with between.holding("/rematch") as held:
            await person.press("g")
            await person.until(held.is_set)
            await person.press("e")
        await person.until(lambda: executors() <= before)
    assert [one.title for one in saves.list_saved(tmp_path) if isinstance(one, saves.SavedLink)] == ["Tic-Tac-Toe"]


@async_test
async def test_talk_is_shown_while_a_game_is_analysed_and_the_analysis_continues(
    server: Serving, tmp_path: Path
) -> None:
    ann, invitation = invited(server)

    async with at_screen(tmp_path) as person:
        await enter_link(person, invitation)
        await person.sees("● connected")
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")
        await person.press("a")
        await asyncio.to_thread(ann.say, "good game")
        await person.sees("Ann (X) says: good game")
        await person.sees("exact")


@async_test
async def test_an_action_that_could_not_be_sent_may_not_have_arrived(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        created = server.client().create("classic", ("human", "human"))
        seat = created.seats[1]
        impatient = RemoteSeat(Server(server.url, timeout=0.0), seat.id, seat.token or "", 1)
        session = RemoteScreenSession(await asyncio.to_thread(RemoteSession, impatient))
        news: list[str] = []
        session.start(lambda: None, news.append)
        server.kill()
        session.act(1, actions.move(4))
        assert session.is_sending
        while session.is_sending:
            await asyncio.sleep(0)
        unsure = f"The server at {server.url} cannot be reached. Your last action may not have arrived."
        assert unsure in news
        session.close()


class SlowSeat(RemoteSeat):
    """A seat whose server answers late: the socket brings the event of an action before the response comes."""

    def __init__(self, seat: RemoteSeat, answers: threading.Event) -> None:
        super().__init__(seat.server, seat.id, seat.token or "", seat.number)
        self._answers = answers

    def act(self, *arguments: Any, **more: Any) -> ActionResult:
        result = super().act(*arguments, **more)
        assert self._answers.wait(PATIENCE)
        return result


@async_test
async def test_the_player_may_move_once_the_socket_has_delivered_what_they_said(
    server: Serving, tmp_path: Path
) -> None:
    ann, invitation = invited(server)
    server.client().join(invitation, "Bob")
    answers = threading.Event()
    remote = await asyncio.to_thread(RemoteSession, SlowSeat(ann, answers))
    async with at_match(tmp_path, RemoteScreenSession(remote)) as person:
        await person.sees("● connected")
        await person.press("s")
        await person.paste("hello")
        await person.press("enter")
        await person.sees("says: hello")
        await person.press("1")
        answers.set()
        await person.until(lambda: person.moves == ["1"])


@async_test
async def test_a_session_that_has_ended_says_why_and_is_closed(tmp_path: Path) -> None:
    ended = Unreadable("not_a_server.socket")
    async with at_match(tmp_path, still("classic", "5", is_remote=True, ended=ended)) as person:
        await person.sees("The server's messages are not those of Ninefold. Check the address.")
        assert "○ closed" in person.text
        assert not person.board.is_live
