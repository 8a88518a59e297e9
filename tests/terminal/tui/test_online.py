"""Matches on a server: two apps at one board, watching, offers, and a connection that is lost and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from ninefold.client import Link, RemoteSeat
from ninefold.client.remote import RemoteSession
from ninefold.match import actions
from ninefold.terminal import saves
from tests.support.async_tests import async_test
from tests.support.relay import relay
from tests.support.server_process import Serving, serving
from tests.support.short_games import LONG_GAME, MOVES
from tests.support.tui_person import Person, at_screen, kinds, typed


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


async def join(person: Person, link: Link, name: str) -> None:
    """From the first screen, by the link that somebody was given."""
    await person.press("j")
    await person.paste(str(link))
    await person.press("tab")
    await person.paste(name)
    await person.press("enter")
    await person.sees("● connected")


def invited(server: Serving) -> tuple[RemoteSeat, Link]:
    """The seat of Ann, who plays X and starts, and the invitation for O."""
    created = server.client().create("classic", names=("Ann", ""), first="X")
    return created.seats[1], created.invitations[2]


@pytest.mark.parametrize(
    ("game", "moves"),
    [("swap-nine", "5 2x5 8 4 1x4 7x4 9 3 6x5"), ("squared", MOVES["squared"])],
    ids=["a swap is declined", "boards are chosen"],
)
@async_test
async def test_two_apps_play_a_match_to_its_end(server: Serving, tmp_path: Path, game: str, moves: str) -> None:
    invitations = server.client().create(game, ("open", "open"), clock=(300, 0), first="X").invitations

    async def one(name: str, seat: int) -> list[str]:
        async with at_screen(tmp_path / name) as person:
            await join(person, invitations[seat], name)
            await person.sees("5:00")
            for ply, move in enumerate(moves.split()):
                if ply % 2 == seat - 1:
                    await play(person, ply, move)
            await person.sees("wins:")
            assert "Ann" in person.text
            assert "Bob" in person.text
            return person.moves

    assert await together(one("Ann", 1), one("Bob", 2)) == [moves.split()] * 2


@async_test
async def test_two_apps_claim_dispute_and_confirm(server: Serving, tmp_path: Path) -> None:
    invitations = server.client().create("agents", ("open", "open"), first="O").invitations

    async def ann() -> list[str]:
        async with at_screen(tmp_path / "Ann") as person:
            await join(person, invitations[1], "Ann")
            await play(person, 1, "[1,1]")
            await play(person, 3, "[1,2]")
            await person.until(lambda: may_play(person, 5))
            await person.press("c", "2", "enter")
            await person.sees("Bob (O) disputes: not yet. The referee: the claim is false.")
            await person.sees("Ann (X), is [0,0] [0,1] [0,2] a line of O?")
            await person.press("y")
            await person.sees("O wins: a true claim")
            return kinds(person.match)

    async def bob() -> list[str]:
        async with at_screen(tmp_path / "Bob") as person:
            await join(person, invitations[2], "Bob")
            for ply, move in ((0, "[0,0]"), (2, "[0,1]"), (4, "[0,2]")):
                await play(person, ply, move)
            await person.sees("Bob (O), is [1,0] [1,1] [1,2] a line of X?")
            await person.press("n")
            await person.paste("not yet")
            await person.press("enter")
            await person.sees("The referee: the claim is false.")
            await person.press("c", "1", "enter")
            await person.sees("O wins: a true claim")
            return kinds(person.match)

    happened = ["move"] * 5 + ["claim", "dispute", "settle", "claim", "confirm", "settle"]
    assert await together(ann(), bob()) == [happened] * 2


@async_test
async def test_a_match_of_sixty_moves_downloads_the_log_once(tmp_path: Path) -> None:
    with relay() as between, serving(tmp_path / "data", "--public-url", between.url) as server:
        between.target = server.port
        created = server.client().create("squared", names=("Ann", ""), first="X")
        ann = created.seats[1]
        async with at_screen(tmp_path / "home") as person:
            await join(person, created.invitations[2]._replace(server=between.url), "Bob")
            for ply, move in enumerate(LONG_GAME.split()):
                if ply % 2:
                    await play(person, ply, move)
                else:
                    await asyncio.to_thread(ann.my_turn)
                    await asyncio.to_thread(ann.play, move)
            await person.until(lambda: len(person.moves) == 60)
            assert person.moves == LONG_GAME.split()
        assert between.count("/log") == 1
        assert between.count("/actions") == 30


async def together(*people: Coroutine[Any, Any, list[str]]) -> list[list[str]]:
    """Each at a screen of their own."""
    return await asyncio.gather(*map(asyncio.create_task, people))


async def play(person: Person, ply: int, move: str) -> None:
    """A move, when it is time for it."""
    await person.until(lambda: may_play(person, ply))
    await person.press(*typed(person.match, person.match.game.parse_move(move)))


def may_play(person: Person, ply: int) -> bool:
    return len(person.moves) == ply and person.board.is_live


@async_test
async def test_a_lost_connection_is_shown_and_opened_again(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ann, invitation = invited(server)
        async with at_screen(tmp_path / "home") as person:
            await join(person, invitation, "Bob")
            await asyncio.to_thread(ann.my_turn)
            await asyncio.to_thread(ann.play, "5")
            await person.sees("choose a cell (1 2 3 4 6 7 8 9)")
            await asyncio.to_thread(server.kill)
            await person.sees("○ reconnecting ...")
            await person.press("1")  # while nobody is there
            assert "It is sent when the connection is back ..." in person.text
            await asyncio.to_thread(server.start)
            await person.until(lambda: person.moves == ["5", "1"])
            await person.sees("● connected")
            assert len((await asyncio.to_thread(ann.match)).events) == 2


@pytest.mark.parametrize(("key", "private"), [("w", False), ("w", True), ("j", True)])
@async_test
async def test_a_match_is_watched(server: Serving, tmp_path: Path, key: str, private: bool) -> None:
    created = server.client().create("classic", ("human", "human"), private=private)

    async with at_screen(tmp_path / "home") as person:
        await person.press(key)
        await person.paste(str(created.watch))
        await person.press(*["enter"] * (2 if key == "j" else 1))  # a name may be given there
        await person.sees("watching  ● connected")
        await asyncio.to_thread(created.seats[1].play, "5")
        await person.until(lambda: person.moves == ["5"])
        assert "Waiting for Player 2 (O)" in person.text
        await person.press("1")
        assert person.moves == ["5"]


@async_test
async def test_offers_are_made_and_answered(server: Serving, tmp_path: Path) -> None:
    ann, invitation = invited(server)

    async with at_screen(tmp_path / "home") as person:
        await join(person, invitation, "Bob")
        await asyncio.to_thread(ann.my_turn)
        await asyncio.to_thread(ann.play, "5")
        await person.until(lambda: person.moves == ["5"])
        await asyncio.to_thread(ann.act, actions.OFFER_TAKE_BACK)
        await person.sees("Ann (X) offers to take back a move. Do you accept?")
        await person.press("n")
        await person.sees("Bob (O) declines.")
        await person.press("1")
        await person.until(lambda: person.moves == ["5", "1"])
        await person.press("u")
        await person.sees("Bob (O) offers to take back a move.")
        await asyncio.to_thread(ann.view)
        await asyncio.to_thread(ann.act, actions.ACCEPT)
        await person.until(lambda: person.moves == ["5"])
        await asyncio.to_thread(ann.view)
        await asyncio.to_thread(ann.say, "as you like")
        await person.press("1")
        await person.until(lambda: person.moves == ["5", "1"])
        await asyncio.to_thread(ann.view)
        await asyncio.to_thread(ann.act, actions.OFFER_TAKE_BACK)
        await person.sees("Ann (X) offers to take back 2 moves. Do you accept?")
        await person.press("y")
        await person.until(lambda: person.moves == [])
        assert "Ann (X) says: as you like" in person.text
        await asyncio.to_thread(ann.view)
        await asyncio.to_thread(ann.play, "5")
        await person.until(lambda: person.moves == ["5"])
        assert all(key in person.lines[-1] for key in ("d draw", "r resign", "s say", "e leave"))
        await asyncio.to_thread(ann.view)
        await asyncio.to_thread(ann.act, actions.OFFER_DRAW)
        await person.sees("Ann (X) offers a draw. Do you accept?")
        await person.press("y")
        await person.sees("A draw: agreed by both players.")


@async_test
async def test_players_talk_and_one_resigns(server: Serving, tmp_path: Path) -> None:
    ann, invitation = invited(server)

    async with at_screen(tmp_path / "home") as person:
        await join(person, invitation, "Bob")
        await person.press("h")
        await person.sees("There are no hints against a person. Against the computer there are.")
        await asyncio.to_thread(ann.say, "good [b]luck[/b]")
        await person.sees("Ann (X) says: good [b]luck[/b]")
        await person.press("s")
        await person.paste("you too")
        await person.press("enter")
        await person.sees("Bob (O) says: you too")
        await person.press("r", "n")
        assert person.match.result is None
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")


@async_test
async def test_a_rematch_is_played_left_and_continued(server: Serving, tmp_path: Path) -> None:
    ann, invitation = invited(server)
    home = tmp_path / "home"

    async with at_screen(home) as person:
        await join(person, invitation, "Bob")
        await person.press("r", "y")
        await person.sees("X wins: O resigned.")
        await person.press("g")
        again = await asyncio.to_thread(ann.rematch)
        await person.sees("Bob (X), choose a cell")
        await person.press("5")
        await asyncio.to_thread(again.my_turn)
        await asyncio.to_thread(again.play, "1")
        await person.until(lambda: person.moves == ["5", "1"])
        await person.until(lambda: len(saves.list_saved(home)) == 1)  # the other one has ended
        await person.press("e", "c")
        await person.sees(" online")
        await person.press("enter")
        await person.sees("● connected")
        assert person.moves == ["5", "1"]
        continuation = person.screen.session.continuation
        assert (continuation.link, continuation.rematches) == (str(invitation), 1)


@async_test
async def test_a_player_waits_for_an_open_seat_and_sees_who_is_disconnected(server: Serving, tmp_path: Path) -> None:
    created = server.client().create("classic", names=("Ann", ""))
    code = created.seats[1].handover()

    async with at_screen(tmp_path / "home") as person:
        await join(person, code, "")
        assert "Waiting for a player to join ..." in person.text
        assert "nobody yet" in person.text
        assert "disconnected" not in person.text
        bob = await asyncio.to_thread(server.client().join, created.invitations[2], "Bob")
        await person.sees("Bob (O) has joined.")
        changes = bob.changes()
        coming = iter(changes)
        await asyncio.to_thread(next, coming)
        await person.until(lambda: "disconnected" not in person.text)
        await asyncio.to_thread(changes.close)
        await person.sees("(disconnected)")


@async_test
async def test_a_seat_is_continued_from_the_list_of_games(server: Serving, tmp_path: Path) -> None:
    _, invitation = invited(server)

    async with at_screen(tmp_path / "home") as person:
        await join(person, invitation, "Bob")
        await person.press("e", "c")
        await person.sees(" online")
        assert "invite" not in person.text  # the secret is not shown
        await person.press("enter")
        await person.sees("● connected")
        assert person.screen.session.state.seats == (2,)
    (saved,) = saves.list_saved(tmp_path / "home")
    assert saved.file.stat().st_mode & 0o777 == 0o600


@async_test
async def test_a_seat_that_was_moved_to_another_device_says_so(server: Serving, tmp_path: Path) -> None:
    _, invitation = invited(server)

    async with at_screen(tmp_path / "home") as person:
        await join(person, invitation, "Bob")
        session = person.screen.session.session
        assert isinstance(session, RemoteSession)
        code = await asyncio.to_thread(session.handover)
        await asyncio.to_thread(server.client().join, code)
        await person.sees("Your seat was moved to another device. Continue there.")


@async_test
async def test_links_that_open_nothing_are_refused(server: Serving, tmp_path: Path) -> None:
    async with at_screen(tmp_path / "home") as person:
        await person.press("j")
        await person.paste(f"{server.url}/m/00ff")
        await person.press("enter", "enter")
        await person.sees("There is no such match.")
        await person.press("escape", "w")
        await person.paste("http://127.0.0.1:1/m/00ff")
        await person.press("enter")
        await person.sees("cannot be reached")
