"""The folder of a run: who may write to it, what it says about itself, and that it survives kill -9."""

from __future__ import annotations

import errno
import hashlib
import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from ninefold import __version__
from ninefold.agents.evaluation import runner, schedule
from ninefold.agents.evaluation.agents import SeatStolen
from ninefold.agents.evaluation.schedule import RunFolder
from ninefold.cli.main import main
from ninefold.match.files import load
from tests.support import chat_server as chat
from tests.support.chat_server import chat_server
from tests.support.console import COMMAND
from tests.support.plans import Run, evaluations, model, run_command
from tests.support.waiting import PATIENCE


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    return evaluations(capsys)


def test_a_second_run_in_the_same_folder_is_refused(run: Run) -> None:
    assert run()[0] == 0
    before = Path("plan-run/journal.jsonl").read_bytes()
    with RunFolder(Path("plan-run")).locked():
        holder = Path("plan-run/lock").read_text().strip()
        code, told = run()
    assert code == 2
    assert told["error"].startswith(f"Another run is under way in 'plan-run' (process {holder}).")
    assert Path("plan-run/journal.jsonl").read_bytes() == before
    assert run()[0] == 0  # the lock was released


def test_a_run_that_has_just_begun_is_locked_too(run: Run) -> None:
    with RunFolder(Path("plan-run")).locked():
        code, told = run()
    assert (code, "Another run is under way" in told["error"]) == (2, True)
    assert [file.name for file in Path("plan-run").iterdir()] == ["lock"]
    assert run()[0] == 0


def test_a_folder_on_a_file_system_without_locks_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_: int) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(schedule, "try_lock", no_locks)
    code, told = run()
    assert code == 2
    assert told["error"].startswith("Cannot write a run to 'plan-run': No locks available.")


def results(folder: str) -> list[tuple[Any, ...]]:
    """Each match of a run: its result in the journal, and what was played."""
    lines = [json.loads(line) for line in Path(folder, "journal.jsonl").read_text().splitlines()[1:]]
    assert len(lines) == len({line["number"] for line in lines}), "A match was played again after it had ended."
    found = sorted((line["number"], line["x"], line["o"], line["score"], line["by"]) for line in lines)
    return [(*line, load(str(Path(folder, f"matches/{line[0]:05}.log"))).state.moves) for line in found]


def test_a_run_that_is_killed_has_the_same_results_when_it_is_resumed(run: Run) -> None:
    hangs_at: set[int] = set()
    is_hanging = threading.Semaphore(0)

    def behave(handler: chat.Handler, request: chat.Request) -> None:
        if len(handler.requests) in hangs_at:
            is_hanging.release()
            chat.never_answers(handler, request)
        chat.plays(handler, request)

    with chat_server(behave) as served:
        plan: dict[str, Any] = {"agents": {"model": model(served.url), "easy": {"player": "easy"}}, "rounds": 3}
        assert run(**plan)[0] == 0
        Path("plan-run").rename("whole")
        hangs_at.add(len(served.requests) + 9)
        with subprocess.Popen([COMMAND, "agents", "evaluate", "plan.toml"], stderr=subprocess.DEVNULL) as process:
            assert is_hanging.acquire(timeout=PATIENCE)
            process.kill()
        assert 1 < len(Path("plan-run/journal.jsonl").read_text().splitlines()) < 1 + 6
        assert run_command("plan.toml") == 0
    assert results("plan-run") == results("whole")
    assert len(json.loads(Path("plan-run/run.json").read_text())["starts"]) == 2


