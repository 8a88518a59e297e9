"""Evaluation runs: what is played and reported, and runs that are interrupted and resumed."""

from __future__ import annotations

import math
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.ledger import BudgetUsedUp
from ninefold.agents.evaluation.plan import parse_plan
from ninefold.agents.evaluation.results import JobResult
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import MatchJob, RunFolder, play_all, schedule
from ninefold.analysis.report.metrics import report
from ninefold.cli.commands.report import from_file
from ninefold.match.files import load
from tests.support import chat_server as chat
from tests.support.chat_server import chat_server
from tests.support.console import COMMAND
from tests.support.plans import PLAYERS, QUICK, Run, evaluations, figures, run_command, write_plan
from tests.support.waiting import PATIENCE


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
def test_every_game_can_be_evaluated(game: str, run: Run) -> None:
    few_nodes = QUICK._replace(nodes=1_000)
    agents = {"a": {"player": "easy"}, "b": {"script": "misreports"}}
    code, told = run(game=game, agents=agents, with_settings=few_nodes)
    assert code == 0
    assert figures(told, "a")["matches"] == 2


def test_the_same_plan_plays_the_same_moves(tmp_path: Path) -> None:
    plan = parse_plan({"game": "agents", "rounds": 2, "agents": PLAYERS})
    moves: list[list[tuple[int, ...]]] = []
    for name in "ab":
        folder = RunFolder(tmp_path / name)
        with EvaluationRun(plan, ApiKeys(), folder) as run:
            results = [run.play(job) for job in schedule(plan)]
        moves.append([load(str(folder.log(result.number))).state.moves for result in results])
    assert moves[0] == moves[1]


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


class InterruptedRun(EvaluationRun):
    """Ctrl-C is pressed in its third match."""

    def play(self, job: MatchJob) -> JobResult:
        if job.number == 2:
            raise KeyboardInterrupt
        return super().play(job)


class ResumedRun(EvaluationRun):
    """The first two matches must not be played again."""

    def play(self, job: MatchJob) -> JobResult:
        assert job.number >= 2
        return super().play(job)


def test_an_interrupted_run_is_resumed(run: Run) -> None:
    _, whole = run(rounds=3)
    Path("plan-run").rename("whole")
    code, part = run(rounds=3, with_settings=QUICK._replace(make_run=InterruptedRun))
    assert code == 130
    assert sum(row["matches"] for row in part["agents"]) == 2 * 2
    code, rest = run(rounds=3, with_settings=QUICK._replace(make_run=ResumedRun))
    assert code == 0
    for one in (*whole["agents"], *rest["agents"]):
        one.pop("milliseconds")
    assert rest == whole


def test_ctrl_c_does_not_wait_for_endpoints(tmp_path: Path) -> None:
    with chat_server(chat.never_answers) as served:
        agents = "".join(f'[agents.{name}]\nchat = "{served.url}"\nmodel = "m"\n' for name in "ab")
        (tmp_path / "plan.toml").write_text(f'game = "agents"\nseconds = 3600\nat_once = 2\n{agents}')
        evaluate = [COMMAND, "agents", "evaluate", "plan.toml"]
        with subprocess.Popen(
            evaluate, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            for _ in "ab":
                assert served.received.acquire(timeout=PATIENCE)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "\nInterrupted after 0 of 2 matches. Run the same command to continue.\n"
    assert out.endswith("Logs and transcripts are in plan-run.\n")
    assert "One request of a may have used tokens that its endpoint did not report: its prompt is estimated as" in out


def test_matches_with_a_cut_line_or_a_missing_log_are_played_again(run: Run) -> None:
    _, whole = run(rounds=2)
    journal = Path("plan-run/journal.jsonl")
    journal.write_text(journal.read_text()[:-20])
    Path("plan-run/matches/00001.log").unlink()
    code, again = run(rounds=2)
    assert code == 0
    assert [row["matches"] for row in again["agents"]] == [row["matches"] for row in whole["agents"]]
    assert len(list(Path("plan-run/matches").glob("*.log"))) == 4


def test_a_run_of_another_plan_is_not_resumed(run: Run) -> None:
    assert run(rounds=1)[0] == 0
    hosted = Path("plan-run/journal.jsonl").read_bytes()
    for other in ({"seed": 1}, {"retries": 1}, {"agents": PLAYERS | {"b": {"player": "easy"}}}):
        code, told = run(**other)
        assert code == 2
        assert "The run in 'plan-run' belongs to another plan" in told["error"]
        assert "--out" in told["error"]
    assert Path("plan-run/journal.jsonl").read_bytes() == hosted


def test_a_folder_with_other_files_is_refused(run: Run) -> None:
    Path("plan-run").mkdir()
    Path("plan-run/thesis.txt").touch()
    code, told = run()
    assert (code, "is not the folder of a run" in told["error"]) == (2, True)
    assert [file.name for file in Path("plan-run").iterdir()] == ["thesis.txt"]
    Path("plan-run/thesis.txt").unlink()
    assert run()[0] == 0


def test_the_report_has_every_result_and_how_many_were_planned(run: Run) -> None:
    _, told = run(rounds=2, agents={"silent": {"script": "falls-silent"}, "easy": {"player": "easy"}})
    assert told["planned"] == len(told["results"]) == 4
    assert [one["number"] for one in told["results"]] == [0, 1, 2, 3]
    forfeits = [forfeit for one in told["results"] for forfeit in one["forfeits"]]
    assert {"agent": "silent", "why": "It did not answer."} in forfeits
    assert len(forfeits) == told["forfeits"]["silent"] == figures(told, "silent")["forfeits"]


def test_a_line_of_the_journal_that_is_not_a_match_is_refused(run: Run) -> None:
    assert run()[0] == 0
    with Path("plan-run/journal.jsonl").open("a") as file:
        file.write('{"number": 99, "x": "easy", "o": "perfect"}\n')
    assert run()[0] == 2


def test_progress_is_a_bar_in_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "write", shown.append)
    run(rounds=1)
    said = [re.sub(r"\d+ s left", "N s left", " ".join(line.split())) for line in shown]
    assert f"[{'#' * 20}{'.' * 20}] 1/2 matches, N s left" in said
    assert f"[{'#' * 40}] 2/2 matches" in said
    assert said[-1] == f"[{'#' * 40}] 2/2 matches judged"
    assert len({len(line.rstrip("\n")) for line in shown[:3]}) == 1  # so that each covers the one before


