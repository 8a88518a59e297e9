"""A table on a server and its threads: what is seen is of one moment, and what nobody waits for is put away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.client import Seat, Server, socket
from ninefold.client.http import no_connection
from ninefold.core.strict_json import read_json
from ninefold.match import actions
from ninefold.terminal import saves
from ninefold.terminal.tui.distant import Distant
from tests.support.hosted_matches import on_a_loop
from tests.support.server_process import Serving, serving
from tests.support.terminals import invited
from tests.terminal.tui.people import at_screen


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def errands() -> set[threading.Thread]:
    """The threads of tables, and of whoever is on the way to one."""
    return {thread for thread in threading.enumerate() if thread.name == "ninefold-errands"}


@on_a_loop
async def test_what_the_screen_sees_changes_in_the_loop_and_all_at_once(server: Serving) -> None:
    ann, invitation = invited(server)

    told: list[str] = []
    table = Distant(ann)
    table._tell = told.append
    await asyncio.to_thread(server.client().join, invitation, "Bob")
    await asyncio.to_thread(lambda: table._remote._look(ann.view()))  # as the thread of the errands does
    assert table.is_free(2)
    assert table.waits_for == "Waiting for somebody to sit down ..."
    assert (table.to_act, table.match.setup.display_name(2), told) == (None, "Player 2", [])
    await table._hear()
    assert not table.is_free(2)
    assert (table.to_act, table.match.setup.display_name(2), told) == (1, "Bob", ["Bob (O) has sat down."])
    table.close()


class Slow:
    """A call that comes through, but only when it is let."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __get__(self, owner: object, _: object) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            self.begun.set()
            self.may_end.wait()
            return self._call(owner, *given, **named)

        return call


@on_a_loop
async def test_who_turns_back_while_joining_finds_the_seat_among_the_games_and_leaves_nothing_open(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, invitation = invited(server)
    slow = Slow(Server.join)

    async with at_screen(tmp_path) as person:
        before = errands()
        with monkeypatch.context() as patch:
            patch.setattr(Server, "join", slow)
            await person.press("j")
            await person.paste(str(invitation))
            await person.press("enter", "enter")
            await person.until(slow.begun.is_set)
            await person.press("escape")
            assert "Join by link" in person.text
            slow.may_end.set()
            await person.until(lambda: errands() <= before)
        assert ann.view()["status"] == "live"  # the server had been asked already
        await person.press("c")
        await person.sees("on a server")
        await person.press("enter")
        await person.sees("● connected")


@on_a_loop
async def test_who_turns_back_before_a_join_is_refused_is_not_disturbed(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(Server.join)
    monkeypatch.setattr(Server, "join", slow)

    async with at_screen(tmp_path) as person:
        before = errands()
        await person.press("j")
        await person.paste(f"{server.url}/m/00ff")
        await person.press("enter", "enter")
        await person.until(slow.begun.is_set)
        await person.press("escape")
        slow.may_end.set()
        await person.until(lambda: errands() <= before)
        await person.press("j")
        assert "The link that you were given" in person.text


@on_a_loop
async def test_who_leaves_before_the_rematch_has_come_leaves_nothing_open(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, invitation = invited(server)
    slow = Slow(Seat.rematch)
    monkeypatch.setattr(Seat, "rematch", slow)

    async with at_screen(tmp_path) as person:
        before = errands()
        await person.press("j")
        await person.paste(str(invitation))
        await person.press("enter", "enter")
        await person.sees("● connected")
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")
        await person.press("g")
        await person.until(slow.begun.is_set)
        await person.press("e")
        slow.may_end.set()
        await person.until(lambda: errands() <= before)
    assert [kept.title for kept in saves.all_kept(tmp_path) if isinstance(kept, saves.KeptLink)] == ["Tic-Tac-Toe"]


@pytest.mark.parametrize(
    ("heard", "told"),
    [("[" * 100_000, "The socket does not speak like Ninefold."), ('{"type": "events"}', "The socket does not speak")],
    ids=["too deep", "without what it should have"],
)
@on_a_loop
async def test_a_socket_that_says_something_else_is_not_called_connected(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heard: str, told: str
) -> None:
    ann, invitation = invited(server)

    async with at_screen(tmp_path) as person:
        await person.press("j")
        await person.paste(str(invitation))
        await person.press("enter", "enter")
        await person.sees("● connected")
        monkeypatch.setattr(socket, "read_json", lambda _: read_json(heard))
        await asyncio.to_thread(ann.say, "hello")
        await person.sees(told)
        assert "○ closed" in person.text


@on_a_loop
async def test_what_is_said_while_a_game_is_analysed_is_heard_and_the_analysis_goes_on(
    server: Serving, tmp_path: Path
) -> None:
    ann, invitation = invited(server)

    async with at_screen(tmp_path) as person:
        await person.press("j")
        await person.paste(str(invitation))
        await person.press("enter", "enter")
        await person.sees("● connected")
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")
        await person.press("a")
        await asyncio.to_thread(ann.say, "good game")
        await person.sees("Ann (X) says: good game")
        await person.sees("exact")


@on_a_loop
async def test_of_what_could_not_be_sent_it_is_said_that_it_may_not_have_arrived(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> None:
        raise no_connection(server.url)

    ann, _ = invited(server)
    monkeypatch.setattr(Seat, "act", unreachable)
    told: list[str] = []
    table = Distant(ann)
    table._tell = told.append
    await table._act(1, actions.move(4))
    assert told == [f"The server at {server.url} cannot be reached. Is it running? What you did may not have arrived."]
    table.close()
