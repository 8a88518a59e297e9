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
from ninefold.match.files import load
from tests.support.console import TWO_PEOPLE, ninefold, refused


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


def test_solve_and_analyze_explain_their_figures() -> None:
    shown = ninefold("solve", "classic").stdout
    assert "5,478 positions; in 4,520 of them the game goes on.\n" in shown
    assert "In 120 of the drawn ones nobody can win any more (dead draws).\n" in shown
    unit = "A score is in lines of boards: +1.00 means that X is one line ahead.\n"
    assert unit in ninefold("analyze", "squared", "--nodes", "1000").stdout
    assert unit not in ninefold("analyze", "classic").stdout


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


def test_show_writes_svg_alone_to_standard_output() -> None:
    done = ninefold("show", "classic", "X../.../... O", "--svg", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert ET.fromstring(done.stdout).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 (our own text)
    assert "both write to standard output" in refused("show", "classic", "--svg", "-", "--json")


@pytest.fixture
def truncated(tmp_path: Path) -> Path:
    """A log of three moves, cut off in the middle of the last one."""
    file = tmp_path / "my game.log"
    ninefold("play", "classic", *TWO_PEOPLE, "--save", str(file), typed="5\n1\n9\ne\n")
    text = file.read_text()
    file.write_text(text[: text.index('"checksum"') - 10])
    return file


def test_a_truncated_log_is_refused_with_the_command_that_rescues_it(truncated: Path) -> None:
    for command in (("replay",), ("play", "--load")):
        told = refused(*command, str(truncated))
        assert "Line 4: this is not a JSON object." in told
        assert told.endswith(f"ninefold replay --rescue '{truncated}'")


def test_a_truncated_log_is_rescued_and_played_on(truncated: Path, tmp_path: Path) -> None:
    before, new = truncated.read_text(), tmp_path / "rescued.log"
    done = ninefold("replay", "--rescue", str(truncated), "--save", str(new))
    assert done.returncode == 0
    assert done.stderr == "Rescued 2 events. Line 4: this is not a JSON object.\n"
    assert done.stdout.endswith("It is the turn of Player 1 (X).\n")
    assert truncated.read_text() == before
    assert ninefold("play", "--load", str(new), typed="9\ne\n").returncode == 0
    assert load(str(new)).state.moves == (4, 0, 8)
    assert "exists already" in refused("replay", "--rescue", str(truncated), "--save", str(new))


def test_the_rescue_of_a_whole_log_says_so(truncated: Path, tmp_path: Path) -> None:
    new = tmp_path / "rescued.log"
    ninefold("replay", "--rescue", str(truncated), "--save", str(new))
    again = ninefold("replay", "--rescue", str(new), "--log")
    assert again.stderr == "Every line can be read: nothing had to be rescued. Events: 2.\n"
    assert again.stdout == new.read_text()


def test_bytes_that_are_no_text_end_what_is_rescued(truncated: Path) -> None:
    truncated.write_bytes(truncated.read_bytes() + b"\xff\n" * 2)
    done = ninefold("replay", "--rescue", str(truncated))
    assert done.stderr == "Rescued 2 events. Line 4: this is not UTF-8 text.\n"


def test_where_nothing_can_be_rescued_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    file.write_text('{"ninefold": 1, "game": "cla')
    assert refused("replay", "--rescue", str(file)).endswith("Only a log whose first line is whole can be rescued.")
    assert "--rescue" not in refused("replay", str(file))


def test_a_log_that_was_changed_is_refused_and_can_be_rescued(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    ninefold("play", "classic", *TWO_PEOPLE, "--x-name", "Ann", "--save", str(file), typed="5\n1\ne\n")
    file.write_text(file.read_text().replace("Ann", "Ant"))
    assert "the checksum does not fit" in refused("replay", str(file))
    done = ninefold("replay", "--rescue", str(file))
    assert done.stderr.startswith("Rescued 2 events. Line 4: the checksum does not fit")
    assert "Ant (X)" in done.stdout
