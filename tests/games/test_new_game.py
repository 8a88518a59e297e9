"""A new game is one new file: misere tic-tac-toe, dropped into a copy of the package, is there for everybody."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.games import all_games

SOURCE = Path(__file__).parents[2] / "src" / "ninefold"
MISERE = Path(__file__).parents[1] / "support" / "data" / "misere.py"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a copy of the package is that has one file more."""
    folder = tmp_path_factory.mktemp("copy")
    package = shutil.copytree(SOURCE, folder / "ninefold", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(MISERE, package / "games")
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """The command of that copy, which sees no installed packages."""

    def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-S", "-m", "ninefold", *arguments],
            input=typed,
            capture_output=True,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done

    return run


@pytest.fixture(scope="module")
def python(folder: Path) -> Callable[..., str]:
    """Python with that copy and the installed packages; what it prints."""

    def python(*arguments: str) -> str:
        # Without site, whose hooks would find the installed package first.
        paths = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])
        done = subprocess.run(
            [sys.executable, "-S", *arguments],
            capture_output=True,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": paths, "PYTEST_ADDOPTS": ""},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return python


def test_the_new_game_is_listed_after_the_old_ones(run: Run) -> None:
    listed = [line.split()[0] for line in run("games").stdout.splitlines()]
    assert set(listed) == {*all_games(), "misere"}
    assert listed.index("misere") > listed.index("swap-nine")
    assert "misere" in [game["id"] for game in json.loads(run("games", "--json").stdout)]


def test_the_contract_tests_run_over_it_and_pass(folder: Path, python: Callable[..., str]) -> None:
    tests = Path(__file__).parents[1]
    for name in ("games/test_contract.py", "games/test_golden.py", "support/playthrough.py"):
        (folder / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tests / name, folder / "tests" / name)
    (folder / "pytest.ini").touch()

    python("-m", "tests.support.playthrough")  # as `make golden` does
    tested = python("-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", "misere")
    contract = Path(__file__).with_name("test_contract.py").read_text(encoding="utf-8")
    asked = re.findall(r"^@EVERY_(?:CASE|GAME)\ndef (test_\w+)", contract, re.MULTILINE)
    assert len(asked) > 15
    assert [test for test in asked if f"::{test}[misere] PASSED" not in tested] == []
    assert "::test_a_game_goes_as_its_golden_playthrough[misere] PASSED" in tested


def test_it_has_environments_of_every_kind(python: Callable[..., str]) -> None:
    code = """
import gymnasium, pettingzoo
import ninefold.envs.aec, ninefold.envs.gym
from ninefold.envs.batch import make
duel = pettingzoo.make("aec", "ninefold/misere-v0")
for move in (0, 3, 1, 4, 2):
    duel.step(move)
solo = gymnasium.make("ninefold/misere-v0", opponent="perfect")
many = gymnasium.make_vec("ninefold/misere-v0", num_envs=3, opponent="hard")
batch = make("misere")
rollout = batch.rollout(batch.init(50), 20, seed=1)
print(duel.rewards, solo.reset()[0]["action_mask"].sum(), many.reset()[0]["action_mask"].sum(), rollout.ended.min() > 1)
"""
    assert python("-c", code) == "{'player_0': -1.0, 'player_1': 1.0} 9 27 True\n"


def test_the_page_about_adding_a_game_shows_what_the_program_says(run: Run) -> None:
    page = (Path(__file__).parents[2] / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    shown = page.partition("```console misere\n")[2].partition("```")[0].split("$ ninefold ")[1:]
    assert len(shown) == 3
    for command, _, output in (part.partition("\n") for part in shown):
        assert run(*command.split()).stdout.endswith(output.removeprefix("...\n"))
        assert output.startswith("...\n") or run(*command.split()).stdout == output


def test_its_rules_are_shown(run: Run) -> None:
    assert "The player who makes three in a row loses." in run("rules", "misere").stdout


def test_people_play_it(run: Run) -> None:
    shown = run("play", "misere", typed="1\n1\n4\n2\n5\n3\n").stdout
    assert "Player 1 (X), choose a cell (1 2 3 4 5 6 7 8 9): " in shown
    assert "Cell 1 is taken by X. Free cells: 2 3 4 5 6 7 8 9." in shown
    assert shown.endswith("O wins: X made three in a row (1 2 3).\n")


def test_computers_play_it_to_the_draw_that_it_is(run: Run) -> None:
    shown = run("play", "misere", "--x", "perfect", "--o", "perfect", "--pause", "0").stdout
    assert shown.endswith("A draw: the board is full and nobody had to make three in a row.\n")


def test_it_is_on_the_menu(run: Run) -> None:
    (entry,) = [line for line in run("--plain", typed="e\n").stdout.splitlines() if "Misere" in line]
    number = int(entry.split()[0])
    done = run("--plain", typed=f"{number}\n2\n\n1\n4\n2\n5\n3\n")
    assert done.stdout.endswith("O wins: X made three in a row (1 2 3).\n")


def test_it_is_solved(run: Run) -> None:
    """The first player keeps the draw only by the centre, and then by playing opposite to the second."""
    solved = json.loads(run("solve", "misere", "--json").stdout)
    assert (solved["value"], solved["best"]) == ("draw", ["5"])


def test_its_moves_are_valued(run: Run) -> None:
    assert "  9      loss in 1\n" in run("analyze", "misere", "X.O/.X./O..", "X").stdout


def test_its_sequences_are_counted_and_are_those_of_classic(run: Run) -> None:
    counts = json.loads(run("perft", "misere", "9", "--json").stdout)["perft"]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.parametrize("name", ["game.log", "game.record"])
def test_it_is_saved_gone_on_with_and_replayed(run: Run, tmp_path: Path, name: str) -> None:
    file = str(tmp_path / name)
    run("play", "misere", "--save", file, typed="1\n4\n2\ne\n")
    run("play", "--load", file, typed="5\n3\n")
    assert run("replay", file).stdout.endswith("O wins: X made three in a row (1 2 3).\n")
    assert "1. 1 4 2. 2 5 3. 3 0-1" in run("replay", file, "--record").stdout


def test_it_is_drawn(run: Run, tmp_path: Path) -> None:
    shown = run("show", "misere", "X../.O./...", "X", "--svg", str(tmp_path / "board.svg")).stdout
    assert " X | 2 | 3\n-----------\n 4 | O | 6\n" in shown
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
