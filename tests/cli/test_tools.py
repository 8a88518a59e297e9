"""The small tools of the installed command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ninefold import __version__
from ninefold.games import all_games
from tests.support.console import ninefold


def test_version() -> None:
    done = ninefold("--version")
    assert done.stdout.startswith(f"ninefold {__version__} ")
    assert done.returncode == 0


def test_python_dash_m_is_the_same_command() -> None:
    assert subprocess.run([sys.executable, "-m", "ninefold", "--version"], capture_output=True, check=True).stdout


def test_games_lists_every_game() -> None:
    ids = [line.split()[0] for line in ninefold("games").stdout.splitlines()]
    assert ids == list(all_games())
    assert [game["id"] for game in json.loads(ninefold("games", "--json").stdout)] == ids


@pytest.mark.parametrize("game", all_games())
def test_rules_are_those_of_the_game_with_its_options(game: str) -> None:
    shown = ninefold("rules", game).stdout
    assert all_games()[game].console_rules in shown
    assert all(f"  {option.name} " in shown for option in all_games()[game].options)
    assert shown.endswith(all_games()[game].with_advice(""))


def test_solve_knows_that_classic_is_a_draw() -> None:
    shown = ninefold("solve", "classic").stdout
    assert "draw for X, who starts" in shown
    assert "5,478 positions" in shown
    facts = json.loads(ninefold("solve", "classic", "--json").stdout)
    assert (facts["positions"], facts["value"], facts["dead_draws"]) == (5478, "draw", 120)
    assert facts["best"] == list("123456789")


def test_solve_counts_the_positions_of_swap_nine() -> None:
    assert json.loads(ninefold("solve", "swap-nine", "--json").stdout)["positions"] == 16_973


def test_analyze_values_every_move() -> None:
    first, *moves = ninefold("analyze", "classic", "XX./OO./...", "X").stdout.splitlines()
    assert first == "X to move, exact values:"
    assert [line.split(maxsplit=1) for line in moves] == [
        ["3", "win in 1"], ["6", "draw"], ["7", "loss in 2"], ["8", "loss in 2"], ["9", "loss in 2"],
    ]  # fmt: skip


def test_analyze_in_json() -> None:
    found = json.loads(ninefold("analyze", "classic", "XX./OO./... X", "--json").stdout)
    best = found["moves"][0]
    assert (best["move"], best["name"], best["value"], best["distance"], found["exact"]) == (2, "3", 1, 1, True)
    searched = json.loads(ninefold("analyze", "squared", "--nodes", "5000", "--lines", "81", "--json").stdout)
    assert len(searched["moves"]) == 81
    assert searched["nodes"] >= 5000


def test_analyze_of_a_finished_position_tells_its_outcome() -> None:
    assert ninefold("analyze", "classic", "XXX/OO./... O").stdout == "X wins: three in a row (1 2 3).\n"


def test_perft_counts_as_the_rules_page_does() -> None:
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert json.loads(ninefold("perft", "classic", "9", "--json").stdout)["perft"] == counts
    assert ninefold("perft", "squared", "3").stdout.split() == ["1", "81", "2", "720", "3", "6,336"]


def test_replay_tells_a_match_and_prints_its_other_forms(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    ninefold("play", "agents", "--save", str(file), typed="[0,0]\nclaim O [0,0][0,1][0,2]\ndispute not yet\ne\n")
    told = ninefold("replay", str(file)).stdout
    assert "Player 1 (X) disputes: not yet" in told
    assert told.count("Anti-diagonal") == 1
    assert ninefold("replay", str(file), "--log").stdout == file.read_text()
    assert "1. [0,0] O:claim[0,0][0,1][0,2] X:dispute{not yet} *" in ninefold("replay", str(file), "--record").stdout
    board = json.loads(ninefold("replay", str(file), "--json").stdout)
    assert board["board"] == [["O", " ", " "], [" ", " ", " "], [" ", " ", " "]]
    assert (board["game_status"], board["next_player"], board["winner"]) == ("in_progress", "X", None)


@pytest.mark.parametrize("game", all_games())
def test_show_draws_a_position_as_text_and_as_well_formed_svg(tmp_path: Path, game: str) -> None:
    file = tmp_path / "board.svg"
    done = ninefold("show", game, "--svg", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert " to move." in done.stdout
    assert ET.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 (our own file)


def test_show_in_json_names_the_legal_moves_and_the_outcome() -> None:
    shown = json.loads(ninefold("show", "swap-nine", ".../.X./...", "O", "--json").stdout)
    assert {"move": 1, "name": "2", "path": [1]} in shown["moves"]
    assert "2x5" in [move["name"] for move in shown["moves"]]
    won = json.loads(ninefold("show", "classic", "XXX/OO./... O", "--json").stdout)
    assert won["outcome"] == {"winner": "X", "reason": "line", "lines": [[0, 1, 2]]}
