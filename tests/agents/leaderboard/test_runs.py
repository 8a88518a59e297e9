"""Reading the folders of runs, whole, unfinished and broken."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ninefold.agents.leaderboard.rows import agent_row
from ninefold.agents.leaderboard.runs import read_matches, read_run, read_runs
from ninefold.agents.leaderboard.terminal import board_lines
from ninefold.core.errors import Unreadable
from tests.support.runs import NODES, boards_of, play_run


@pytest.fixture
def copy(run_folder: Path, tmp_path: Path) -> Path:
    """A run that a test may break."""
    return Path(shutil.copytree(run_folder, tmp_path / "copy"))


def test_a_run_has_its_matches_in_the_order_of_the_plan(run_folder: Path) -> None:
    run = read_run(run_folder)
    assert [result.number for result in run.results] == list(range(12))
    assert (run.missing, run.crashed) == (0, 0)
    match = next(read_matches(run, NODES))
    assert (match.x, match.o, match.key) == ("perfect", "liar", "liars-00000")


def test_an_unfinished_run_says_how_many_matches_are_missing(tmp_path: Path) -> None:
    run = read_run(play_run(tmp_path / "part", rounds=2, most=7))
    assert (len(run.results), run.planned, run.missing) == (7, 12, 5)


def test_a_crashed_match_does_not_count(copy: Path) -> None:
    with (copy / "journal.jsonl").open("a") as journal:
        journal.write('{"number": 3, "x": "perfect", "o": "misreporter", "crash": "misreporter"}\n')
    run = read_run(copy)
    assert (len(run.results), run.crashed) == (11, 1)


def test_a_crash_is_counted_although_the_match_was_played_again(copy: Path) -> None:
    head, *lines = (copy / "journal.jsonl").read_text().splitlines()
    crash = '{"number": 3, "x": "perfect", "o": "misreporter", "crash": "misreporter"}'
    (copy / "journal.jsonl").write_text("\n".join([head, crash, crash, *lines]) + "\n")
    run = read_run(copy)
    assert (len(run.results), run.crashed, run.crashes) == (12, 0, {"misreporter": 2})
    (board,) = boards_of(copy)
    rows = {row["agent"]: row["crashes"] for row in (agent_row(board, one) for one in board.standings)}
    assert rows == {"perfect": 0, "liar": 0, "misreporter": 2}
    assert "misreporter 2" in {f"{line.split()[0]} {line.split()[-1]}" for line in board_lines(board) if line}


def test_a_line_that_a_crash_has_cut_short_is_left_out(copy: Path) -> None:
    with (copy / "journal.jsonl").open("a") as journal:
        journal.write('{"number": 12, "x": "per')
    assert len(read_run(copy).results) == 12


def test_reading_a_run_changes_nothing_in_its_folder(copy: Path) -> None:
    with (copy / "journal.jsonl").open("a") as journal:
        journal.write('{"number": 12, "x": "per')
    before = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    list(read_matches(read_run(copy), NODES))
    assert {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()} == before


def test_a_folder_that_is_no_run_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="There is no folder"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(Unreadable, match="is not the folder of a run"):
        read_run(tmp_path)
    (tmp_path / "journal.jsonl").write_text('{"arena": {}}\n')
    with pytest.raises(Unreadable, match="is not the folder of a run"):
        read_run(tmp_path)


def test_a_run_without_a_finished_match_is_refused(tmp_path: Path) -> None:
    folder = play_run(tmp_path / "new", most=0)
    with pytest.raises(Unreadable, match=r"No match of the run in .* has ended yet"):
        read_run(folder)


@pytest.mark.parametrize(
    "line", ["[]", '{"number": "3"}', '{"number": 1, "x": "a", "o": "b", "forfeits": 5}', "nonsense"]
)
def test_a_broken_line_of_the_journal_is_named(copy: Path, line: str) -> None:
    lines = (copy / "journal.jsonl").read_text().splitlines()
    (copy / "journal.jsonl").write_text("\n".join([*lines[:3], line, *lines[3:], ""]))
    with pytest.raises(Unreadable, match=r"journal.jsonl.*, line 4: this is not a result"):
        read_run(copy)


def test_a_cut_log_is_named(copy: Path) -> None:
    log = copy / "matches" / "00002.log"
    log.write_text(log.read_text()[:-40])
    with pytest.raises(Unreadable, match=r"00002\.log"):
        list(read_matches(read_run(copy), NODES))


def test_a_match_without_its_log_is_missing(copy: Path) -> None:
    (copy / "matches" / "00002.log").unlink()
    assert read_run(copy).missing == 1


def test_two_runs_in_folders_of_the_same_name_are_told_apart(run_folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(run_folder, tmp_path / run_folder.name))
    assert [run.name for run in read_runs([str(run_folder), str(other)])] == ["liars", "liars-2"]


def test_the_same_run_twice_is_refused(run_folder: Path) -> None:
    with pytest.raises(Unreadable, match="named twice"):
        read_runs([str(run_folder), f"{run_folder}/../{run_folder.name}"])


def test_a_void_match_is_told_from_a_crash(copy: Path) -> None:
    with (copy / "journal.jsonl").open("a") as journal:
        journal.write('{"number": 3, "x": "perfect", "o": "misreporter", "crash": "misreporter", "void": true}\n')
    run = read_run(copy)
    assert (run.crashed, run.crashes, run.void, run.missing) == (0, {}, 1, 0)


def test_a_void_match_does_not_count_although_the_thief_is_unknown(copy: Path) -> None:
    with (copy / "journal.jsonl").open("a") as journal:
        journal.write('{"number": 3, "x": "perfect", "o": "misreporter", "crash": "", "void": true}\n')
    run = read_run(copy)
    assert (len(run.results), run.void, run.missing) == (11, 1, 0)


def test_the_folder_says_how_many_matches_were_planned(copy: Path) -> None:
    (copy / "schedule.jsonl").write_text("".join(f'{{"number": {number}}}\n' for number in range(20)))
    assert read_run(copy).missing == 8


def test_runs_in_which_a_name_stands_for_two_agents_are_refused(copy: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(copy, tmp_path / "other"))
    for folder, level in ((copy, "perfect"), (other, "hard")):
        manifest = {"plan": {"agents": {"perfect": {"player": level}}}}
        (folder / "run.json").write_text(json.dumps(manifest))
    assert len(read_runs([str(copy)])) == 1
    with pytest.raises(Unreadable, match=r"'perfect'.*stands for different agents"):
        read_runs([str(copy), str(other)])
