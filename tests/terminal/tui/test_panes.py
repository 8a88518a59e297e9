"""Beside the board: who plays, whose turn it is where one looks, and what was played, said and claimed."""

from __future__ import annotations

from pathlib import Path

from ninefold.terminal.tui.panes import Moves
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import LARGE, Person, at_table, local
from tests.terminal.tui.scenes import Still, still


def row_with(person: Person, text: str) -> str:
    return next(line for line in person.lines if text in line)


def seated(moves: str, x: str, o: str) -> Still:
    """O's own seat at a table far away."""

    class Seated(Still):
        is_online = True
        seats = (2,)

    table = still("classic", moves, x, o)
    table.__class__ = Seated
    return table


@on_a_loop
async def test_an_old_verdict_stays_as_it_was_said(tmp_path: Path) -> None:
    async with at_table(tmp_path, local("agents"), LARGE) as person:
        await person.press(*"00112210", "c", "1", "x", "y")
        moves = person.screen.query_one(Moves)
        verdict = moves.render().plain.partition("The referee: the claim is false.")[2]
        assert "O breaks" in verdict
        await person.press(*"01", "c", "4", "o", "y")
        assert verdict in moves.render().plain


@on_a_loop
async def test_who_looks_back_sees_whose_turn_it_was(tmp_path: Path) -> None:
    async with at_table(tmp_path, still("classic", "5 1 2", "Ann", "Bob")) as person:
        assert "▶ O" in row_with(person, "Bob")
        await person.press("comma")
        assert "▶ X" in row_with(person, "Ann")
        assert "▶" not in row_with(person, "Bob")


@on_a_loop
async def test_far_away_it_is_said_which_seat_is_ones_own(tmp_path: Path) -> None:
    async with at_table(tmp_path, seated("5", "Ann", "Bob")) as person:
        assert "Bob (you)" in person.text
        assert "Ann (you)" not in person.text


@on_a_loop
async def test_a_name_of_wide_characters_takes_one_row_only(tmp_path: Path) -> None:
    async with at_table(tmp_path, seated("5", "名" * 40, "石" * 40)) as person:
        assert "名名名" in row_with(person, "X  ")
        assert "石 (you)" in row_with(person, "O  ")


@on_a_loop
async def test_an_answer_after_something_was_said_has_its_number(tmp_path: Path) -> None:
    async with at_table(tmp_path, local("agents")) as person:
        await person.press(*"00", "c", "1", "x", "y", *"11")
        assert "1... [1,1]" in person.text
