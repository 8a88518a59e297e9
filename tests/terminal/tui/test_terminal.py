"""The installed command in a real terminal: it is played, resized, interrupted, crashed, ended and hung up on."""

from __future__ import annotations

import os
import re
import signal
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.match.files import load
from scripts.tmux import MISSING, find
from tests.support.console import COMMAND
from tests.support.tmux_window import Window, window

pytestmark = pytest.mark.skipif(find() is None, reason=MISSING)

CRASH = """
import sys
from ninefold.terminal.tui import board
from ninefold.terminal.tui.launch import open_app

secret = "abcdefghijklmnop"

def press(self, square):
    token = secret
    raise ValueError("something went wrong")

board.BoardWidget.press = press
sys.exit(open_app().return_code)
"""


STUCK_DISK = """
import threading
from ninefold.terminal.saves import GameSaver
from ninefold.terminal.tui.launch import open_app

class StuckSaver(GameSaver):
    def close(self):
        threading.Event().wait()  # a disk that does not respond

open_app(StuckSaver, patience=0.0)
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Window]:
    with window(tmp_path) as opened:
        yield opened


def begin(terminal: Window) -> None:
    """A game of two people, one move of which has been made."""
    terminal.ninefold()
    play_one(terminal)


def play_one(terminal: Window) -> None:
    terminal.sees("the tic-tac-toe family")
    terminal.keys("Down", "Right")
    terminal.sees("a friend here")
    terminal.keys("Enter")
    terminal.sees("choose a cell (1 2 3 4 5 6 7 8 9)")
    terminal.keys("5")
    terminal.sees("choose a cell (1 2 3 4 6 7 8 9)")


def has_ended(process: int) -> bool:
    """Also when nobody has asked yet how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def saved(terminal: Window) -> list[Path]:
    return sorted((terminal.folder / "state" / "ninefold" / "games").glob("*.log"))


def test_a_game_is_played_in_a_window_that_changes_and_the_terminal_is_left_clean(terminal: Window) -> None:
    begin(terminal)
    terminal.resize(120, 40)
    terminal.sees("s say  r resign  t threats")
    terminal.keys("1")
    terminal.sees("Player 1 (X), choose a cell (2 3 4 6 7 8 9)")
    terminal.resize(80, 24)
    terminal.sees("╭─────────╮")
    terminal.keys("2", "3", "8")
    assert "┏━━━━━━━━━┓" in terminal.sees("X wins: three in a row (2 5 8).")
    terminal.keys("e")
    terminal.sees("the tic-tac-toe family")
    terminal.keys("q")
    assert "X wins" not in terminal.sees("ended with 0")
    assert terminal.is_clean()
    assert load(str(saved(terminal)[0])).result


def test_ctrl_c_ends_it_cleanly_and_the_game_is_saved(terminal: Window) -> None:
    begin(terminal)
    terminal.keys("C-c")
    assert "Interrupted." in terminal.sees("ended with 130")
    assert terminal.is_clean()
    assert load(str(saved(terminal)[0])).state.moves == (4,)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_ends_it_cleanly_and_the_game_is_saved(terminal: Window, number: signal.Signals) -> None:
    begin(terminal)
    os.kill(terminal.process("ninefold"), number)
    terminal.sees(f"ended with {128 + number}")
    assert terminal.is_clean()
    assert load(str(saved(terminal)[0])).state.moves == (4,)


def test_a_signal_ends_it_cleanly_when_the_disk_does_not_respond(terminal: Window) -> None:
    terminal.python(STUCK_DISK)
    terminal.sees("the tic-tac-toe family")
    terminal.keys("Enter")
    terminal.sees("choose a cell")
    os.kill(terminal.process("python"), signal.SIGTERM)
    terminal.sees(f"ended with {128 + signal.SIGTERM}")
    assert terminal.is_clean()


def test_a_signal_ends_it_when_the_terminal_is_stopped(terminal: Window) -> None:
    begin(terminal)
    process = terminal.process("ninefold")
    with open(terminal.tmux("display-message", "-p", "#{pane_tty}").strip()) as tty:
        termios.tcflow(tty, termios.TCOOFF)
        os.kill(process, signal.SIGTERM)
        terminal.until(lambda: has_ended(process))
        termios.tcflow(tty, termios.TCOON)
    assert load(str(saved(terminal)[0])).state.moves == (4,)


