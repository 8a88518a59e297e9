"""The installed command where something is wrong: exit codes, streams, bad input."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from ninefold.games import all_games
from tests.support.console import (
    COMMAND,
    TWO_PEOPLE,
    X_WINS,
    environment,
    ninefold,
    read_until,
    refused,
    screen,
    started,
    type_line,
)
from tests.support.waiting import PATIENCE

X_WON_RECORD = '[Game "classic"]\n\n1. 1 4 2. 2 5 3. 3 1-0\n'


def test_a_finished_game_and_a_player_who_leaves_end_with_0() -> None:
    assert ninefold("play", "classic", *TWO_PEOPLE, typed=X_WINS).returncode == 0
    done = ninefold("play", "classic", *TWO_PEOPLE, typed="5\ne\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("No winner: O left the game.\n")


@pytest.mark.parametrize("arguments", [(), *(("play", game) for game in all_games())])
def test_e_at_the_first_prompt_ends_with_0(arguments: tuple[str, ...]) -> None:
    assert ninefold(*arguments, typed="E\n").returncode == 0


def test_the_end_of_input_ends_politely_with_3() -> None:
    done = ninefold("play", "classic", *TWO_PEOPLE, typed="5\n")
    assert (done.returncode, done.stderr) == (3, "The input has ended, so the command stops.\n")
    assert ninefold("--plain").returncode == 3


def test_a_last_line_without_its_newline_is_still_an_answer() -> None:
    assert "4 | X | 6" in ninefold("play", "classic", *TWO_PEOPLE, typed="5").stdout


def test_lines_may_end_as_on_windows() -> None:
    done = ninefold("play", "classic", *TWO_PEOPLE, typed=X_WINS.replace("\n", "\r\n"))
    assert "X wins: three in a row (1 2 3)." in done.stdout
    assert ninefold("--plain", typed="1\r\n2\r\nx\r\n\r\nE\r\n").returncode == 0
    assert "  5      draw" in ninefold("analyze", "classic", ".../.../...", "X\r").stdout
    for text in (X_WON_RECORD, X_WON_RECORD.replace("\n", "\r\n")):
        assert "X wins" in ninefold("replay", "/dev/stdin", typed=text).stdout


def test_ctrl_c_at_a_prompt_ends_politely_with_130() -> None:
    with started("play", "classic") as game:
        read_until(game, "X or O? ")
        game.send_signal(signal.SIGINT)
        _, complaint = game.communicate(timeout=PATIENCE)
    assert (game.returncode, complaint) == (130, "\nInterrupted.\n")


def test_ctrl_c_while_computers_play_ends_politely_with_130() -> None:
    with started("play", "classic", "--x", "easy", "--o", "easy", "--pause", "600") as game:
        read_until(game, "easy (X): ")
        game.send_signal(signal.SIGINT)
        _, complaint = game.communicate(timeout=PATIENCE)
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
        assert game.wait(PATIENCE) == 141
        assert game.stderr
        assert game.stderr.read() == ""


def test_output_that_cannot_be_written_ends_with_4() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, "games"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True,
            env=environment(),
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (4, "ninefold: cannot write: No space left on device.\n")


@pytest.mark.parametrize("command", ["games", "rules classic", "play classic", "show classic --svg -", "help play"])
def test_standard_output_that_is_closed_ends_with_4(command: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {command} >&-', COMMAND],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (4, "ninefold: cannot write: standard output is closed.\n")


def test_a_thousand_wrong_answers_from_a_pipe_are_enough() -> None:
    for arguments in (("--plain",), ("play", "classic"), ("play", "agents"), ("play", "classic", *TWO_PEOPLE)):
        done = ninefold(*arguments, typed="y\n" * 1100)
        assert (done.returncode, done.stderr) == (3, "1000 answers in a row were refused, so the command stops.\n")


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "> /dev/full", "< /dev/null 2>&-"])
@pytest.mark.parametrize("command", ["play classic", "games"])
def test_a_stream_that_is_closed_or_full_is_no_reason_for_a_traceback(command: str, redirection: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {command} {redirection}', COMMAND],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(),
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


E = "........."
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
    "analyze three marks that no order explains": (
        "analyze",
        "squared",
        f"{E}/...X...../.X.......{f'/{E}' * 2}/..O......{f'/{E}' * 3}",
        "O",
        "4",
    ),
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


@pytest.mark.parametrize(
    ("command", "example"),
    [("rules", ""), ("solve", ""), ("analyze", ""), ("perft", " 4"), ("arena", " easy hard"), ("show", "")],
)
def test_without_a_game_the_games_and_an_example_are_named(command: str, example: str) -> None:
    games = " ".join(all_games())
    sentence = f"ninefold: Which game? Games: {games}. For example: ninefold {command} classic{example}\n"
    done = ninefold(command)
    assert (done.returncode, done.stderr) == (2, sentence)


def test_to_play_without_a_game_names_the_games_and_two_examples() -> None:
    said = refused("play")
    assert f"Games: {' '.join(all_games())}." in said
    assert said.endswith("For example: ninefold play classic, or a saved match: ninefold play --load FILE")


def test_a_big_game_is_not_solved_and_the_command_that_searches_is_named() -> None:
    assert refused("solve", "squared").endswith("Search its moves: ninefold analyze squared")


@pytest.mark.parametrize("text", ["XX./OO./...", "XX./OO./... Z"])
def test_a_position_without_a_turn_is_told_what_is_missing(text: str) -> None:
    said = refused("show", "classic", text)
    assert said == "ninefold: It is not said whose turn it is. Add X or O behind the marks, after a space."


def test_a_refusal_says_what_is_possible_instead() -> None:
    assert refused("rules", "chess") == f"ninefold: There is no game 'chess'. Games: {' '.join(all_games())}."


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{}", "1"), ("{\n", "1"), ('[Game "chess"]\n\n*', "1"),
        ('[Game "classic"]\n\n1. 5 5 *', "3"), ('[Game "classic"]\n[Game "classic"]\n\n*', "2"), ("[" * 100_000, "1"),
    ],
)  # fmt: skip
def test_a_broken_file_gives_its_line(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "broken"
    file.write_text(text)
    for command in (("replay", str(file)), ("play", "--load", str(file))):
        assert f"Line {line}: " in refused(*command)
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty."),
        (" \n\n", "The file is empty."),
        ("nonsense", "This is neither a log nor a record of a match."),
        ("\x00\x01", "This is neither a log nor a record of a match."),
    ],
)
def test_a_file_that_is_not_a_match_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "broken"
    file.write_text(text)
    for command in (("replay", str(file)), ("play", "--load", str(file))):
        assert sentence in refused(*command)


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
