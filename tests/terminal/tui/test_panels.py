"""Beside the board: the players, whose turn it is in the position that is looked at, moves, talk and claims."""

from __future__ import annotations

from pathlib import Path

from ninefold.terminal.tui.panels import MovesPanel
from tests.support.async_tests import async_test
from tests.support.tui_person import LARGE, Person, at_match, local
from tests.support.tui_scenes import StillSession, still


def row_with(person: Person, text: str) -> str:
    return next(line for line in person.lines if text in line)


def remote_seat(moves: str, x: str, o: str) -> StillSession:
    """O's seat in a match on a server."""
    return still("classic", moves, x, o, is_remote=True, seats=(2,))


@async_test
async def test_an_old_verdict_stays_as_it_was(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("agents"), LARGE) as person:
        await person.press(*"00112210", "c", "1", "x", "y")
        moves = person.screen.query_one(MovesPanel)
        verdict = moves.render().plain.partition("The referee: the claim is false.")[2]
        assert "O breaks" in verdict
        await person.press(*"01", "c", "4", "o", "y")
        assert verdict in moves.render().plain


@async_test
async def test_looking_back_shows_whose_turn_it_was(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2", "Ann", "Bob")) as person:
        assert "▶ O" in row_with(person, "Bob")
        await person.press("comma")
        assert "▶ X" in row_with(person, "Ann")
        assert "▶" not in row_with(person, "Bob")


@async_test
async def test_on_a_server_ones_own_seat_is_marked(tmp_path: Path) -> None:
    async with at_match(tmp_path, remote_seat("5", "Ann", "Bob")) as person:
        assert "Bob (you)" in person.text
        assert "Ann (you)" not in person.text


@async_test
async def test_a_name_of_wide_characters_takes_one_row_only(tmp_path: Path) -> None:
    async with at_match(tmp_path, remote_seat("5", "名" * 40, "石" * 40)) as person:
        assert "名名名" in row_with(person, "X  ")
        assert "石 (you)" in row_with(person, "O  ")


@async_test
async def test_a_reply_after_a_message_has_its_number(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("agents")) as person:
        await person.press(*"00", "c", "1", "x", "y", *"11")
        assert "1... [1,1]" in person.text
