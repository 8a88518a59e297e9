"""The installed command: exit codes, files, tools, colour, and what it does not import."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from console import COMMAND, environment, ninefold, read_until, screen, started, type_line
from ninefold import __version__
from ninefold.games import all_games

TWO_PEOPLE = ("--x", "human", "--o", "human")
X_WINS = "1\n4\n2\n5\n3\n"
NEXT_CELL = "Player 1 (X), choose a cell (2 3 4 6 7 8 9): "


def refused(*arguments: str, typed: str = "") -> str:
    """The one sentence that a refusal is, on standard error, with exit code 2."""
    done = ninefold(*arguments, typed=typed)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.split("\n") if line.startswith("ninefold")]
    assert len(lines) == 1, done.stderr
    return lines[0]


# Exit codes


def test_a_finished_game_and_a_player_who_leaves_end_with_0() -> None:
    assert ninefold("play", "classic", *TWO_PEOPLE, typed=X_WINS).returncode == 0
    done = ninefold("play", "classic", *TWO_PEOPLE, typed="5\ne\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("No winner: O left the game.\n")


@pytest.mark.parametrize(
    "arguments", [(), ("play", "classic"), ("play", "squared"), ("play", "swap-nine"), ("play", "agents")]
)
def test_e_at_the_first_prompt_ends_with_0(arguments: tuple[str, ...]) -> None:
    assert ninefold(*arguments, typed="E\n").returncode == 0


def test_the_end_of_input_ends_politely_with_3() -> None:
    done = ninefold("play", "classic", *TWO_PEOPLE, typed="5\n")
    assert (done.returncode, done.stderr) == (3, "The input has ended; so has Ninefold.\n")
    assert ninefold().returncode == 3


def test_a_last_line_without_its_newline_is_still_an_answer() -> None:
    assert "4 | X | 6" in ninefold("play", "classic", *TWO_PEOPLE, typed="5").stdout


def test_ctrl_c_at_a_prompt_ends_politely_with_130() -> None:
    with started("play", "classic") as game:
        read_until(game, "X or O? ")
        game.send_signal(signal.SIGINT)
        _, complaint = game.communicate(timeout=20)
    assert (game.returncode, complaint) == (130, "\nInterrupted.\n")


@pytest.mark.parametrize(
    "arguments", [("games",), ("rules", "squared"), ("play", "classic"), ("perft", "classic", "3")]
)
def test_a_pipe_that_nobody_reads_ends_with_141(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [COMMAND, *arguments], input="", stdout=writer, stderr=subprocess.PIPE, text=True, env=environment()
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_pipe_closed_in_the_middle_of_a_game_ends_with_141() -> None:
    with started("play", "classic", *TWO_PEOPLE) as game:
        read_until(game, "8 9): ")
        screen(game).close()
        type_line(game, "5")
        assert game.wait(20) == 141
        assert game.stderr
        assert game.stderr.read() == ""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "> /dev/full", "< /dev/null 2>&-"])
@pytest.mark.parametrize("command", ["play classic", "games"])
def test_a_stream_that_is_closed_or_full_is_no_reason_for_a_traceback(command: str, redirection: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {command} {redirection}', COMMAND],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(),
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


# Bad input

GARBAGE: dict[str, tuple[str, ...]] = {
    "no such command": ("chess",),
    "no such game to play": ("play", "chess"),
    "no game to play": ("play",),
    "no such player": ("play", "classic", "--x", "genius"),
    "perfect at a big game": ("play", "squared", "--o", "perfect"),
    "no such first": ("play", "classic", "--first", "Z"),
    "no such option": ("play", "classic", "--option", "colour=red"),
    "no such value": ("play", "classic", "--option", "early_draw=maybe"),
    "an option without a value": ("play", "classic", "--option", "early_draw"),
    "claims where a line ends": ("play", "classic", "--option", "claims=yes"),
    "early draw of a big game": ("play", "squared", "--option", "early_draw=yes"),
    "seed": ("play", "classic", "--seed", "²"),
    "negative seed": ("play", "classic", "--seed", "-1"),
    "huge seed": ("play", "classic", "--seed", "9" * 5000),
    "pause": ("play", "classic", "--pause", "nan"),
    "negative pause": ("play", "classic", "--pause", "-1"),
    "pause in other digits": ("play", "classic", "--pause", "٣"),
    "file that is not there": ("play", "--load", "nowhere.log"),
    "folder as a file": ("play", "--load", "/"),
    "folder to save in": ("play", "classic", *TWO_PEOPLE, "--save", "/"),
    "nowhere to save": ("play", "classic", *TWO_PEOPLE, "--save", "/nowhere/game.log"),
    "nothing to save to": ("play", "classic", *TWO_PEOPLE, "--save", ""),
    "rules": ("rules", "chess"),
    "rules of an escape": ("rules", "\x1b[2J"),
    "rules of bytes": ("rules", "\udcff"),
    "solve": ("solve", "chess"),
    "solve a big game": ("solve", "squared"),
    "solve with an option": ("solve", "classic", "--option", "x=y"),
    "analyze": ("analyze", "chess"),
    "analyze garbage": ("analyze", "classic", "garbage"),
    "analyze too few marks": ("analyze", "classic", "XX/OO X"),
    "analyze a board that cannot be": ("analyze", "classic", "XXX/OOO/... X"),
    "analyze boards that cannot be": ("analyze", "squared", "/".join(["XXXXXXXXX"] * 9), "X", "*"),
    "analyze a long text": ("analyze", "classic", "X" * 5000),
    "perft": ("perft", "chess", "3"),
    "perft of nothing": ("perft", "classic", "0"),
    "perft of letters": ("perft", "classic", "three"),
    "perft of other digits": ("perft", "classic", "٣"),
    "replay": ("replay", "nowhere.log"),
    "replay a folder": ("replay", "/"),
    "replay a name of bytes": ("replay", "\udcff"),
    "show": ("show", "chess"),
    "show garbage": ("show", "classic", "XOX"),
    "show a dead board to play in": ("show", "squared", "/".join(["XXX......", *["........."] * 8]), "O", "7"),
    "show in a folder that is not there": ("show", "classic", "--svg", "/nowhere/board.svg"),
}


@pytest.mark.parametrize("arguments", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_answered_with_one_sentence(arguments: tuple[str, ...]) -> None:
    sentence = refused(*arguments)
    assert "\x1b" not in sentence
    assert len(sentence) < 400


def test_a_refusal_says_what_is_possible_instead() -> None:
    assert (
        refused("rules", "chess")
        == "ninefold: There is no game 'chess'. Games: classic agents squared ultimate swap-nine."
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "1"), ("{}", "1"), ("{\n", "1"), ("nonsense", "1"), ("\x00\x01", "1"), ('[Game "chess"]\n\n*', "1"),
        ('[Game "classic"]\n\n1. 5 5 *', "3"), ('[Game "classic"]\n[Game "classic"]\n\n*', "2"), ("[" * 100_000, "1"),
    ],
)  # fmt: skip
def test_a_broken_file_gives_its_line(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "broken"
    file.write_text(text)
    for command in (("replay", str(file)), ("play", "--load", str(file))):
        assert f"Line {line}: " in refused(*command)
    assert file.read_text() == text


def test_a_file_of_bytes_that_are_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken"
    file.write_bytes(b"\n\xff\xfe")
    assert "Line 2: this is not UTF-8 text." in refused("replay", str(file))


def test_bytes_that_are_no_text_are_no_answer() -> None:
    done = subprocess.run(
        [COMMAND, "play", "classic", *TWO_PEOPLE],
        input=b"\xff\xfe\n5\x00\n\ne\n",
        capture_output=True,
        env=environment(),
    )
    assert (done.returncode, done.stderr) == (0, b"")


# Files


def test_the_match_is_on_disk_after_every_move_and_survives_kill_9(tmp_path: Path) -> None:
    file = str(tmp_path / "game.log")
    with started("play", "classic", *TWO_PEOPLE, "--save", file) as game:
        read_until(game, "8 9): ")
        type_line(game, "5")
        read_until(game, "8 9): ")
        type_line(game, "1")
        read_until(game, NEXT_CELL)
        game.kill()
        game.wait(20)
    done = ninefold("play", "--load", file, typed="e\n")
    assert "O | 2 | 3\n4 | X | 6\n7 | 8 | 9\n" in done.stdout
    assert NEXT_CELL in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["game.log"]


@pytest.mark.parametrize("name", ["game.log", "game.record"])
def test_a_game_is_left_and_gone_on_with_until_it_is_won(tmp_path: Path, name: str) -> None:
    file = str(tmp_path / name)
    left = ninefold("play", "classic", *TWO_PEOPLE, "--save", file, typed="1\n4\n2\ne\n")
    assert left.returncode == 0
    assert left.stdout.endswith("It is saved and can be gone on with.\n")
    won = ninefold("play", "--load", file, typed="5\n3\n")
    assert won.stdout.endswith("X wins: three in a row (1 2 3).\n")
    assert "X wins: three in a row (1 2 3)." in ninefold("replay", file).stdout


def test_a_record_reads_like_one_and_a_log_is_json_lines(tmp_path: Path) -> None:
    record, log = tmp_path / "game.record", tmp_path / "game.log"
    for file in (record, log):
        ninefold("play", "swap-nine", "--save", str(file), "--x-name", "Ann", typed="5\n2\n5\ne\n")
    assert '[Game "swap-nine"]' in record.read_text()
    assert '[X "Ann"]' in record.read_text()
    assert "1. 5 2x5 *" in record.read_text()
    assert [json.loads(line).get("event") for line in log.read_text().splitlines()] == [None, "moved", "moved"]


def test_saving_never_overwrites_a_file_that_was_there(tmp_path: Path) -> None:
    file = tmp_path / "precious"
    file.write_text("my letters")
    assert "exists already" in refused("play", "classic", "--save", str(file))
    assert file.read_text() == "my letters"


def test_saving_a_loaded_match_elsewhere_never_overwrites_a_file_either(tmp_path: Path) -> None:
    game, file = tmp_path / "game.log", tmp_path / "precious"
    ninefold("play", "classic", *TWO_PEOPLE, "--save", str(game), typed="5\ne\n")
    file.write_text("my letters")
    assert "exists already" in refused("play", "--load", str(game), "--save", str(file), typed="e\n")
    assert file.read_text() == "my letters"


def test_a_loaded_match_may_be_saved_under_a_new_name(tmp_path: Path) -> None:
    old, new = tmp_path / "old.log", tmp_path / "new.log"
    ninefold("play", "classic", *TWO_PEOPLE, "--save", str(old), typed="5\ne\n")
    before = old.read_text()
    assert ninefold("play", "--load", str(old), "--save", str(new), typed="1\ne\n").returncode == 0
    assert old.read_text() == before
    assert new.read_text().startswith(before)


def test_a_finished_match_is_shown_with_its_end(tmp_path: Path) -> None:
    file = str(tmp_path / "game.log")
    ninefold("play", "classic", *TWO_PEOPLE, "--save", file, typed=X_WINS)
    done = ninefold("play", "--load", file)
    assert done.returncode == 0
    assert "X | X | X\nO | O | 6\n7 | 8 | 9\n" in done.stdout
    assert done.stdout.endswith("X wins: three in a row (1 2 3).\n")


@pytest.mark.parametrize(
    "conflict",
    [
        ("--x", "easy"),
        ("--o", "human"),
        ("--first", "O"),
        ("--seed", "1"),
        ("--seed", "0"),
        ("--option", "early_draw=no"),
        ("--x-name", "Ann"),
    ],
    ids=" ".join,
)
def test_what_a_file_settles_cannot_be_settled_again(tmp_path: Path, conflict: tuple[str, str]) -> None:
    file = str(tmp_path / "game.log")
    ninefold("play", "classic", *TWO_PEOPLE, "--save", file, typed="5\ne\n")
    assert conflict[0] in refused("play", "--load", file, *conflict, typed="e\n")


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "game.log")
    ninefold("play", "classic", *TWO_PEOPLE, "--save", file, typed="e\n")
    assert "is a match of classic, not of squared" in refused("play", "squared", "--load", file)


def test_names_from_a_file_send_no_escape_sequences(tmp_path: Path) -> None:
    file = tmp_path / "game.record"
    file.write_text('[Game "classic"]\n[X "\x1b[31mred\u202e"]\n\n1. 5 {X: \x1b[2Jhello} 1 *\n')
    done = ninefold("replay", str(file))
    assert "[31mred (X)" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_the_toss_and_the_computer_repeat_themselves_with_a_seed() -> None:
    arguments = ("play", "swap-nine", "--x", "easy", "--o", "medium", "--first", "toss", "--seed", "11", "--pause", "0")
    first, second = ninefold(*arguments), ninefold(*arguments)
    assert first.stdout == second.stdout
    assert first.returncode == 0


def test_player_1_may_choose_o_and_x_still_starts() -> None:
    done = ninefold("play", "classic", typed="O\n5\ne\n")
    assert done.stdout.startswith("Player 1, choose your sign, X or O? ")
    assert "Player 2 (X), choose a cell (1 2 3 4 5 6 7 8 9): " in done.stdout


def test_free_cells_show_dashes_where_the_player_prefers_them() -> None:
    done = ninefold("play", "swap-nine", "--dashes", typed="5\ne\n")
    assert " - | - | -\n-----------\n - | X | -\n-----------\n - | - | -\n" in done.stdout


# The menu


def test_the_menu_leads_from_the_start_to_a_finished_game() -> None:
    done = ninefold(typed=f"1\n1\nX\n{X_WINS}")
    for title in (game.title for game in all_games().values()):
        assert title in done.stdout
    assert done.stdout.endswith("X wins: three in a row (1 2 3).\n")
    assert (done.returncode, done.stderr) == (0, "")


# Tools


def test_version() -> None:
    done = ninefold("--version")
    assert done.stdout.startswith(f"ninefold {__version__} ")
    assert done.returncode == 0


def test_python_dash_m_is_the_same_command() -> None:
    assert subprocess.run([sys.executable, "-m", "ninefold", "--version"], capture_output=True, check=True).stdout


def test_games_lists_every_game() -> None:
    ids = [line.split()[0] for line in ninefold("games").stdout.splitlines()]
    assert ids == ["classic", "agents", "squared", "ultimate", "swap-nine"]
    assert [game["id"] for game in json.loads(ninefold("games", "--json").stdout)] == ids


@pytest.mark.parametrize("game", all_games())
def test_rules_are_those_of_the_game_with_its_options(game: str) -> None:
    shown = ninefold("rules", game).stdout
    assert all_games()[game].rules in shown
    assert all(f"  {option.name} " in shown for option in all_games()[game].options)


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
    assert (best["move"], best["name"], best["value"], best["distance"], best["exact"]) == (2, "3", 1, 1, True)
    assert len(json.loads(ninefold("analyze", "squared", "--json").stdout)["moves"]) == 81


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


# Colour


def at_a_terminal(**extra: str) -> str:
    """What `ninefold play classic` shows at a terminal on which 5 and e are typed."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "play", "classic", *TWO_PEOPLE], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**extra)
    ) as game:
        os.close(theirs)
        seen = b""
        for prompt, line in ((b"8 9): ", b"5\n"), (b"Player 2 (O), choose a cell", b"e\n"), (b"left the game.", b"")):
            while prompt not in seen:
                seen += os.read(ours, 1)
            os.write(ours, line)
        assert game.wait(20) == 0
    os.close(ours)
    return seen.decode()


