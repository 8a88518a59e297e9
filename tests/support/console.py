"""Ways to sit at the console: in this process with lines typed beforehand, or at the installed command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import IO, NamedTuple

from ninefold.client.local import LocalSession
from ninefold.core.position import Side
from ninefold.core.rendering import PLAIN, Look
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import SeatRequest
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.prompt import Terminal
from ninefold.terminal.new_match import local_request

PATIENCE = 120.0  # seconds; on an idle machine nothing takes three
COMMAND = str(Path(sys.executable).with_name("ninefold"))

TWO_PEOPLE = ("--x", "human", "--o", "human")
EMPTY = "1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9\n"
X_ON_5 = "1 | 2 | 3\n4 | X | 6\n7 | 8 | 9\n"
X_WINS = "1\n4\n2\n5\n3\n"
X_WINS_BOARD_7 = ("7", "1", "7", "2", "7", "3")  # O answers on boards 1 and 2, each time with cell 7
O_HAS_THE_TOP = ("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]")
TOP = "[0,0][0,1][0,2]"


class TypedLines(StringIO):
    """Lines typed beforehand; each is echoed to the screen when it is read, as a terminal does."""

    def __init__(self, lines: tuple[str, ...], screen: StringIO) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self.screen = screen

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # its bases disagree about bytes
        line = super().readline(size)
        self.screen.write(line)
        return line


class ConsoleResult(NamedTuple):
    """What was on the screen, and the match as it was at the end."""

    text: str
    match: Match

    @property
    def moves(self) -> list[str]:
        return [self.match.game.name(move) for move in self.match.state.moves]

    @property
    def words(self) -> str:
        """The text without its line ends: long refusals are wrapped."""
        return " ".join(self.text.split())

    @property
    def last_line(self) -> str:
        return self.text.rstrip("\n").rpartition("\n")[2]


def terminal(*lines: str, look: Look = PLAIN) -> tuple[Terminal, StringIO]:
    """A terminal with these lines typed, and its screen."""
    screen = StringIO()
    return Terminal(TypedLines(lines, screen), screen, look), screen


def play(
    game: str,
    *lines: str,
    x: str = HUMAN,
    o: str = HUMAN,
    player_1: Side = Side.X,
    options: Mapping[str, str] | None = None,
    seed: int = 0,
    look: Look = PLAIN,
) -> ConsoleResult:
    """A game in which these lines are typed, and then e."""
    request = local_request(game, SeatRequest(x), SeatRequest(o), player_1=player_1, options=options, seed=seed)
    screen_and_keys, screen = terminal(*lines, "e", look=look)
    with LocalSession.create(request) as session:
        Console(screen_and_keys, session).play()
    return ConsoleResult(screen.getvalue(), session.match)


def environment(**extra: str) -> dict[str, str]:
    """This process's environment without what would change how the command looks."""
    return {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")} | extra


def ninefold(*arguments: str, typed: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the installed command to its end."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(),
        cwd=cwd,
        timeout=PATIENCE,
    )


def refused(*arguments: str, typed: str = "") -> str:
    """The one sentence that a refusal is, on standard error, with exit code 2."""
    done = ninefold(*arguments, typed=typed)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.split("\n") if line.startswith("ninefold")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The installed command with pipes to talk to it, ended when the test is done with it."""
    # A shell that runs the tests in the background makes its children ignore Ctrl-C; a player's shell does not.
    with subprocess.Popen(
        [COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def keys(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdin
    return process.stdin


def screen(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout
    return process.stdout


def type_line(process: subprocess.Popen[str], line: str) -> None:
    keys(process).write(f"{line}\n")
    keys(process).flush()


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """What the command says up to and with a text: a prompt, say, which ends no line."""
    seen = ""
    while text not in seen:
        char = screen(process).read(1)
        assert char, f"the command ended before it said {text!r}: {seen!r}"
        seen += char
    return seen
