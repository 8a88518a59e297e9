"""The installed command that plays: files, the menu, colour, and what it does not import."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ninefold.games import all_games
from ninefold.match.files import load
from tests.support.console import (
    COMMAND,
    TWO_PEOPLE,
    X_WINS,
    environment,
    ninefold,
    read_until,
    refused,
    started,
    type_line,
)
from tests.support.waiting import PATIENCE

NEXT_CELL = "Player 1 (X), choose a cell (2 3 4 6 7 8 9): "


def test_the_match_is_on_disk_after_every_move_and_survives_kill_9(tmp_path: Path) -> None:
    file = str(tmp_path / "game.log")
    with started("play", "classic", *TWO_PEOPLE, "--save", file) as game:
        read_until(game, "8 9): ")
        type_line(game, "5")
        read_until(game, "8 9): ")
        type_line(game, "1")
        read_until(game, NEXT_CELL)
        game.kill()
        game.wait(PATIENCE)
    done = ninefold("play", "--load", file, typed="e\n")
    assert "O | 2 | 3\n4 | X | 6\n7 | 8 | 9\n" in done.stdout
    assert NEXT_CELL in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["game.log"]


@pytest.mark.parametrize("name", ["game.log", "game.record"])
def test_a_saved_game_is_continued_until_it_is_won(tmp_path: Path, name: str) -> None:
    file = str(tmp_path / name)
    left = ninefold("play", "classic", *TWO_PEOPLE, "--save", file, typed="1\n4\n2\ne\n")
    assert left.returncode == 0
    assert left.stdout.endswith(f"It is saved.\nTo continue it: ninefold play --load {file}\n")
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
    assert [next(iter(json.loads(line))) for line in log.read_text().splitlines()] == [
        "ninefold", "event", "event", "checksum",
    ]  # fmt: skip


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
    assert (load(str(old)).state.moves, load(str(new)).state.moves) == ((4,), (4, 0))


def test_a_loaded_file_is_written_only_after_something_happened(tmp_path: Path) -> None:
    file = tmp_path / "game.record"
    text = '[Game "classic"]\n[Event "The club evening"]\n\n1. 5 *\n'
    file.write_text(text)
    assert ninefold("play", "--load", str(file), typed="5\ne\n").returncode == 0
    assert file.read_text() == text
    ninefold("play", "--load", str(file), typed="1\ne\n")
    assert "1. 5 1 *" in file.read_text()


def test_a_log_that_begins_with_an_empty_line_stays_a_log(tmp_path: Path) -> None:
    file = tmp_path / "game"
    ninefold("play", "classic", *TWO_PEOPLE, "--save", str(file), typed="5\ne\n")
    file.write_text("\n" + file.read_text())
    assert ninefold("play", "--load", str(file), typed="1\ne\n").returncode == 0
    assert [json.loads(line).get("move") for line in file.read_text().splitlines()] == [None, 4, 0, None]


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
def test_options_that_a_file_decides_are_refused(tmp_path: Path, conflict: tuple[str, str]) -> None:
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


def test_the_menu_leads_from_the_start_to_a_finished_game() -> None:
    done = ninefold("--plain", typed=f"1\n2\nX\n\n{X_WINS}")
    for title in (game.title for game in all_games().values()):
        assert title in done.stdout
    assert done.stdout.endswith("X wins: three in a row (1 2 3).\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_a_terminal_there_is_a_short_help_with_five_commands() -> None:
    done = ninefold(typed="1\n2\nX\n\n")
    assert (done.returncode, done.stderr) == (0, "")
    commands = re.findall(r"^  ninefold ([a-z]+)", done.stdout, re.MULTILINE)
    assert commands == ["play", "rules", "analyze", "replay", "serve"]
    assert "ninefold --plain" in done.stdout
    for command in commands:
        assert ninefold(command, "--help").returncode == 0


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
        assert game.wait(PATIENCE) == 0
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


# What a game between two people needs none of: everything that is not in the standard library, and what is slow in it.
SLOW = {"asyncio", "http", "socket", "sqlite3", "ssl", "unittest"}
PLAY_AND_LIST = """
import sys
before = set(sys.modules)
from ninefold.cli.main import main
assert main(sys.argv[1:]) == 0
print(*sorted(name.partition(".")[0] for name in set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [("play", "classic", *TWO_PEOPLE), ("play", "classic", "--o", "easy"), ("play", "squared")],
    ids=" ".join,
)
def test_a_game_at_the_console_imports_only_the_standard_library(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAY_AND_LIST, *arguments],
        input="5\n1\ne\n",
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.split())
    assert "ninefold" in imported
    assert imported - sys.stdlib_module_names == {"ninefold"}
    assert imported & SLOW == set()


def test_with_nothing_installed_a_game_from_the_menu_is_played_and_saved(tmp_path: Path) -> None:
    alone = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "ninefold", "--plain"], input="1\n2\nX\n\n5\ne\n", capture_output=True, text=True,
        env=alone,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    (file,) = (tmp_path / ".ninefold" / "games").iterdir()
    assert load(str(file)).state.moves == (4,)


def test_with_nothing_installed_a_server_cannot_be_joined_and_a_command_is_named(tmp_path: Path) -> None:
    alone = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "ninefold", "play", "--join", "http://127.0.0.1:1/m/00ff"],
        capture_output=True, text=True, env=alone,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "ninefold: Playing on a server needs httpx. pip install 'ninefold[online]'\n"


def test_a_game_from_the_menu_is_saved_and_can_be_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    left = ninefold("--plain", typed="1\n2\nX\n\n5\ne\n")
    (file,) = (tmp_path / "ninefold" / "games").iterdir()
    assert left.stdout.endswith(f"To continue it: ninefold play --load {file}\n")
    again = ninefold("--plain", typed="6\n1\n1\ne\n")
    assert "Player 2 (O): 1" in again.stdout
    assert load(str(file)).state.moves == (4, 0)


def test_a_game_from_the_menu_without_a_move_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    left = ninefold("--plain", typed="1\n2\nX\n\ne\n")
    assert left.stdout.endswith("You left the game.\n")
    assert list((tmp_path / "ninefold" / "games").iterdir()) == []


def test_a_game_from_the_menu_is_played_where_it_cannot_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ninefold").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    played = ninefold("--plain", typed="1\n2\nX\n\n1\n4\n2\n5\n3\n")
    assert "The game cannot be saved: " in played.stdout
    assert "X wins" in played.stdout
