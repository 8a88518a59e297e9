"""What `ninefold` alone opens: the full screen at a terminal that can do it, else lines, else a short help."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.support.console import COMMAND, environment
from tests.support.waiting import PATIENCE

MENU = "What do you want to play (1-10; enter: "
FIVE = ("ninefold play ", "ninefold rules ", "ninefold analyze ", "ninefold replay ", "ninefold serve ")


def opened(*arguments: str, elsewhere: str = "", **variables: str) -> str:
    """What the command says at a terminal at which `e` is typed. One of its three streams may lead elsewhere."""
    keyboard, terminal = pty.openpty()
    os.write(keyboard, b"e\n")
    stdin, stdout, stderr = (
        subprocess.PIPE if name == elsewhere else terminal for name in ("stdin", "stdout", "stderr")
    )
    known = environment(**{"TERM": "xterm", "NINEFOLD_PLAIN": "", "ACCESSIBLE": ""} | variables)
    try:
        done = subprocess.run(
            [COMMAND, *arguments], stdin=stdin, stdout=stdout, stderr=stderr, env=known, text=True, timeout=PATIENCE
        )
    finally:
        os.close(terminal)
        said = drained(keyboard)
    return done.stdout or said


def drained(handle: int) -> str:
    """What a terminal was told before it was closed."""
    said = b""
    try:
        while data := os.read(handle, 65536):
            said += data
    except OSError:  # which is how a terminal says that there is no more
        pass
    os.close(handle)
    return said.decode()


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_without_a_whole_terminal_five_commands_are_shown(stream: str) -> None:
    said = opened(elsewhere=stream)
    assert all(command in said for command in FIVE)
    assert MENU not in said


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (("--plain",), {}),
        ((), {"NINEFOLD_PLAIN": "1"}),
        ((), {"ACCESSIBLE": "1"}),
        ((), {"TERM": "dumb"}),
        ((), {"TERM": ""}),
    ],
    ids=["--plain", "NINEFOLD_PLAIN", "ACCESSIBLE", "a dumb terminal", "an unknown terminal"],
)
def test_terminals_that_show_only_lines_get_the_line_menu(words: tuple[str, ...], variables: dict[str, str]) -> None:
    assert MENU in opened(*words, **variables)


def test_a_screen_that_goes_to_a_file_gets_the_line_menu() -> None:
    assert MENU in opened(elsewhere="stderr")


def test_without_textual_the_line_menu_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['textual'] = None\n", encoding="utf-8")
    said = opened(PYTHONPATH=str(tmp_path))
    assert MENU in said
    assert "The full screen is not installed: pip install 'ninefold[tui]'" in said


def test_plain_opens_the_line_menu_without_a_terminal() -> None:
    assert MENU in opened("--plain", elsewhere="stdout")