def test_progress_is_a_line_now_and_then_elsewhere(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(write_plan(rounds=1), settings=QUICK._replace(progress_interval=math.inf)) == 0
    assert capsys.readouterr().err == ""
    Path("plan-run").rename("first")
    assert run_command(write_plan(rounds=1), settings=QUICK._replace(progress_interval=0.0)) == 0
    first, second, third = capsys.readouterr().err.splitlines()[:3]
    assert (first, third) == ("0/2 matches", "2/2 matches")
    assert re.fullmatch(r"1/2 matches, \d+ s left", second)


def test_a_defect_in_a_thread_is_raised() -> None:
    def broken(job: MatchJob) -> JobResult:
        raise ZeroDivisionError

    jobs = [MatchJob(number, "a", "b", 0) for number in range(5)]
    for at_once in (1, 3):
        with pytest.raises(ZeroDivisionError):
            list(play_all(jobs, broken, at_once))


def test_matches_that_run_when_the_budget_is_used_up_come_to_their_end() -> None:
    under_way, used_up = threading.Barrier(3), threading.Event()

    def play(job: MatchJob) -> JobResult:
        if job.number < 3:
            under_way.wait(PATIENCE)
        if job.number == 0:
            used_up.set()
            raise BudgetUsedUp("budget_used_up.run", used="all")
        assert used_up.wait(PATIENCE)
        return JobResult(*job[:3])

    coming = play_all([MatchJob(number, "a", "b", 0) for number in range(9)], play, 3)
    played: list[int] = []
    with pytest.raises(BudgetUsedUp):
        played.extend(result.number for result in coming)
    assert {1, 2} <= set(played)


def test_closing_the_results_starts_no_more_matches() -> None:
    begun: list[int] = []
    gate = threading.Semaphore(2)

    def play(job: MatchJob) -> JobResult:
        gate.acquire()
        begun.append(job.number)
        return JobResult(*job[:3])

    coming = play_all([MatchJob(number, "a", "b", 0) for number in range(100)], play, 2)
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


def test_both_sides_of_a_round_are_played_from_one_opening(tmp_path: Path) -> None:
    plan = parse_plan({"game": "agents", "rounds": 3, "openings": "random", "agents": PLAYERS})
    jobs = schedule(plan)
    assert [job.opening for job in jobs[::2]] == [job.opening for job in jobs[1::2]]
    assert len({job.opening for job in jobs}) == 3
    folder = RunFolder(tmp_path / "run")
    with EvaluationRun(plan, ApiKeys(), folder) as run:
        for job in jobs[:2]:
            run.play(job)
    for job in jobs[:2]:
        assert load(str(folder.log(job.number))).state.moves[:1] == job.opening


def test_nobody_is_judged_by_the_moves_of_an_opening(tmp_path: Path) -> None:
    plan = parse_plan(
        {"game": "ultimate", "openings": "suite", "agents": {"a": {"player": "random"}}, "matches": [["a", "a"]]}
    )
    folder = RunFolder(tmp_path / "run")
    with EvaluationRun(plan, ApiKeys(), folder) as run:
        run.play(job := schedule(plan)[0])
    rows = from_file(folder.log(0), nodes=10).rows
    moves = len(load(str(folder.log(0))).state.moves)
    assert sum(row.metrics.judged for row in rows) == moves - len(job.opening) < moves
    assert all(row.refused == {} and row.metrics.forfeits == 0 for row in rows)


def test_a_run_without_openings_is_still_the_run_of_an_earlier_version() -> None:
    plan = {"game": "agents", "agents": PLAYERS}
    assert parse_plan(plan).about == parse_plan(plan | {"openings": "start"}).about
    assert parse_plan(plan).about != parse_plan(plan | {"openings": "random"}).about
