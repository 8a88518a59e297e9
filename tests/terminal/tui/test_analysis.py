"""Analysis beside the board: exact in the small games, live in the big ones, and a graph of the game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.analysis.evaluation import Analysis, Search, analyze
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.match import move_input
from ninefold.terminal.tui.analysis_panel import AnalysisPanel, draw_graph
from ninefold.terminal.tui.analyst import BATTERY_LIMIT, LIMIT, AnalysisReport, Analyst, search_limit
from ninefold.terminal.tui.board_picture import draw_grid
from ninefold.terminal.tui.canvas import Canvas
from ninefold.terminal.tui.scene import BoardScene, fit
from tests.support.async_tests import async_test
from tests.support.short_games import MOVES
from tests.support.tui_person import LARGE, Person, at_match, local
from tests.support.tui_scenes import SQUARED, SilentAnalyst, still

QUICK = Search(nodes=500, lines=1, memory=2**20)


def report(person: Person) -> AnalysisReport | None:
    return person.screen.analysis.report


def pane(person: Person) -> list[str]:
    """The rows of the analysis."""
    return ["".join(run.text for run in row) for row in person.screen.query_one(AnalysisPanel).draw().rows()]


def thinking() -> list[threading.Thread]:
    """The threads of computers, analyses and hints."""
    names = ("ninefold-computer", "ninefold-task")
    return [thread for thread in threading.enumerate() if thread.name in names]


@async_test
async def test_every_move_of_a_small_game_has_its_exact_value_in_the_list_and_on_the_board(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("a")
        await person.sees("exact")
        assert "draw        8" in person.text
        assert "loss in 2   3 4 6 7 9" in person.text
        assert person.text.count("-2") == 5
        await person.press("a")
        assert "loss in 2" not in person.text


@async_test
async def test_no_move_is_cut_off_where_there_are_many(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5 1 9")) as person:
        await person.press("a")
        await person.sees("exact")
        named = " ".join(row[12:] for row in pane(person)[2:7]).split()
        moves = person.match.position.moves()
        assert sorted(named) == sorted(map(person.match.game.name, moves))


@async_test
async def test_the_list_of_moves_names_cells_as_it_was_chosen(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("a")
        await person.sees("draw        8")
        await person.press("l")
        await person.sees("draw        2")


@async_test
async def test_a_second_choice_has_values_of_its_own(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5")) as person:
        await person.press("a")
        await person.sees("exact")
        first = person.board.shown.values
        assert "exact; on cells: best move" in person.text
        await person.press("2")
        await person.until(lambda: set(person.board.shown.values) == {1, 4})  # take none, or the marker
        assert set(first) == {0, 1, 2, 3, 5, 6, 7, 8}
        assert "on cells" not in person.text
        values = {line.name: line.value for line in analyze(person.match.game, person.match.position).lines}
        for cell, move in ((1, "2"), (4, "2x5")):
            value = values[move]
            assert value
            shown = person.board.shown.values[cell]
            assert shown == ("=" if not value.sign else f"{value.sign * (value.distance or 0):+}")
            assert any(f" {shown} " in line for line in person.lines if line.strip())
        await person.press("5")
        assert person.moves == ["5", "2x5"]


def test_the_value_of_a_marker_that_can_be_taken_stands_below_it() -> None:
    scene = BoardScene((Side.X,) + (None,) * 8, options=frozenset({0}), values={0: "+3"})
    rows = ["".join(run.text for run in row) for row in draw_grid(scene, fit(False, 40, 20)).rows()]
    height = fit(False, 40, 20).cell_height
    assert "+3" in rows[height - 1]
    assert not any("+3" in row for row in rows[: height - 1])


@async_test
async def test_variations_are_sorted_while_the_search_goes_on(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared", "55 51"), LARGE, make_analyst=SilentAnalyst) as person:
        await person.press("a")
        position = person.match.position
        found = analyze(person.match.game, position, search=Search(nodes=20_000, lines=3, memory=2**20))
        scored = zip(found.lines, ((100, "+0.05"), (300, "+0.15"), (200, "+0.10")), strict=True)
        lines = tuple(line._replace(score=score, score_text=text) for line, (score, text) in scored)
        person.screen.analysis.receive(AnalysisReport(position, found._replace(lines=lines)))
        await person.settle()
        assert [row.split()[0] for row in pane(person)[2:5]] == ["+0.15", "+0.10", "+0.05"]
        best = move_input.square_at(person.match.game, person.match.game.paths[lines[1].move])
        assert person.board.shown.values == {best: "*"}


@async_test
async def test_a_big_game_is_searched_while_it_is_looked_at(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared", SQUARED[:59]), LARGE) as person:
        await person.press("a")
        await person.until(lambda: (known := report(person)) is not None and known.analysis is not None)
        first = report(person)
        assert first
        assert first.analysis
        assert first.analysis.info
        depth = first.analysis.info.depth
        await person.until(lambda: _depth(person) > depth)
        assert f"depth {_depth(person)}" in person.text
        assert len(first.scores) == len(person.screen.history().positions)
        best = person.match.game.name(first.analysis.lines[0].move)
        assert best in person.text
        await person.press("a")
        await person.until(lambda: not thinking())


def _depth(person: Person) -> int:
    known = report(person)
    return known.analysis.info.depth if known and known.analysis and known.analysis.info else 0


@async_test
async def test_a_search_pauses_at_its_limit_and_goes_on_at_a_key(tmp_path: Path) -> None:
    limits: list[float] = []

    def limit() -> float:
        limits.append(0.2)
        return limits[-1]

    def make_analyst(tell: Callable[[AnalysisReport], None]) -> Analyst:
        return Analyst(tell, graph_search=QUICK, limit=limit)

    async with at_match(tmp_path, still("squared", SQUARED[:59]), make_analyst=make_analyst) as person:
        assert "+ go on" not in person.lines[-1]
        await person.press("a")
        await person.sees("Paused after 0 s. + goes on.")
        assert "+ go on" in person.lines[-1]
        await person.until(lambda: not thinking())
        depth = _depth(person)
        await person.press("plus")
        assert "Paused" not in person.text
        assert _depth(person) >= depth  # what was found stays until there is more
        await person.until(lambda: len(limits) == 2)
        await person.sees("Paused after 0 s. + goes on.")
        assert _depth(person) >= depth
        await person.press("comma")
        assert "Paused" not in person.text  # of another position


@async_test
async def test_what_is_known_exactly_does_not_pause(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("a")
        await person.sees("exact")
        assert "+ go on" not in person.lines[-1]
        await person.press("plus")
        assert "The analysis has not paused." in person.text
        await person.press("a", "plus")
        assert "The analysis is not open. a opens it." in person.text


@pytest.mark.parametrize(
    ("supplies", "seconds"),
    [
        ({}, LIMIT),
        ({"AC": None, "BAT0": "Charging\n"}, LIMIT),
        ({"AC": None, "BAT0": "Full\n", "BAT1": "Discharging\n"}, BATTERY_LIMIT),
    ],
    ids=["no battery", "charging", "on battery"],
)
def test_a_search_is_shorter_on_battery(tmp_path: Path, supplies: dict[str, str | None], seconds: float) -> None:
    for name, status in supplies.items():
        (tmp_path / name).mkdir()
        if status is not None:
            (tmp_path / name / "status").write_text(status, encoding="utf-8")
    assert search_limit(tmp_path) == seconds
    assert search_limit(tmp_path / "missing") == LIMIT
    assert BATTERY_LIMIT < LIMIT


@async_test
async def test_the_analysis_follows_the_moves_and_the_steps(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("a", "5")
        await person.sees("draw        1 3 7 9")
        await person.press("comma")
        await person.sees("draw        1 2 3 4 5 6 7 8 9")
        assert "move 0 of 1" in person.text


@async_test
async def test_the_analysis_follows_the_moves_of_the_computer(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic", o="perfect")) as person:
        await person.press("a", "5")
        await person.until(lambda: len(person.moves) == 2)
        await person.sees("exact")
        await person.press("e")
        assert "Play" in person.text


@async_test
async def test_the_graph_stays_while_a_new_position_is_looked_at(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("a", "5", "2")
        await person.sees("win in 5")
        person.screen.analysis.analyst = SilentAnalyst(lambda _: None)
        await person.press("1")
        assert pane(person)[0].endswith("analyzing ...")
        assert any("█" in row for row in pane(person))


@async_test
async def test_a_click_on_the_graph_goes_to_a_move(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", MOVES["classic"])) as person:
        await person.press("a")
        await person.until(lambda: (known := report(person)) is not None and len(known.scores) == 8)
        pane = person.screen.query_one(AnalysisPanel)
        await person.pilot.click(pane, offset=(2 + 3 * 4, pane.size.height - 3))
        await person.sees("move 3 of 7")


def test_a_graph_has_x_above_and_o_below() -> None:
    canvas = Canvas(30, 7)
    draw_graph(canvas, 0, [0.0, 0.5, 1.0, None, -1.0], ply=2)
    rows = ["".join(run.text for run in row) for row in canvas.rows()]
    assert rows[0].startswith("X")
    assert rows[6].startswith("O")
    column = 2 + 5 * 2 + 1
    assert [row[column] for row in rows] == ["█", "█", "█", "─", " ", " ", " "]
    assert [row[2 + 5 * 4] for row in rows] == [" ", " ", " ", "─", "█", "█", "█"]
    assert [row[2 + 5] for row in rows] == [" ", "▄", "█", "─", " ", " ", " "]


@pytest.mark.parametrize("many", [1, 2, 9, 37, 60, 82])
def test_a_graph_of_any_length_shows_its_last_position(many: int) -> None:
    canvas = Canvas(38, 7)
    draw_graph(canvas, 0, [0.0] * (many - 1) + [1.0], ply=many - 1)
    rows = ["".join(run.text for run in row) for row in canvas.rows()]
    assert "█" in rows[0]


@async_test
async def test_a_game_on_a_server_is_analysed_only_after_it_has_ended(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1", is_remote=True)) as person:
        await person.press("a")
        assert "A game on a server is analyzed after it has ended." in person.text
        assert "Analysis" not in person.text


@async_test
async def test_a_match_that_is_left_leaves_no_thread_behind(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared", o="expert")) as person:
        await person.press("5", "5")
        await person.until(lambda: bool(thinking()))
        await person.press("a", "h", "e")
        await person.until(lambda: not thinking())


@async_test
async def test_the_computer_stops_thinking_when_a_move_is_taken_back(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared", o="expert")) as person:
        await person.press("5", "5")
        assert "expert (O) is thinking" in person.text
        await person.press("u")
        assert person.moves == []
        await person.until(lambda: not thinking())
        assert person.moves == []


@async_test
async def test_without_the_native_core_estimates_are_shown(tmp_path: Path) -> None:
    def estimate(game: Game, position: Position, **_: object) -> Analysis:
        return Analysis(analyze(game, position, search=Search(nodes=500, lines=1, memory=2**20)).lines)

    def make_analyst(tell: Callable[[AnalysisReport], None]) -> Analyst:
        return Analyst(tell, evaluate=estimate, can_search=lambda _: False)

    async with at_match(tmp_path, still("squared", "55 51"), LARGE, make_analyst=make_analyst) as person:
        await person.press("a")
        await person.sees("by random games")
        known = report(person)
        assert known
        assert known.analysis
        assert known.analysis.lines[0].name in pane(person)[2]


@async_test
async def test_the_graph_of_a_big_game_has_the_engines_score_of_every_position(tmp_path: Path) -> None:
    quick = Search(nodes=500, lines=1, memory=2**20)

    def make_analyst(tell: Callable[[AnalysisReport], None]) -> Analyst:
        return Analyst(tell, graph_search=quick)

    ended = still("ultimate", MOVES["ultimate"])
    async with at_match(tmp_path, ended, LARGE, make_analyst=make_analyst) as person:
        await person.press("a")
        positions, game = person.screen.history().positions, person.match.game
        await person.until(lambda: (known := report(person)) is not None and len(known.scores) == len(positions))
        known = report(person)
        assert known
        assert known.scores == {one: analyze(game, one, search=quick).for_x(one) for one in positions}
        assert len(set(known.scores.values())) > len(positions) / 2  # and they differ
