"""What is sent to the terminal, which may be at the other end of a slow line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.terminal.tui.board import Board
from ninefold.terminal.tui.gallery import Gallery
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import at_screen, at_table
from tests.terminal.tui.scenes import SQUARED, still
from tests.terminal.tui.snapshots import as_text


def rows_shown_anew(widget: Gallery | Board) -> set[int]:
    """The rows of the screen that a widget has marked, before they are shown."""
    return {row for region in widget._repaint_regions for row in region.line_range}


@on_a_loop
async def test_a_step_of_a_small_board_shows_only_its_own_rows_anew(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        gallery = person.app.screen.query_one(Gallery)
        gallery._step()  # after a resize, all of it
        await person.settle()
        gallery._step()
        assert 1 <= len(rows_shown_anew(gallery)) <= 5


@on_a_loop
async def test_moving_the_cursor_shows_only_what_it_leaves_and_where_it_goes(tmp_path: Path) -> None:
    async with at_table(tmp_path, still("squared", "55 51 17 72")) as person:
        board = person.board
        before = person.lines
        board._point(board.cursor - 1)
        marked = rows_shown_anew(board)
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
@on_a_loop
async def test_what_was_shown_piece_by_piece_is_what_is_drawn_at_once(
    tmp_path: Path, game: str, moves: str, keys: tuple[str, ...]
) -> None:
    async with at_table(tmp_path, still(game, moves)) as person:
        before = as_text(person)
        await person.press(*keys)
        seen = as_text(person)
        assert seen != before
        person.board._rows = person.board._look = None  # nothing is remembered
        person.board.refresh()
        await person.settle()
        assert as_text(person) == seen
