"""A thief among the programs of an evaluation, in every mode of isolation that this machine has."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.agents.evaluation import runner
from ninefold.agents.evaluation.isolation import (
    MODES,
    Bubblewrap,
    Mode,
    NoIsolation,
    ProgramPlace,
    check_bubblewrap,
    check_users,
    choose_isolation,
)
from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.plan import Plan, parse_plan
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import RunFolder, schedule
from ninefold.agents.evaluation.server import NamedServer
from ninefold.cli.commands.evaluate import isolation_of
from ninefold.client import watch
from ninefold.core.errors import NotAllowed
from scripts import bubblewrap
from tests.support.server_process import Serving, serving
from tests.support.thieves import LISTENING_THIEF, TALKATIVE_VICTIM, THIEF, VICTIM, meetings

SECRET = "secret-of-the-victim"  # noqa: S105 - the thief looks for it


def with_bubblewrap(patch: pytest.MonkeyPatch) -> None:
    """Put the bubblewrap of the tests on the path."""
    if (found := bubblewrap.find()) and not shutil.which("bwrap"):
        patch.setenv("PATH", f"{Path(found).parent}{os.pathsep}{os.environ['PATH']}")


def python_for_others() -> str | None:
    """A Python that every user may run; the one of the tests may be in somebody's home."""
    for python in ("{python}", "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(NotAllowed):
            check_users([ProgramPlace("", 1, [python], Path("/"))])
            return python
    return None


def modes_of_this_machine() -> list[Mode]:
    """The modes that work here. None is skipped: a mode that is missing is no test."""
    modes: list[Mode] = ["none"]
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(NotAllowed):
        with_bubblewrap(patch)
        check_bubblewrap()
        modes.append("bubblewrap")
    return [*modes, "users"] if python_for_others() else modes


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, which other users may enter, with the temporary files of the run in it."""
    with_bubblewrap(monkeypatch)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "temporary").mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
        monkeypatch.setenv("VICTIMS_KEY", SECRET)
        yield folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


def thief_against_victim(folder: Path, port: int, python: str) -> Plan:
    (folder / "thief.py").write_text(THIEF)
    (folder / "victim.py").write_text(VICTIM)
    thief = {"command": [python, "thief.py", str(port), str(os.getpid()), str(folder)]}
    victim = {"command": [python, "victim.py", str(port)], "env": ["VICTIMS_KEY"]}
    return parse_plan({"game": "agents", "seconds": 600, "agents": {"thief": thief, "victim": victim}})


@pytest.mark.parametrize("mode", modes_of_this_machine())
def test_a_thief_never_takes_the_seat_of_another_program(mode: Mode, folder: Path, server: Serving) -> None:
    run_folder = RunFolder(folder / "run")
    with meetings() as port, run_folder.locked():
        plan = thief_against_victim(folder, port, "{python}" if mode != "users" else str(python_for_others()))
        isolation = isolation_of(plan, run_folder, mode)
        assert isolation
        with EvaluationRun(plan, ApiKeys(), run_folder, isolation=isolation, server=NamedServer(server.url)) as run:
            result = run.play(schedule(plan)[0])
    if mode == "none":  # what it has stolen is worth nothing, and the match is void
        assert (result.crash, result.void) == ("thief", True)
        assert result.why == "It tried to take the seat of 'victim'."
        assert not run_folder.log(0).exists()
        with watch(result.link) as seen:
            assert seen.view()["result"] is None  # it has not resigned for the other one
        return
    assert (result.score, result.by, result.crash) == ("0-1", "resigned", "")  # the thief has resigned for itself
    (line,) = run_folder.transcript(0, 1).read_text().splitlines()
    assert json.loads(json.loads(line)["printed"]) == {"secrets": [], "links": 0, "stolen": 0}


def test_a_victim_that_says_its_seat_in_the_chat_loses_nothing(folder: Path, server: Serving) -> None:
    (folder / "thief.py").write_text(LISTENING_THIEF)
    (folder / "victim.py").write_text(TALKATIVE_VICTIM)
    run_folder = RunFolder(folder / "run")
    with meetings() as port, run_folder.locked():
        thief = {"command": ["{python}", "thief.py", str(port), server.url.rstrip("/")]}
        agents = {"thief": thief, "victim": {"command": ["{python}", "victim.py", str(port)]}}
        plan = parse_plan({"game": "agents", "seconds": 600, "agents": agents})
        with EvaluationRun(plan, ApiKeys(), run_folder, server=NamedServer(server.url)) as run:
            result = run.play(schedule(plan)[0])
    (line,) = run_folder.transcript(0, 1).read_text().splitlines()
    assert json.loads(json.loads(line)["printed"]) == [False]  # it has heard one seat, and stolen none
    assert (result.score, result.by, result.crash) == ("0-1", "resigned", "")  # the thief has resigned for itself


def test_every_run_without_isolation_hides_its_own_folders_only(tmp_path: Path) -> None:
    plan = parse_plan({"game": "agents", "agents": {name: {"player": "easy"} for name in "ab"}})
    with EvaluationRun(plan, ApiKeys(), RunFolder(tmp_path)) as one:
        one.isolation.hidden.append(tmp_path)
    with EvaluationRun(plan, ApiKeys(), RunFolder(tmp_path)) as other:
        assert other.isolation.hidden == []


LOOKS = """
import os
for path in ("mine", "others", "run", "temporary"):
    print(path, sorted(os.listdir(path)))
for path in ("file", "mine/new", "shared/new", "/tmp/ninefold-test"):
    try:
        open(path, "x").close()
        print("wrote", path)
    except OSError as error:
        print(type(error).__name__, path)
print(sum(name.isdigit() for name in os.listdir("/proc")), os.environ["TMPDIR"])
"""


if "bubblewrap" in modes_of_this_machine():

    def test_a_program_in_a_sandbox_sees_and_writes_only_what_it_may(folder: Path) -> None:
        for name in ("mine", "others", "run", "shared"):
            (folder / name).mkdir()
            (folder / name / "secret").touch()
        folders = {"a": folder / "mine", "b": folder / "others"}
        sandbox = Bubblewrap([folder / "run", folder / "temporary"], folders)
        place = ProgramPlace("a", 1, [sys.executable, "-c", LOOKS], folder, [folder / "shared"])
        launch = sandbox.launch(place, os.environ)
        said = subprocess.run(launch.command, env=launch.environment, capture_output=True, text=True, check=True)
        assert said.stdout.splitlines() == [
            "mine ['secret']",
            "others []",
            "run []",
            "temporary []",
            "OSError file",
            "wrote mine/new",
            "wrote shared/new",
            "wrote /tmp/ninefold-test",
            "2 /tmp",  # itself, and the first process of the sandbox
        ]
        assert not Path("/tmp/ninefold-test").exists()  # noqa: S108 - that of the sandbox was another one


def test_a_run_cannot_be_read_by_other_processes_of_its_user(tmp_path: Path) -> None:
    plan = parse_plan({"game": "agents", "agents": {name: {"player": "easy"} for name in "ab"}})
    before = dumpable()
    with EvaluationRun(plan, ApiKeys(), RunFolder(tmp_path)):
        assert dumpable() == 0
    assert dumpable() == before


def dumpable() -> int:
    """1 if processes of the same user may read the memory and the environment of this one."""
    return int(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))


def test_the_server_of_a_run_is_given_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_A_MODEL", "a-key")
    chat = {"chat": "http://127.0.0.1:9/v1", "model": "m", "key_env": "KEY_OF_A_MODEL"}
    plan = parse_plan({"game": "agents", "agents": {"model": chat, "b": {"player": "easy"}}})
    given: dict[str, str] = {}
    monkeypatch.setattr(runner, "EvaluationServer", lambda _, environment: given.update(environment))
    with contextlib.suppress(AttributeError):  # there is no server to close
        EvaluationRun(plan, ApiKeys(), RunFolder(tmp_path)).close()
    assert "PATH" in given
    assert "KEY_OF_A_MODEL" not in given


def test_the_best_isolation_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    with_bubblewrap(monkeypatch)
    available = modes_of_this_machine()
    assert choose_isolation("auto").mode == next(mode for mode in MODES if mode in available)
    monkeypatch.setenv("PATH", "")
    assert choose_isolation("auto").mode == "none"


def test_an_isolation_that_this_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotAllowed, match="There is no program bwrap here"):
        choose_isolation("bubblewrap")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NotAllowed, match="Only root can start programs as other users"):
        choose_isolation("users")
    assert isinstance(choose_isolation("none"), NoIsolation)
