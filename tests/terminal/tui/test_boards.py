"""A board of boards: what is to be seen on it, and what is chosen on it."""

from __future__ import annotations

from pathlib import Path

from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_match, local

DIES = ["71", "17", "72", "27", "73"]  # X wins board 7 with the last of them


def frame(person: Person, board: int) -> str:
    """The left side of a board, where its frame says how it stands."""
    top, left = person.board.fit.block(board)
    row, column = person.board.corner()
    return person.lines[person.board.region.y + row + top + 1][person.board.region.x + column + left]


async def play(person: Person, moves: list[str]) -> None:
    for move in moves:
        await person.press(*(move if "choose a board" in person.text else move[1:]))
    assert person.moves == moves


@async_test
async def test_the_move_that_ends_a_board_is_marked_on_it(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await play(person, DIES)
        assert any("(" in row and ")" in row for row in person.lines[1:6])


@async_test
async def test_the_board_to_be_played_stands_out_when_the_move_under_the_cursor_opens_all(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await play(person, DIES)
        await person.point(8 * 9)  # in board 3, to which O was sent, the cell 7: that board is dead
        assert person.text.count(" X next ") == 8
        assert [board for board in range(9) if frame(person, board) == "┃"] == [8]


@async_test
async def test_a_square_of_another_board_than_was_chosen_chooses_that_board_first(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await person.press("5")
        await person.click(0)
        assert person.moves == []
        await person.sees("choose a cell in board 7")
        await person.click(0)
        assert person.moves == ["77"]


@async_test
async def test_cells_that_are_named_as_on_the_numpad_have_no_other_names(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared"), (120, 40)) as person:
        assert "l numpad" not in person.text
        await person.press("l")
        await person.sees("The cells of this game are always named as on the numpad.")


@async_test
async def test_a_board_of_boards_fits_into_eighteen_rows(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared"), (60, 18)) as person:
        assert sum("┏" in row for row in person.lines) == 3
        assert sum("┗" in row for row in person.lines) == 3
        assert "choose a board" in person.text
        assert "1-9 board" in person.text