def test_a_crash_leaves_the_terminal_clean_and_shows_no_secrets(terminal: Window) -> None:
    terminal.python(CRASH)
    terminal.sees("the tic-tac-toe family")
    terminal.keys("Down", "Right", "Enter")
    terminal.sees("choose a cell")
    terminal.keys("Enter")
    seen = terminal.sees("ended with 1")
    assert "something went wrong" in seen
    assert "abcdefghijklmnop" not in seen
    assert terminal.is_clean()


def test_a_closed_window_ends_it_and_the_game_is_saved(terminal: Window) -> None:
    begin(terminal)
    process = terminal.process("ninefold")
    terminal.close()
    terminal.until(lambda: has_ended(process))
    assert load(str(saved(terminal)[0])).state.moves == (4,)


def test_f2_continues_line_by_line(terminal: Window) -> None:
    begin(terminal)
    terminal.keys("F2")
    terminal.sees("Player 2 (O), choose a cell (1 2 3 4 6 7 8 9):")
    terminal.line("1")
    terminal.sees("Player 1 (X), choose a cell (2 3 4 6 7 8 9):")
    terminal.line("e")
    terminal.sees("ended with 0")
    assert load(str(saved(terminal)[0])).state.moves == (4, 0)


@pytest.mark.parametrize(
    ("variables", "codes"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"38;2", "48;2"}),
        ({"TERM": "xterm-256color"}, {"38;5", "48;5"}),
        ({"TERM": "xterm"}, {"3x"}),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, set()),
        ({"TERM": "vt100"}, set()),
    ],
    ids=["true colour", "256 colours", "16 colours", "NO_COLOR", "none"],
)
def test_it_uses_the_colours_that_there_are(tmp_path: Path, variables: dict[str, str], codes: set[str]) -> None:
    with window(tmp_path, **variables) as terminal:
        terminal.line("export NO_COLOR=1" if "NO_COLOR" in variables else "unset NO_COLOR")
        begin(terminal)
        seen = terminal.styled
    found = set()
    for sequence in re.findall(r"\x1b\[([0-9;]*)m", seen):
        found |= {wide for wide in ("38;2", "48;2", "38;5", "48;5") if wide in sequence}
        if not re.search(r"[34]8;[25]", sequence):  # one of sixteen, of a letter or behind it
            found |= {"3x"} if re.search(r"(^|;)[39][0-7](;|$)", sequence) else set()
            found |= {"4x"} if re.search(r"(^|;)(4|10)[0-7](;|$)", sequence) else set()
    assert found == codes
    assert "▀▄ ▄▀" in seen


@pytest.mark.parametrize("begun", [COMMAND, f"sh -c '{COMMAND}; true'"], ids=["alone", "as make play does it"])
def test_it_is_suspended_and_continued(terminal: Window, begun: str) -> None:
    terminal.line(begun)
    play_one(terminal)
    terminal.keys("C-z")
    terminal.sees("Stopped")
    assert terminal.is_clean()
    terminal.line("clear")
    terminal.line("fg")
    terminal.sees("choose a cell (1 2 3 4 6 7 8 9)")
    terminal.keys("1")
    terminal.sees("choose a cell (2 3 4 6 7 8 9)")


@pytest.mark.parametrize("key", ["", "j"], ids=["the first screen", "a dialog over it"])
@pytest.mark.parametrize("how", ["key", "signal"])
def test_the_first_screen_is_painted_again_when_it_is_continued(tmp_path: Path, how: str, key: str) -> None:
    with window(tmp_path, TEXTUAL_ANIMATIONS="none") as terminal:  # boards that move would paint parts of it
        terminal.line(COMMAND)
        terminal.sees("f3 colours")
        if key:
            terminal.keys(key)
            terminal.sees("esc  back")
        before = terminal.text
        if how == "key":
            terminal.keys("C-z")
        else:
            os.kill(terminal.process("ninefold"), signal.SIGTSTP)
        terminal.sees("Stopped")
        assert terminal.is_clean()
        terminal.line("clear")
        terminal.line("fg")
        terminal.until(lambda: terminal.text == before, "the same screen")