def test_a_terminal_with_colour_gets_colour() -> None:
    assert "\x1b[" in at_a_terminal(TERM="xterm-256color")


@pytest.mark.parametrize(
    "extra", [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb terminal"]
)
def test_no_color_and_a_dumb_terminal_are_obeyed(extra: dict[str, str]) -> None:
    assert "\x1b[" not in at_a_terminal(**extra)


def test_a_pipe_gets_no_colour() -> None:
    assert "\x1b" not in ninefold("play", "classic", *TWO_PEOPLE, typed=X_WINS).stdout


# Start-up

HEAVY = {
    "numpy",
    "fastapi",
    "starlette",
    "uvicorn",
    "textual",
    "rich",
    "asyncio",
    "sqlite3",
    "sqlalchemy",
    "http",
    "socket",
    "json",
    "random",
}
PLAY_AND_LIST = """
import sys
before = set(sys.modules)
from ninefold.cli import main
assert main(["play", "classic", "--x", "human", "--o", "human"]) == 0
print(*sorted(name.partition(".")[0] for name in set(sys.modules) - before), file=sys.stderr)
"""


def test_a_terminal_game_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAY_AND_LIST], input="5\n1\ne\n", capture_output=True, text=True, env=environment()
    )
    imported = set(done.stderr.split())
    assert "ninefold" in imported
    assert imported & HEAVY == set()
