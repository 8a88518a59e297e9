"""Buttons of the mouse: the left one plays, the others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.async_tests import async_test
from tests.support.tui_person import at_match, local

LEFT, MIDDLE, RIGHT = 1, 2, 3


@pytest.mark.parametrize(("button", "moves"), [(LEFT, ["5"]), (MIDDLE, []), (RIGHT, [])])
@async_test
async def test_only_the_left_button_plays(button: int, moves: list[str], tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        middle = (person.board.size.width // 2, person.board.size.height // 2)
        await person.pilot.click(person.board, offset=middle, button=button)
        await person.settle()
        assert person.moves == moves
