"""Swap Nine's second step: seen before it is made, taken, declined, refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.async_tests import async_test
from tests.support.tui_person import LARGE, Person, at_match, local
from tests.support.tui_scenes import still


async def at_a_swap(person: Person) -> None:
    await person.press("5", "2")
    assert "enter the number of the marker to swap (5), or nothing" in person.text
    assert person.moves == ["5"]


@pytest.mark.parametrize(
    ("keys", "move"),
    [(("5",), "2x5"), (("down", "enter"), "2x5"), (("enter",), "2"), (("2",), "2"), (("escape", "8", "enter"), "8")],
    ids=["by digit", "with the cursor", "declined with enter", "declined with its digit", "another one after all"],
)
@async_test
async def test_a_swap_is_a_second_step_that_can_be_declined(tmp_path: Path, keys: tuple[str, ...], move: str) -> None:
    async with at_match(tmp_path, local("swap-nine")) as person:
        await at_a_swap(person)
        await person.press(*keys)
        assert person.moves == ["5", move]


@async_test
async def test_a_swap_is_seen_before_it_is_made(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("swap-nine")) as person:
        await at_a_swap(person)
        assert "╌╌╌" in person.text
        assert "X→O" not in person.text
        await person.press("down")
        assert "X→O" in person.text
        await person.press("up")
        assert "X→O" not in person.text
        assert person.moves == ["5"]


@async_test
async def test_a_wrong_swap_is_refused(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5 9")) as person:
        await person.press("8", "5")
        assert "There is no marker of O on cell 5. From 8 you can take: 9." in person.text
        assert person.board.way == (7,)
        assert person.moves == ["5", "9"]


@async_test
async def test_a_digit_does_what_enter_does_on_its_cell(tmp_path: Path) -> None:
    for digit in "123456789":
        played = []
        for keys in ((digit,), ("enter",)):
            async with at_match(tmp_path, local("swap-nine")) as person:
                await at_a_swap(person)
                await person.point(int(digit) - 1)
                await person.press(*keys)
                played.append((person.moves, person.board.way))
        assert played[0] == played[1], digit


@async_test
async def test_the_digits_that_place_another_marker_are_offered(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("swap-nine"), LARGE) as person:
        await at_a_swap(person)
        assert "1 3 4 6-9 place instead" in person.lines[-1]
        await person.press("9")
        assert person.moves == ["5", "9"]


@async_test
async def test_another_cell_in_the_middle_of_a_move_starts_the_move_over(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("swap-nine")) as person:
        await at_a_swap(person)
        await person.click(7)
        assert person.board.way == (7,)
        assert "enter the number of the marker to swap (5), or nothing" in person.text
        await person.press("left", "enter")  # from where nothing can be swapped
        assert person.moves == ["5", "7"]


@async_test
async def test_a_taken_cell_that_cannot_be_swapped_is_refused(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5 9")) as person:
        await person.press("8")
        assert person.board.way == (7,)
        await person.click(4)
        assert "There is no marker of O on cell 5. From 8 you can take: 9." in person.text
        assert person.board.way == (7,)
        assert person.moves == ["5", "9"]


@async_test
async def test_the_keys_of_a_swap_say_what_enter_does_here(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("swap-nine")) as person:
        assert "enter place 5  1-9 place" in person.lines[-1]
        await person.press("5", "up", "right")
        assert "enter place 2" in person.lines[-1]  # a swap is asked for then
        await person.press("enter")
        assert "enter take none  5 take  esc back" in person.lines[-1]
        await person.press("down")
        assert "enter take 5" in person.lines[-1]
        assert person.lines[-1].count("enter") == 1
        await person.press("down")
        assert "enter place 8 instead" in person.lines[-1]


@async_test
async def test_enter_is_not_offered_where_it_would_be_refused(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5 9")) as person:
        await person.press("8", "up")  # a marker of one's own
        assert person.board.way == (7,)
        assert "enter" not in person.lines[-1]


@async_test
async def test_a_placed_marker_is_drawn_at_once(tmp_path: Path) -> None:
    def marks(person: Person) -> int:
        """How many large marks of O are on the board."""
        return person.text.count("█   █")

    async with at_match(tmp_path, local("swap-nine")) as person:
        await person.press("5")
        assert marks(person) == 0
        await person.press("2")
        assert marks(person) == 1
        await person.press("down", "down", "left")  # wherever the cursor is
        assert marks(person) == 1
        assert person.moves == ["5"]
        await person.press("escape")
        assert marks(person) == 0