def test_the_folder_describes_every_plan_that_it_was_started_with(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with chat_server(chat.plays) as served:
        plan: dict[str, Any] = {"agents": {"model": model(served.url), "easy": {"player": "easy"}}, "rounds": 2}
        tight, wide = plan | {"budget": {"run_tokens": 1}}, plan | {"seconds": 30}
        assert [run(**one)[0] for one in (tight, tight, wide)] == [1, 1, 0]
    manifest = json.loads(Path("plan-run/run.json").read_text())
    assert [(one["plan"]["seconds"], one["plan"]["budget"]["run_tokens"]) for one in manifest["plans"]] == [
        (60, 1),
        (30, None),
    ]
    assert [start["plan"] for start in manifest["starts"]] == [0, 0, 1]
    assert [one["at"] for one in manifest["plans"]] == [manifest["starts"][0]["at"], manifest["starts"][2]["at"]]
    assert {start["versions"]["ninefold"] for start in manifest["starts"]} == {__version__}
    assert manifest["plans"][1]["prompts"] == manifest["prompts"]
    assert run_command("plan.toml") == 0
    assert "several plans, which differ in seconds, budget. Its run.json has them all." in capsys.readouterr().out


def test_the_manifest_of_an_earlier_release_keeps_its_plan(run: Run) -> None:
    with chat_server(chat.plays) as served:
        plan: dict[str, Any] = {"agents": {"model": model(served.url), "easy": {"player": "easy"}}}
        assert run(**plan, budget={"run_tokens": 1})[0] == 1
        file = Path("plan-run/run.json")
        manifest = json.loads(file.read_text())
        first = manifest.pop("plans")
        del manifest["starts"][0]["plan"]
        file.write_text(json.dumps(manifest))
        assert run(**plan)[0] == 0
    assert json.loads(file.read_text())["plans"][:1] == first


def test_the_report_of_a_run_folder_has_its_accounts_and_the_reasons_of_forfeits(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(chat.answers("no idea")) as served:
        _, told = run(agents={"model": model(served.url), "easy": {"player": "easy"}}, retries=0)
    Path("plan-run/matches/notes.log").write_text("not ours\n")
    capsys.readouterr()
    assert main(["agents", "report", "plan-run"]) == 0
    said = capsys.readouterr()
    assert "model forfeited 2 turns. The most frequent reason: The answer cannot be read: it has no JSON" in said.out
    assert "Usage of model: requests 2 (failed 0)" in said.out
    assert "notes.log' is left out of the report." in said.err
    assert main(["agents", "report", "plan-run", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)["runs"]["plan-run"]
    assert facts["usage"] == told["usage"]
    assert (facts["results"], facts["forfeits"], facts["planned"]) == (told["results"], {"model": 2}, 2)


def test_the_folder_describes_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_A_MODEL", "a-key-that-is-secret")
    Path("agent.py").write_text("raise SystemExit(0)")
    agents = {
        "perfect": {"player": "perfect"},
        "easy": {"player": "easy"},
        "model": {
            "chat": "http://127.0.0.1:9/v1",
            "model": "m",
            "key_env": "KEY_OF_A_MODEL",
            "parameters": {"top_p": 1},
        },
        "program": {"command": ["{python}", "agent.py"]},
    }
    assert run(agents=agents, matches=[["perfect", "easy"]], seed=7)[0] == 0
    manifest = json.loads(Path("plan-run/run.json").read_text())
    plan = manifest["plan"]
    assert (plan["game"], plan["seed"], plan["retries"], plan["options"]["claims"]) == ("agents", 7, 2, "yes")
    assert plan["agents"]["model"]["parameters"] == {"top_p": 1}
    assert {message["role"] for message in manifest["prompts"]["model"]["X"]} == {"system", "user"}
    (start,) = manifest["starts"]
    assert start["versions"]["ninefold"] == __version__
    assert start["programs"]["program"]["agent.py"] == hashlib.sha256(b"raise SystemExit(0)").hexdigest()
    schedule = [json.loads(line) for line in Path("plan-run/schedule.jsonl").read_text().splitlines()]
    assert [(one["x"], one["o"], one["seed"]) for one in schedule] == [("perfect", "easy", 7), ("easy", "perfect", 8)]
    assert "a-key-that-is-secret" not in Path("plan-run/run.json").read_text()


def test_a_complete_run_is_not_started_again(run: Run) -> None:
    for _ in range(2):
        assert run()[0] == 0
    assert len(json.loads(Path("plan-run/run.json").read_text())["starts"]) == 1


def test_the_report_names_every_isolation_that_programs_had(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run()[1]["isolation"] == []
    assert run_command("plan.toml") == 0
    assert "Unprotected" not in capsys.readouterr().out
    manifest = json.loads(Path("plan-run/run.json").read_text())
    manifest["starts"] = [{"isolation": "none"}, {"isolation": "bubblewrap"}]
    Path("plan-run/run.json").write_text(json.dumps(manifest))
    assert run()[1]["isolation"] == ["bubblewrap", "none"]
    assert run_command("plan.toml") == 0
    out = capsys.readouterr().out
    assert "Each program ran in a sandbox of its own (bubblewrap).\nUnprotected: programs could read" in out


def with_thief(thief: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all matches end with a theft."""

    def steal(*_: object) -> None:
        raise SeatStolen("perfect", thief)

    monkeypatch.setattr(runner, "_match_runner", steal)


def test_a_void_match_is_never_played_again(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        with_thief("easy", patch)
        code, told = run()
    assert (code, told["crashes_by_agent"]) == (1, {})
    assert [(one["crash"], one["seat"], one["void"]) for one in told["crashes"]] == [
        ("easy", 2, True),
        ("easy", 1, True),
    ]
    before = Path("plan-run/journal.jsonl").read_bytes()
    assert run_command("plan.toml") == 1
    assert Path("plan-run/journal.jsonl").read_bytes() == before
    out = capsys.readouterr().out
    assert "Match 0 is void, because of easy. It tried to take the seat of 'perfect'." in out
    assert "again" not in out


def test_a_thief_that_nobody_knows_is_called_unknown(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_thief("", monkeypatch)
    _, told = run()
    assert {(one["crash"], one["seat"], one["void"]) for one in told["crashes"]} == {("", 0, True)}
    assert told["results"] == []
    assert run_command("plan.toml") == 1
    expected = "Match 0 is void. Somebody else tried to take the seat of 'perfect'. The thief is unknown."
    assert expected in capsys.readouterr().out


def test_a_thief_from_another_match_has_no_seat(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with_thief("third", monkeypatch)
    _, told = run()
    assert {(one["crash"], one["seat"]) for one in told["crashes"]} == {("third", 0)}
