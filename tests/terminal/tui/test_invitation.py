"""A match with a friend online, begun on the first screen: the server is asked for, and the link is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ninefold.client import join
from ninefold.core.position import Side
from ninefold.terminal.preferences import PreferencesFile
from ninefold.terminal.qr_code import half_blocks, qr_code
from ninefold.terminal.tui.invitation import InvitationDialog
from tests.support.async_tests import async_test
from tests.support.server_process import Serving
from tests.support.tui_person import LARGE, Person, at_screen

LINK = f"http://192.168.100.200:8090/m/{'0f' * 8}#invite={'x' * 22}"


async def invite(person: Person, address: str) -> None:
    """Choose a friend online as the opponent, and the server."""
    await person.press("down", "right", "right")
    assert "‹ friend online ›" in person.text
    await person.press("enter")
    await person.sees("The address of the server")
    await person.press("ctrl+u")
    await person.paste(address)
    await person.press("enter")


@async_test
async def test_a_friend_is_invited_joins_and_plays(tmp_path: Path, server: Serving) -> None:
    settings = tmp_path / "settings.json"
    async with at_screen(tmp_path, LARGE, preferences=PreferencesFile(settings)) as person:
        await person.press("n")
        await person.paste("Ann")
        await person.press("enter")
        await invite(person, f" {server.url}/ ")
        await person.sees("Invite your friend")
        (file,) = tmp_path.glob("*.link")
        link = json.loads(file.read_text())["invitation"]
        code = qr_code(link)
        assert code
        assert all(row in person.text.replace("\n", " ") for row in half_blocks(code)[2:-2])
        assert link[:20] in person.text
        assert "The address is that of" in person.text

        await person.press("escape")
        await person.sees("Waiting for a player to join")
        await person.press("e")
        await person.sees("Your seat is kept. c on the first screen continues the match.")
        await person.press("c")
        await person.sees("you X, nobody yet")
        await person.press("enter")
        await person.sees("Invite your friend")  # until somebody has come

        with join(link, "Bob") as friend:
            await person.sees("choose a cell")
            await person.until(lambda: not isinstance(person.app.screen, InvitationDialog))
            assert [(seat.side, seat.name) for seat in person.match.setup.seats] == [(Side.X, "Ann"), (Side.O, "Bob")]
            await person.press("5")
            assert friend.my_turn()["asked"] == 2
            friend.play("1")
            await person.until(lambda: len(person.moves) == 2)
            await person.press("e")
            await person.until(lambda: "Bob" in file.read_text())  # which is written beside the loop
            await person.press("c")
            await person.sees("you X, Bob")
            await person.press("enter")
            await person.sees("choose a cell")  # nobody is invited any more
    assert PreferencesFile(settings).current.server == server.url


@async_test
async def test_everything_that_was_chosen_is_in_the_match(tmp_path: Path, server: Serving) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("down", "right", "right", "down", "right", "down", "right", "down", "right", "down", "right")
        assert "‹ 1 min ›" in person.text
        await person.press("enter")
        await person.paste(server.url)
        await person.press("enter")
        await person.sees("Invite your friend")
        setup = person.match.setup
        assert person.screen.session.state.seats == (1,)
        assert (setup.side(1), setup.option("first"), setup.option("early_draw")) == (Side.O, "O", "no")
        clock = person.screen.session.clock()
        assert clock
        assert clock.left[0] == 60_000


@pytest.mark.parametrize(
    ("address", "why"),
    [("nowhere", "is not the address of a server"), ("http://127.0.0.1:1", "cannot be reached")],
    ids=["no address", "no server"],
)
@async_test
async def test_a_server_that_cannot_be_used_is_refused_and_the_form_stays(
    tmp_path: Path, address: str, why: str
) -> None:
    async with at_screen(tmp_path) as person:
        await invite(person, address)
        await person.until(lambda: why in " ".join(person.text.replace("│", " ").split()))
        await person.press("escape")
        assert "friend online" in person.text
    assert not list(tmp_path.glob("*.link"))


@pytest.mark.parametrize("size", [(80, 24), (79, 24), (60, 18), (30, 8)], ids=str)
@async_test
async def test_the_code_is_shown_where_it_fits_and_the_link_always(tmp_path: Path, size: tuple[int, int]) -> None:
    code = qr_code(LINK)
    assert code
    async with at_screen(tmp_path, size) as person:
        await person.app.push_screen(InvitationDialog(LINK, lambda: False))
        await person.settle()
        rows = half_blocks(code)
        fits = size == (80, 24)
        assert (rows[5] in person.text) == fits
        assert ("█" in person.text) == fits
        assert "http://192.168" in person.text


@async_test
async def test_without_colours_the_code_is_made_for_a_dark_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    code = qr_code(LINK)
    assert code
    async with at_screen(tmp_path, LARGE) as person:
        await person.app.push_screen(InvitationDialog(LINK, lambda: False))
        await person.settle()
        row = half_blocks(code)[5].translate(str.maketrans(" ▀▄█", "█▄▀ "))
        assert row in person.text
