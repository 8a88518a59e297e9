"""Evaluation runs: what is played and reported, and runs that are interrupted and gone on with."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ninefold.agents.evaluation.keys import Keys
from ninefold.agents.evaluation.plan import plan_of
from ninefold.agents.evaluation.runner import play_all
from ninefold.agents.evaluation.schedule import Folder, Job, Played, play_job, schedule
from ninefold.agents.evaluation.served_match import Host
from ninefold.analysis.report.metrics import report
from ninefold.cli.commands import evaluate
from ninefold.cli.commands.report import from_file
from ninefold.match.files import load
from tests.support import chat_server as chat
from tests.support.chat_server import chatting
from tests.support.console import COMMAND
from tests.support.plans import PLAYERS, Run, evaluations, figures


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    return evaluations(capsys)


def test_a_run_between_players_ends_with_the_report_over_all_matches(run: Run) -> None:
    code, told = run(rounds=5)
    assert code == 0
    assert (figures(told, "perfect")["matches"], figures(told, "perfect")["mistakes"]) == (10, 0)
    assert figures(told, "perfect")["points"] + figures(told, "easy")["points"] == 10
    assert (told["forfeits"], told["crashes"]) == ({}, [])
    assert not Path("plan-run/transcripts").exists()


@pytest.mark.parametrize("game", ["classic", "squared", "swap-nine"])
def test_every_game_can_be_evaluated(game: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "NODES", 1_000)
    code, told = run(game=game, agents={"a": {"player": "easy"}, "b": {"script": "misreports"}})
    assert code == 0
    assert figures(told, "a")["matches"] == 2


def test_the_same_plan_plays_the_same_moves(tmp_path: Path) -> None:
    told = plan_of({"game": "agents", "rounds": 2, "agents": PLAYERS})
    runs = []
    for name in "ab":
        folder = Folder(tmp_path / name)
        runs.append(
            [load_moves(folder, play_job(told, Keys(), folder, Host(folder.path), job)) for job in schedule(told)]
        )
    assert runs[0] == runs[1]


def load_moves(folder: Folder, played: Played) -> tuple[int, ...]:
    return load(str(folder.log(played.number))).state.moves


def test_matches_at_once_are_the_matches_one_by_one(run: Run) -> None:
    _, alone = run(rounds=6)
    Path("plan-run").rename("alone")
    _, at_once = run(rounds=6, at_once=4)
    for one in (*alone["agents"], *at_once["agents"]):
        one.pop("milliseconds")
    assert alone == at_once
    assert sorted(Path("plan-run/journal.jsonl").read_text().splitlines()) == sorted(
        Path("alone/journal.jsonl").read_text().splitlines()
    )


def test_an_interrupted_run_is_gone_on_with(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = run(rounds=3)
    Path("plan-run").rename("whole")
    played: list[int] = []

    def until_interrupted(*given: Any) -> Played:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(given[-1].number)
        return play_job(*given)

    monkeypatch.setattr(evaluate, "play_job", until_interrupted)
    code, part = run(rounds=3)
    assert code == 130
    assert sum(row["matches"] for row in part["agents"]) == 2 * 2
    played.append(-1)
    code, rest = run(rounds=3)
    assert code == 0
    assert played == [0, 1, -1, 2, 3, 4, 5]
    for one in (*whole["agents"], *rest["agents"]):
        one.pop("milliseconds")
    assert rest == whole


def test_ctrl_c_waits_for_no_endpoint(tmp_path: Path) -> None:
    with chatting(chat.never_answers) as served:
        agents = "".join(f'[agents.{name}]\nchat = "{served.url}"\nmodel = "m"\n' for name in "ab")
        (tmp_path / "plan.toml").write_text(f'game = "agents"\nseconds = 3600\nat_once = 2\n{agents}')
        evaluate = [COMMAND, "agents", "evaluate", "plan.toml"]
        with subprocess.Popen(
            evaluate, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            for _ in "ab":
                assert served.heard.acquire(timeout=60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "\nInterrupted after 0 of 2 matches. Go on with the same command.\n"
    assert out == "Logs and transcripts are in plan-run.\n"


def test_a_line_that_a_crash_cut_short_and_a_log_that_is_gone_are_played_again(run: Run) -> None:
    _, whole = run(rounds=2)
    journal = Path("plan-run/journal.jsonl")
    journal.write_text(journal.read_text()[:-20])
    Path("plan-run/matches/00001.log").unlink()
    code, again = run(rounds=2)
    assert code == 0
    assert [row["matches"] for row in again["agents"]] == [row["matches"] for row in whole["agents"]]
    assert len(list(Path("plan-run/matches").glob("*.log"))) == 4


def test_a_run_of_another_plan_is_not_gone_on_with(run: Run) -> None:
    assert run(rounds=1)[0] == 0
    hosted = Path("plan-run/journal.jsonl").read_bytes()
    for other in ({"seed": 1}, {"retries": 1}, {"agents": PLAYERS | {"b": {"player": "easy"}}}):
        code, told = run(**other)
        assert code == 2
        assert "The plan has changed since the run in 'plan-run' was begun." in told["error"]
        assert "--out" in told["error"]
    assert Path("plan-run/journal.jsonl").read_bytes() == hosted


def test_a_folder_that_holds_other_things_is_left_alone(run: Run) -> None:
    Path("plan-run").mkdir()
    Path("plan-run/thesis.txt").touch()
    code, told = run()
    assert (code, "holds other things" in told["error"]) == (2, True)
    assert [file.name for file in Path("plan-run").iterdir()] == ["thesis.txt"]
    Path("plan-run/thesis.txt").unlink()
    assert run()[0] == 0


def test_a_run_tells_every_result_and_how_many_were_planned(run: Run) -> None:
    _, told = run(rounds=2, agents={"silent": {"script": "falls-silent"}, "easy": {"player": "easy"}})
    assert told["planned"] == len(told["results"]) == 4
    assert [one["number"] for one in told["results"]] == [0, 1, 2, 3]
    forfeits = [forfeit for one in told["results"] for forfeit in one["forfeits"]]
    assert {"agent": "silent", "why": "It said nothing."} in forfeits
    assert len(forfeits) == told["forfeits"]["silent"] == figures(told, "silent")["forfeits"]


def test_a_line_of_the_journal_that_is_no_match_is_refused(run: Run) -> None:
    assert run()[0] == 0
    with Path("plan-run/journal.jsonl").open("a") as file:
        file.write('{"number": 99, "x": "easy", "o": "perfect"}\n')
    assert run()[0] == 2


def test_progress_is_shown_where_somebody_looks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "write", shown.append)
    run(rounds=1)
    said = [" ".join(line.split()) for line in shown]
    assert f"[{'#' * 20}{'.' * 20}] 1/2 matches, 0 s left" in said
    assert f"[{'#' * 40}] 2/2 matches" in said
    assert said[-1] == f"[{'#' * 40}] 2/2 matches judged"
    assert len({len(line.rstrip("\n")) for line in shown[:3]}) == 1  # so that each covers the one before


def test_a_mistake_of_ours_in_a_thread_is_not_swallowed() -> None:
    def broken(job: Job) -> Played:
        raise ZeroDivisionError

    jobs = [Job(number, "a", "b", 0) for number in range(5)]
    for at_once in (1, 3):
        with pytest.raises(ZeroDivisionError):
            list(play_all(jobs, broken, at_once))


def test_who_stops_listening_starts_no_more_matches() -> None:
    begun: list[int] = []
    gate = threading.Semaphore(2)

    def play(job: Job) -> Played:
        gate.acquire()
        begun.append(job.number)
        return Played(*job[:3])

    coming = play_all([Job(number, "a", "b", 0) for number in range(100)], play, 2)
    next(coming)
    coming.close()  # type: ignore[attr-defined]
    for _ in range(4):
        gate.release()
    assert len(begun) <= 6


def test_the_report_of_a_run_is_the_report_on_its_files(run: Run) -> None:
    _, told = run(rounds=1)
    alone = [from_file(file, 1) for file in sorted(Path("plan-run/matches").glob("*.log"))]
    assert sum(row.metrics.moves for one in alone for row in one.rows) == sum(row["moves"] for row in told["agents"])
    assert report(load("plan-run/matches/00000.log")).rows == alone[0].rows
