"""UGI as a match runner speaks it, in process and with the real command."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ninefold.analysis import engine
from ninefold.games import find_game
from tests.support.waiting import PATIENCE

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)

from ninefold.analysis.ugi import Ugi

WON = "XXX....../XXX....../XXX....../OO......./OO......./OO......./........./........./......... O *"


def replies(*lines: str) -> list[str]:
    screen = io.StringIO()
    Ugi(screen).run(io.StringIO("\n".join(lines) + "\n"))
    return screen.getvalue().splitlines()


def test_an_engine_introduces_itself_and_its_options() -> None:
    written = replies("ugi", "isready")
    assert written[0].startswith("id name Ninefold")
    assert "option name Game type combo default ultimate var ultimate var squared" in written
    assert written[-2:] == ["ugiok", "readyok"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["query gameover"], "response false"),
        (["query p1turn"], "response true"),
        (["query result"], "response none"),
        (["position startpos moves 55", "query p1turn"], "response false"),
        ([f"position fen {WON}", "query gameover"], "response true"),
        ([f"position fen {WON}", "query result"], "response p1win"),
        (["setoption name first value O", "position startpos", "query p1turn"], "response true"),
    ],
)
def test_queries_are_answered(lines: list[str], answer: str) -> None:
    assert replies(*lines) == [answer]


def test_lines_may_end_as_on_windows() -> None:
    assert replies("position startpos moves 55\r", "query p1turn\r") == ["response false"]


def test_a_search_writes_its_progress_and_a_legal_move() -> None:
    screen = io.StringIO()
    ugi = Ugi(screen)
    ugi.handle(["position", "startpos", "moves", "55", "57"])
    ugi.handle(["go", "depth", "4"])
    ugi.wait()
    written = screen.getvalue().splitlines()
    assert written[-1].startswith("bestmove 7")
    assert written[-2].startswith("info depth 4 score cp ")


def test_stop_ends_an_endless_search_with_a_move() -> None:
    written = replies("position startpos", "go infinite", "stop")
    assert written[-1].split()[0] == "bestmove"
    game = find_game("ultimate")
    assert game.move_at(game.begin(), game.parse_move(written[-1].split()[1])) in range(81)


@pytest.mark.parametrize(
    "line",
    [
        "dance",
        "position",
        "position startpos moves 55 55",
        "position startpos moves ²",
        "position fen nonsense",
        "go depth ²",
        "go sideways",
        "go movetime",
        "setoption",
        "setoption name Game value chess",
        "setoption name Hash value 0",
        "setoption name first value Z",
        "query weather",
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_a_sentence_and_changes_nothing(line: str) -> None:
    written = replies("position startpos moves 55", line, "query p1turn")
    assert written[0].startswith("info string ")
    assert written[1:] == ["response false"]


def test_squared_is_another_rule_set() -> None:
    drawn = "XOXXOOOXX/XOXXOOOXX/XOXXOOOXX/........./........./........./........./........./......... X *"
    assert replies(f"position fen {drawn}", "query gameover") == ["response false"]
    assert replies("setoption name Game value squared", f"position fen {drawn}", "query result") == ["response draw"]


def test_two_engines_play_a_game_through_the_real_command() -> None:
    command = [str(Path(sys.executable).with_name("ninefold")), "engine"]
    game = find_game("ultimate")
    position = game.begin()
    moves: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        while position.outcome is None:
            program.stdin.write(f"position startpos moves {' '.join(moves)}\ngo nodes 2000\n")
            best = next(line for line in program.stdout if line.startswith("bestmove")).split()[1]
            position = position.play(game.move_at(position, game.parse_move(best)))
            moves.append(best)
        program.stdin.write("quit\n")
        program.stdin.flush()
        assert program.wait(PATIENCE) == 0
