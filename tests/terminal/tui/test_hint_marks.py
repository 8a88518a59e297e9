"""A hint is marked on the board: the cell of the next choice, as long as its position is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.async_tests import async_test
from tests.support.tui_person import HUGE, LARGE, SMALL, Person, at_match
from tests.support.tui_scenes import CLAIMED, still


async def hinted(person: Person) -> frozenset[int]:
    await person.press("h")
    await person.sees("Hint: ")
    return person.board.shown.hint


@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE], ids=str)
@pytest.mark.parametrize("game", ["classic", "squared"])
@async_test
async def test_a_hint_is_marked_without_a_colour(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    async with at_match(tmp_path, still(game, "5 2" if game == "classic" else "55 51"), size) as person:
        assert "▸" not in person.text
        (square,) = await hinted(person)
        await person.point(square)
        assert person.text.count("▸") == person.text.count("◂") == 1
        await person.point((square + 3) % 9 + square // 9 * 9)
        assert person.text.count("▸") == person.text.count("◂") == 1


@async_test
async def test_a_hint_leads_from_choice_to_choice(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "1 2x1")) as person:
        first = await hinted(person)
        sentence = person.screen.message
        assert ", then " in sentence
        place, take = sentence.removeprefix("Hint: ").partition(". ")[0].split(", then ")
        assert first == {int(place) - 1}
        await person.press(place)
        assert person.board.shown.hint == {int(take) - 1}
        await person.press("escape")
        assert person.board.shown.hint == first
        await person.press(place, take)
        assert person.board.shown.hint == frozenset()


@async_test
async def test_a_mark_belongs_to_its_position(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 2")) as person:
        await hinted(person)
        await person.press("comma")
        assert "▸" not in person.text
        await person.press("end")
        assert "▸" in person.text
        await person.press("9")
        assert "▸" not in person.text


@async_test
async def test_a_hint_to_claim_marks_the_line(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", f"{CLAIMED} [2,2]")) as person:
        assert await hinted(person) == {0, 1, 2}
