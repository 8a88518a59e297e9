"""A large window is used: by the board, by the panes beside it, and by the analysis."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.games import all_games
from ninefold.terminal.tui.analysis_panel import AnalysisPanel
from ninefold.terminal.tui.panels import MovesPanel
from tests.support.async_tests import async_test
from tests.support.tui_person import HUGE, LARGE, SMALL, Person, at_match
from tests.support.tui_scenes import SQUARED, SilentAnalyst, still


@pytest.mark.parametrize("game", list(all_games()))
@async_test
async def test_at_200x60_the_board_and_the_side_use_the_room(game: str, tmp_path: Path) -> None:
    async with at_match(tmp_path, still(game), HUGE) as person:
        board = person.board
        assert board.fit.height >= 0.9 * board.size.height
        assert board.size.height >= 0.9 * HUGE[1]
        side = person.screen.query_one(MovesPanel).size.width
        assert board.fit.width + side >= 0.95 * HUGE[0]


@async_test
async def test_at_200x60_the_analysis_has_more_lines_and_a_larger_graph(tmp_path: Path) -> None:
    sizes = {}
    for size in (SMALL, LARGE, HUGE):
        async with at_match(tmp_path, still("squared", SQUARED), size, make_analyst=SilentAnalyst) as person:
            await person.press("a")
            pane, lines = person.screen.query_one(AnalysisPanel).size, person.screen.analysis.analyst.lines
            sizes[size] = *pane, lines, graph(person)
    assert sizes[SMALL] < sizes[LARGE] < sizes[HUGE]
    width, height, lines, rows = sizes[HUGE]
    assert width >= 80
    assert height >= 30
    assert lines > sizes[LARGE][2] == sizes[SMALL][2]
    assert rows > 2 * sizes[LARGE][3]


def graph(person: Person) -> int:
    """The rows of the graph, from the X of its side to the O."""
    rows = ["".join(run.text for run in row) for row in person.screen.query_one(AnalysisPanel).draw().rows()]
    ends = [number for number, row in enumerate(rows) if row.startswith(("X ", "O "))]
    return ends[-1] - ends[-2] + 1


@async_test
async def test_a_narrower_window_gives_the_side_less_but_keeps_the_board(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared"), HUGE) as person:
        drawn = person.board.fit
        await person.resize(160, 60)
        assert person.board.fit == drawn
        await person.resize(*SMALL)
        await person.until(lambda: person.screen.query_one(MovesPanel).size.width == 38)
