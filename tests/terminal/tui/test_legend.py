"""The signs on the board are explained on the page behind the question mark, as they are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.games import all_games
from ninefold.terminal.tui.canvas import CORNERS, DASHED, DOUBLE, HEAVY, OPEN_DASHED, ROUND, FrameStyle
from ninefold.terminal.tui.dialogs import PageDialog
from ninefold.terminal.tui.legend import describe_signs
from tests.support.async_tests import async_test
from tests.support.tui_person import HUGE, at_match, at_screen
from tests.support.tui_scenes import still

COLUMNS = 79  # of the page in a window of 80 columns, beside its scrollbar


def top(frame: FrameStyle) -> str:
    return f"{frame.corners[0]}{frame.row}{frame.corners[1]}"


@pytest.mark.parametrize("game", all_games())
@async_test
async def test_the_page_explains_the_full_screen_and_not_the_console(game: str, tmp_path: Path) -> None:
    async with at_match(tmp_path, still(game), HUGE) as person:
        await person.press("question_mark")
        assert isinstance(person.app.screen, PageDialog)
        assert "/---" not in person.text
        assert "framed with" not in person.text
        assert "The signs on the board" in person.text
        assert "the cursor; a small letter is the mark" in person.text


@async_test
async def test_the_first_screen_explains_the_same_signs(tmp_path: Path) -> None:
    async with at_screen(tmp_path, HUGE) as person:
        await person.press("4", "question_mark")
        assert "heavy frame: this board may be played" in person.text
        assert "framed with" not in person.text


def test_every_frame_is_shown_as_it_is_drawn() -> None:
    big = describe_signs(all_games()["squared"])
    small = describe_signs(all_games()["swap-nine"], claims=True)
    assert all(top(frame) in big for frame in (HEAVY, DOUBLE, OPEN_DASHED))
    assert all(top(frame) in small for frame in (HEAVY, DOUBLE, DASHED, ROUND, CORNERS))
    assert top(DOUBLE) not in describe_signs(all_games()["classic"])


@pytest.mark.parametrize("game", all_games())
def test_no_line_is_wrapped_in_80_columns(game: str) -> None:
    assert max(map(len, describe_signs(all_games()[game], claims=True).splitlines())) <= COLUMNS
