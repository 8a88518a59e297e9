"""Ratings, results by side, paired tests and accounts of a set of runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.board_tables import games_still_needed
from ninefold.agents.leaderboard.dataset import card
from ninefold.agents.leaderboard.index_page import index_page
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.pages import document
from ninefold.agents.leaderboard.rows import tables
from ninefold.agents.leaderboard.runs import read_runs
from ninefold.agents.leaderboard.standings import Leaderboard, Tally
from ninefold.agents.leaderboard.terminal import board_lines
from ninefold.arena.paired_tests import games_needed, sign_test
from ninefold.arena.ratings import connected_groups
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


def with_usage(run: Path, folder: Path, tokens: int) -> Path:
    """A copy of a run in which the liar has sent one request."""
    shutil.copytree(run, folder)
    line = {"request": "a", "agent": "liar", "ended": True, "input_tokens": tokens}
    (folder / "usage.jsonl").write_text(json.dumps(line) + "\n")
    return folder


def test_the_accounts_of_a_run_are_in_its_leaderboard(run_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    line = {"request": "a", "agent": "liar", "ended": True, "input_tokens": 12, "output_tokens": 3}
    (folder / "usage.jsonl").write_text(json.dumps(line) + "\n" + '{"request": "b", "ag')
    (board,) = boards_of(folder)
    usage = {one.agent: one.usage for one in board.standings}
    assert usage["liar"] == AgentUsage(1, input_tokens=12, output_tokens=3)
    assert usage["perfect"] is None


def test_the_page_says_which_accounts_are_estimated(run_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    known = {"request": "a", "agent": "liar", "ended": True, "status": 200, "input_tokens": 12, "price": 0.5}
    cut = {"request": "b", "agent": "liar", "ended": False, "estimate": 1234, "price": 0.25}
    (folder / "usage.jsonl").write_text(json.dumps(known) + "\n" + json.dumps(cut) + "\n")
    page = index_page(boards_of(folder), read_runs([str(folder)]))
    assert "tokens estimated" in page
    assert [cell for cell in ("<td>1,234</td>", "<td>0.7500</td>", "<td>0.2500</td>") if cell not in page] == []
    assert "their prompts are estimated by their length" in page


def test_the_accounts_of_two_runs_with_the_same_request_numbers_add_up(run_folder: Path, tmp_path: Path) -> None:
    (board,) = boards_of(*(with_usage(run_folder, tmp_path / str(tokens), tokens) for tokens in (12, 30)))
    assert next(one.usage for one in board.standings if one.agent == "liar") == AgentUsage(2, input_tokens=42)


# Agents that never met


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs without an agent in common: perfect always beats one that falls silent, and perfect players draw."""
    folder = tmp_path_factory.mktemp("apart")
    silent = {"a": {"player": "perfect"}, "b": {"script": "falls-silent"}}
    equal = {"c": {"player": "perfect"}, "d": {"player": "perfect"}}
    return [play_run(folder / "one", agents=silent, rounds=2), play_run(folder / "two", agents=equal, rounds=2)]


def test_agents_that_are_not_connected_by_games_are_rated_apart(apart: list[Path]) -> None:
    (board,) = boards_of(*apart)
    (alone,) = boards_of(apart[0])
    assert [set(group) for group in board.groups] == [{"a", "b"}, {"c", "d"}]
    rated = {one.agent: one.rating for one in board.standings}
    assert {one.agent: one.rating for one in alone.standings} == {name: rated[name] for name in "ab"}
    assert rated["c"].elo == pytest.approx(-rated["d"].elo), "each group has a mean of 0"


def test_it_is_said_that_groups_cannot_be_compared(apart: list[Path], board: Leaderboard) -> None:
    (divided,) = boards_of(*apart)
    sentence = "No chain of games connects these groups: a, b | c, d. Their Elo cannot be compared."
    assert sentence in "\n".join(board_lines(divided))
    assert f'<p class="note">{sentence}</p>' in index_page([divided], read_runs([*map(str, apart)]))
    assert sentence in card([divided], tables([divided]), suffix="jsonl")
    (told,) = json.loads(json.dumps(document([divided], [])))["games"]
    assert sentence in told["notes"]
    assert told["groups"] == [["a", "b"], ["c", "d"]]
    assert [row["group"] for row in told["agents"]] == [1, 1, 2, 2]
    assert not any("chain of games" in note for note in board_notes(board))


def test_a_chain_of_games_connects_agents_that_never_met() -> None:
    assert connected_groups("abcd", [("a", "b"), ("c", "d"), ("d", "b")]) == [["a", "b", "c", "d"]]
    assert connected_groups("abcd", [("d", "a")]) == [["a", "d"], ["b"], ["c"]]


def test_it_is_said_whose_pairs_all_have_the_same_score(apart: list[Path], board: Leaderboard) -> None:
    (alike,) = boards_of(apart[0])
    assert "All pairs of games of a, b have the same score." in "\n".join(board_notes(alike))
    assert not any("perfect" in note for note in board_notes(board)), "it has drawn one pair and won another"


def test_the_interval_of_an_agent_that_wins_or_draws_everything_is_wide(apart: list[Path]) -> None:
    (board,) = boards_of(*apart)
    for one in board.standings:
        assert one.rating.high - one.rating.low > 200, f"{one.agent} has played only two pairs"


def test_where_no_pair_is_complete_nobody_is_called_level(tmp_path: Path) -> None:
    agents = {"a": {"player": "perfect"}, "b": {"script": "falls-silent"}}
    (board,) = boards_of(play_run(tmp_path / "run", agents=agents, most=1))
    assert [games_still_needed(met) for met in board.meetings] == ["no pair is complete"]
    lines = "\n".join(board_lines(board))
    assert "no pair is complete" in lines
    assert "level so far" not in lines


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 4, 0, 0), "level so far"),
        ((1, 0, 0, 0, 1), "level so far"),
        ((150, 0, 0, 0, 151), "more than 200,000"),
        ((0, 0, 0, 0, 5), "2"),
    ],
)
def test_games_still_needed_are_told_in_words(counts: tuple[int, ...], words: str, board: Leaderboard) -> None:
    met = board.meetings[0]._replace(counts=counts, test=sign_test(counts), needed=games_needed(counts))
    assert games_still_needed(met) == words
