"""A real terminal for the installed command: a window of tmux, which can be typed into, read, resized and closed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from scripts.tmux import find
from tests.support.console import COMMAND, environment
from tests.support.waiting import PATIENCE, wait_until

PYTHON = sys.executable


class Window:
    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self._socket = folder / "tmux"
        homes = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
        mine = {"TERM": "xterm-256color"} | homes
        self._environment = environment() | mine | dict(variables)
        self._environment.pop("TMUX", None)
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", "/bin/sh")
        for name in ("TERM", "COLORTERM"):  # tmux sets its own
            self.line(_set(name, self._environment))
        self.line("clear; echo the shell is there")
        self.sees("the shell is there")

    def tmux(self, *arguments: str) -> str:
        tmux = find()
        assert tmux
        command = [tmux, "-S", str(self._socket), *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout

    def keys(self, *keys: str) -> None:
        """Keys by the names that tmux has for them, one after the other."""
        self.tmux("send-keys", *keys)

    def line(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.keys("Enter")

    def ninefold(self, *arguments: str) -> None:
        """Begin the installed command; when it ends, its code is told."""
        self.line(" ".join([COMMAND, *arguments]) + "; echo ended with $?")

    def python(self, script: str) -> None:
        file = self.folder / "script.py"
        file.write_text(script, encoding="utf-8")
        self.line(f"{PYTHON} {file}; echo ended with $?")

    @property
    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    @property
    def styled(self) -> str:
        """With the escape sequences of its styles."""
        return self.tmux("capture-pane", "-p", "-e")

    def sees(self, text: str) -> str:
        """What is on the screen when a text has come."""
        seen = ""

        def has_come() -> bool:
            nonlocal seen
            seen = self.text
            return text in seen

        self.until(has_come, text)
        return seen

    def until(self, is_so: Callable[[], bool], what: str = "it") -> None:
        wait_until(is_so, lambda: f"{what!r} did not come:\n{self.text}")

    def resize(self, width: int, height: int) -> None:
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def is_clean(self) -> bool:
        """Whether the terminal is as a shell expects it: its own screen, a cursor, no mouse, and echo."""
        flags = ["alternate_on", "cursor_flag", "mouse_any_flag", "mouse_sgr_flag", "wrap_flag", "keypad_cursor_flag"]
        told = self.tmux("display-message", "-p", " ".join(f"#{{{flag}}}" for flag in flags)).split()
        self.line("stty -a")
        settings = self.sees("extproc").split()
        return told == ["0", "1", "0", "0", "1", "0"] and "echo" in settings and "icanon" in settings

    def process(self, name: str) -> int:
        """The number of the process that runs in the window."""
        shell = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        return next(int(child) for child in children if name in Path(f"/proc/{child}/cmdline").read_text())

    def close(self) -> None:
        """As when the window is closed: who is in it is hung up on."""
        self.tmux("kill-server")


def _set(name: str, variables: Mapping[str, str]) -> str:
    return f"export {name}={variables[name]}" if name in variables else f"unset {name}"


@contextlib.contextmanager
def window(folder: Path, **variables: str) -> Iterator[Window]:
    """80 columns and 24 rows of it."""
    opened = Window(folder, variables)
    try:
        yield opened
    finally:
        opened.close()
