"""What is sent to the terminal, whose connection may be slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.terminal.tui.board import BoardWidget
from ninefold.terminal.tui.gallery import Gallery
from tests.support.async_tests import async_test
from tests.support.tui_person import at_match, at_screen
from tests.support.tui_scenes import SQUARED, still
from tests.support.tui_snapshots import as_text


def repainted_rows(widget: Gallery | BoardWidget) -> set[int]:
    """The rows of the screen that a widget has marked, before they are shown."""
    return {row for region in widget._repaint_regions for row in region.line_range}


@async_test
async def test_a_step_of_a_small_board_repaints_only_its_own_rows(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        gallery = person.app.screen.query_one(Gallery)
        gallery.step()  # after a resize, all of it
        await person.settle()
        gallery.step()
        assert 1 <= len(repainted_rows(gallery)) <= 5


@async_test
async def test_moving_the_cursor_repaints_only_two_squares(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared", "55 51 17 72")) as person:
        board = person.board
        before = person.lines
        board.point(board.cursor - 1)
        marked = repainted_rows(board)
        board.refresh()  # all of it, to compare with
        await person.settle()
        changed = {row for row, line in enumerate(person.lines) if line != before[row]}
        top = board.region.y
        assert changed - {row + top for row in marked} <= set(range(20, 24))  # the words below the board
        assert len(marked) < board.size.height


@pytest.mark.parametrize(
    ("game", "moves", "keys"),
    [
        ("squared", SQUARED, ("t",)),
        ("squared", SQUARED, ("comma", "comma")),
        ("squared", SQUARED, ("f3",)),
        ("agents", "[1,1]", ("l",)),
    ],
)
@async_test
async def test_partial_repaints_end_with_the_same_screen_as_a_full_one(
    tmp_path: Path, game: str, moves: str, keys: tuple[str, ...]
) -> None:
    async with at_match(tmp_path, still(game, moves)) as person:
        before = as_text(person)
        await person.press(*keys)
        seen = as_text(person)
        assert seen != before
        person.board.on_resize()  # nothing is remembered
        person.board.notify_style_update()
        person.board.refresh()
        await person.settle()
        assert as_text(person) == seen
