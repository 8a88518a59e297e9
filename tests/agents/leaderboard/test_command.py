"""``ninefold agents leaderboard``: what it prints, writes and refuses."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from ninefold.agents.leaderboard import pages
from ninefold.agents.leaderboard.folders import UNFINISHED
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.agents.leaderboard.terminal import board_lines
from ninefold.arena.paired_tests import sign_test
from ninefold.cli.main import main

FIGURES = (
    "Elo", "95% interval", "points", "games", "share", "won", "drawn", "lost", "as X", "as O", "moving first",
    "moving second", "moves", "mistakes", "missed wins", "illegal tries", "unreadable", "forfeited turns", "crashes",
    "misreports", "resignations", "time used", "false claims", "withdrawn", "lines not claimed", "wrongly confirmed",
    "wrongly disputed", "not answered", "refused", "on the board", "verdict", "games still needed",
)  # fmt: skip


def run(*arguments: object) -> int:
    return main(["agents", "leaderboard", *map(str, arguments)])


def test_it_prints_every_figure_of_the_page(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(run_folder) == 0
    out = capsys.readouterr().out
    assert [figure for figure in FIGURES if figure not in out] == []
    assert out.index("perfect ") < out.index("liar ")


def test_it_prints_what_an_agent_used(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    line = {"request": "a", "agent": "liar", "ended": True, "input_tokens": 1234, "output_tokens": 56, "price": 0.25}
    (copy / "usage.jsonl").write_text(json.dumps(line) + "\n")
    assert run(copy) == 0
    accounts = capsys.readouterr().out.partition("Accounts (what each agent used):\n")[2].partition("All pairs")[0]
    assert {"tokens in", "tokens out", "price"} <= set(re.split("  +|\n", accounts))
    rows = " ".join(re.findall(r"^liar +(.*)$", accounts, re.MULTILINE))  # wide tables are split
    assert rows.split()[:10] == ["1", "0", "1,234", "0", "56", "0", "0", "0", "0.2500", "-"]


def test_all_pairs_are_listed_also_those_that_are_decided(board: Leaderboard) -> None:
    counts = (0, 0, 0, 0, 8)
    decided = board.meetings[0]._replace(counts=counts, test=sign_test(counts), needed=0)
    lines = list(board_lines(board._replace(meetings=(decided, *board.meetings[1:])), 150))
    for met in board.meetings:
        assert any(line.startswith(f"{met.one} - {met.two} ") for line in lines)
    assert any(f"{decided.one} is better" in line for line in lines)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_are_no_wider_than_the_terminal(width: int, board: Leaderboard) -> None:
    tables = [line for line in board_lines(board, width) if line and not line.endswith(":")]
    assert max(map(len, tables)) <= width
    heads = " ".join(line for line in tables if line.startswith(("agent ", "pair ")))
    assert [figure for figure in FIGURES if figure not in heads] == [], "nothing is left out"


def test_it_writes_every_export_at_once(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ("html", "csv", "inspect", "dataset")
    assert run(run_folder, *(part for kind in kinds for part in (f"--{kind}", tmp_path / kind))) == 0
    out = capsys.readouterr().out
    assert [kind for kind in kinds if f" in {tmp_path / kind}." not in out] == []
    found = {kind: {file.name for file in (tmp_path / kind).iterdir()} for kind in kinds}
    assert {"index.html", "style.css", "match.js", "index.js", "leaderboard.json", "matches"} == found["html"]
    assert found["csv"] == {"agents.csv", "pairs.csv", "matches.csv", "turns.csv"}
    assert len(found["inspect"]) == 3
    assert found["dataset"] == {"README.md", "data"}


def test_it_prints_the_same_figures_as_json(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(run_folder, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    (game,) = told["games"]
    assert told["runs"] == [{"name": "liars", "matches": 12, "planned": 12, "crashed": 0, "void": 0}]
    assert [agent["games"] for agent in game["agents"]] == [8, 8, 8]
    assert len(game["matches"]) == 12


def test_a_leaderboard_may_be_written_again_over_an_earlier_one(run_folder: Path, tmp_path: Path) -> None:
    assert run(run_folder, "--html", tmp_path / "board") == 0
    left = tmp_path / "board" / "matches" / "gone-00001.html"
    left.write_text("a match of another run")
    assert run(run_folder, "--html", tmp_path / "board") == 0
    assert not left.exists()


@pytest.mark.parametrize(("kind", "file"), [("html", "thesis.txt"), ("html", "index.html"), ("dataset", "README.md")])
def test_files_of_others_are_never_overwritten(
    kind: str, file: str, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).write_text("mine")
    assert run(run_folder, f"--{kind}", tmp_path) == 2
    assert file in capsys.readouterr().err
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(file, "mine")]


def test_a_folder_that_is_no_run_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--html", tmp_path / "board") == 2
    assert "is not the folder of a run" in capsys.readouterr().err
    assert not (tmp_path / "board").exists()


def test_a_file_in_the_place_of_a_folder_is_refused(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "board").write_text("")
    assert run(run_folder, "--csv", tmp_path / "board") == 2
    assert "Cannot write to" in capsys.readouterr().err


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("kind", ["html", "inspect"])
def test_a_broken_log_leaves_the_earlier_leaderboard_as_it_was(kind: str, run_folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run_folder, tmp_path / "liars"))
    assert run(copy, f"--{kind}", tmp_path / "board") == 0
    before = files_in(tmp_path / "board")
    (copy / "matches" / "00007.log").write_text("broken")
    assert run(copy, f"--{kind}", tmp_path / "board") == 2
    assert files_in(tmp_path / "board") == before


def test_ctrl_c_among_the_pages_leaves_the_earlier_leaderboard_as_it_was(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = tmp_path / "board"
    assert run(run_folder, "--html", board) == 0
    (board / "matches" / "gone-00001.html").write_text("a match of an earlier run")
    before = files_in(board)

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(pages, "index_page", interrupted)
    assert run(run_folder, "--html", board) == 130
    assert files_in(board) == before


def test_what_a_killed_command_has_left_is_removed(run_folder: Path, tmp_path: Path) -> None:
    board = tmp_path / "board"
    assert run(run_folder, "--html", board) == 0
    before = files_in(board)
    (board / UNFINISHED).mkdir()
    (board / UNFINISHED / "index.html").write_text("half a page")
    assert run(run_folder, "--html", board) == 0
    assert files_in(board) == before
    assert not (board / UNFINISHED).exists()
