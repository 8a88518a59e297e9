"""Ratings, results by side, paired tests and accounts of a set of runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ninefold.agents.leaderboard.standings import Leaderboard, Tally
from ninefold.agents.leaderboard.usage import Usage, usage_by_agent
from tests.support.runs import boards_of, matches_of, play_run


def test_the_strongest_agent_comes_first_and_the_mean_of_elo_is_zero(board: Leaderboard) -> None:
    assert board.standings[0].agent == "perfect"
    assert sum(one.rating.elo for one in board.standings) == pytest.approx(0)
    assert all(one.rating.low <= one.rating.elo <= one.rating.high for one in board.standings)


def test_results_by_side_and_by_turn_add_up_to_all_results(board: Leaderboard) -> None:
    for one in board.standings:
        for parts in (one.by_side.values(), one.by_turn.values()):
            assert Tally(*(sum(counts) for counts in zip(*parts, strict=True))) == one.total
        assert (one.total.games, one.by_side["X"].games) == (8, 4)
        assert one.by_turn["first"] == one.by_side["O"], "in the agents' game O moves first"


def test_points_of_the_meetings_are_those_of_the_logs(board: Leaderboard, run_folder: Path) -> None:
    played = [one.match.result for one in matches_of(run_folder) if {one.x, one.o} == {"perfect", "liar"}]
    met = board.meeting("liar", "perfect")
    assert met is not None
    assert met.tally.games == len(played) == 4
    assert met.tally.drawn == sum(result is not None and result.outcome.winner is None for result in played)
    assert sum(met.counts) == 2, "two games with the sides exchanged are one pair"


def test_every_liar_is_found_out(board: Leaderboard) -> None:
    by_name = {one.agent: one.metrics for one in board.standings}
    assert by_name["liar"].false_claims > 0
    misreporter = by_name["misreporter"]
    assert misreporter.misreports == misreporter.statements == misreporter.moves
    assert (by_name["perfect"].false_claims, by_name["perfect"].statements, by_name["perfect"].mistakes) == (0, 0, 0)


def test_losses_have_their_causes(tmp_path: Path) -> None:
    agents = {"perfect": {"player": "perfect"}, "silent": {"script": "falls-silent"}}
    (board,) = boards_of(play_run(tmp_path / "run", agents=agents))
    silent = board.standings[-1]
    assert silent.endings == {"silence": 2}


def test_each_game_has_a_leaderboard_of_its_own(run_folder: Path, tmp_path: Path) -> None:
    agents = {"a": {"player": "easy"}, "b": {"player": "random"}}
    other = play_run(tmp_path / "classic", agents=agents, game="classic")
    changed = play_run(tmp_path / "changed", agents=agents, game="classic", options={"first": "O"})
    boards = boards_of(run_folder, other, changed)
    assert [board.id for board in boards] == ["agents", "classic", "classic-first-O"]
    assert [one.agent for one in boards[1].standings] in (["a", "b"], ["b", "a"])


def test_runs_of_the_same_agents_are_put_together(run_folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(run_folder, tmp_path / "other"))
    (one,), (both,) = boards_of(run_folder), boards_of(run_folder, other)
    assert [standing.total.games for standing in both.standings] == [16, 16, 16]
    assert sum(both.meetings[0].counts) == 2 * sum(one.meetings[0].counts), "pairs of different runs do not mix"


def test_accounts_are_summed_by_agent_with_the_last_line_of_each_request() -> None:
    begun = {"request": "a", "agent": "m", "ended": False, "milliseconds": 0}
    ended = {**begun, "ended": True, "milliseconds": 900, "input_tokens": 100, "output_tokens": 7, "cached_tokens": 40}
    other = {"request": "b", "agent": "m", "ended": True, "milliseconds": 300, "input_tokens": 50, "price": 0.5}
    found = usage_by_agent([begun, ended | {"price": 0.25, "served_model": "m-1"}, other, {"nonsense": 1}])
    assert found == {"m": Usage(2, 0, 150, 7, 40, 0, 0.75, 900, 900, ("m-1",))}


def test_the_accounts_of_a_run_are_in_its_leaderboard(run_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    line = {"request": "a", "agent": "liar", "ended": True, "input_tokens": 12, "output_tokens": 3}
    (folder / "usage.jsonl").write_text(json.dumps(line) + "\n" + '{"request": "b", "ag')
    (board,) = boards_of(folder)
    usage = {one.agent: one.usage for one in board.standings}
    assert usage["liar"] == Usage(1, 0, 12, 3)
    assert usage["perfect"] is None
