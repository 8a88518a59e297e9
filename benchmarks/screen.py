"""The full screen at a terminal of its own: how soon it is there, and how soon a key is seen while the engine thinks.

python -m benchmarks.screen [--rounds 21] [--keys 300]

Keys come at any moment, as from a person, and each is timed until what it changes has arrived at the terminal.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from benchmarks.report import DOCS, Row, machine, table
from ninefold.core.game import Game
from ninefold.games import find_game

NINEFOLD = [str(Path(sys.executable).with_name("ninefold"))]
EMPTY = [sys.executable, "-c", "from textual.app import App; App().run()"]
SIZES = ((80, 24), (120, 40))
PATIENCE = 30.0
PROMISED_MS = 50
PROMISED_TIMES = 1.3
WARM = 20  # keys that are not counted
BETWEEN = (0.02, 0.3)  # seconds from what is seen to the next key
PLIES = 50  # of a game; later the engine would soon know everything
TAKEN_BACK = 1 / 3  # of the moves
THINKING = "M positions"  # what the engine says of itself
# From the first screen to a game of squared against a friend: what is pressed, and what is seen then.
WAY = (
    ("4", "‹ Tic-Tac-Toe Squared ›"),
    ("\x1b[B\x1b[C", "a friend here"),
    ("\r", "choose a board"),
)
ANALYSIS = (("a", THINKING),)


class Figure(NamedTuple):
    """What was measured, as it is shown, and as a number beside the most that was promised."""

    row: Row
    found: float = 0.0
    promised: float | None = None


class Terminal:
    """A program and the terminal it writes to. Nothing is drawn: what arrives is looked through."""

    def __init__(self, process: int, handle: int) -> None:
        self.process, self._handle = process, handle
        self.seen = bytearray()

    def press(self, keys: str) -> float:
        """The moment at which they were pressed."""
        begun = time.perf_counter()
        os.write(self._handle, keys.encode())
        return begun

    def until(self, text: str, begun: float) -> float:
        """The seconds until a text has come."""
        mark, end = len(self.seen), time.perf_counter() + PATIENCE
        while self.seen.find(text.encode(), mark) < 0:
            self.read(1.0)
            if time.perf_counter() > end:
                raise TimeoutError(f"{text!r} did not come")
        return time.perf_counter() - begun

    def read(self, seconds: float) -> None:
        """What comes next, if anything comes in so many seconds."""
        if select.select([self._handle], [], [], seconds)[0]:
            self.seen += os.read(self._handle, 65536)

    def rest(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.read(left)


@contextmanager
def terminal(command: Sequence[str], size: tuple[int, int]) -> Iterator[Terminal]:
    with tempfile.TemporaryDirectory() as state:
        process, handle = pty.fork()
        if process == 0:
            _become(command, size, state)
        try:
            yield Terminal(process, handle)
        finally:
            os.kill(process, signal.SIGTERM)
            os.close(handle)
            os.waitpid(process, 0)


def _become(command: Sequence[str], size: tuple[int, int], state: str) -> None:
    """In the new process."""
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PYTHONDONTWRITEBYTECODE")}
    os.execve(  # noqa: S606 - a program of ours, and no shell
        command[0], list(command), kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": state}
    )


# From the start to the first frame


def seconds_to_frame(command: Sequence[str]) -> float:
    """Until the last row of the screen is painted for the first time."""
    begun = time.perf_counter()
    with terminal(command, SIZES[0]) as opened:
        return opened.until("\x1b[24;1H", begun)


def start(rounds: int) -> Iterator[Figure]:
    seconds_to_frame(NINEFOLD), seconds_to_frame(EMPTY)  # which may compile what is compiled once
    taken = [(seconds_to_frame(NINEFOLD), seconds_to_frame(EMPTY)) for _ in range(rounds)]
    ours, theirs = (median(column) for column in zip(*taken, strict=True))
    ratio = ours / theirs
    spoken, target = f"{ratio:.2f} times as long", f"at most {PROMISED_TIMES}"
    row = Row("first frame", f"{ours * 1000:.0f} ms", f"{theirs * 1000:.0f} ms", spoken, target)
    yield Figure(row, ratio, PROMISED_TIMES)


# From a key to the screen


def keys(size: tuple[int, int], count: int, *, thinking: bool) -> list[float]:
    """Milliseconds, sorted."""
    random = Random(count)
    found = []
    with terminal(NINEFOLD, size) as opened:
        opened.until("the tic-tac-toe family", 0)
        for pressed, shown in WAY + (ANALYSIS if thinking else ()):
            opened.until(shown, opened.press(pressed))
        for key, shown in islice(played(random), WARM + count):
            opened.rest(random.uniform(*BETWEEN))
            found.append(opened.until(shown, opened.press(key)) * 1000)
        said = opened.seen.count(THINKING.encode())
    assert not thinking or said > count / 10, "the engine was not thinking"
    return sorted(found[WARM:])


def played(random: Random) -> Iterator[tuple[str, str]]:
    """Keys, and what is seen then: a game of squared played on and on, of whose moves every third is taken back."""
    game = find_game("squared")
    positions: list[Any] = [game.begin()]
    while True:
        position = positions[-1]
        move = random.choice(position.moves())
        following = position.play(move)
        late = len(positions) > PLIES or following.outcome
        if len(positions) > 1 and (late or random.random() < TAKEN_BACK):
            positions.pop()
            yield "u", asked(game, positions[-1])
            continue
        board, cell = map(game.naming.name, game.paths[move])
        if len(position.open_boards) > 1:
            yield board, f"in board {board} "
        positions.append(following)
        yield cell, asked(game, following)


def asked(game: Game, position: Any) -> str:
    boards = position.open_boards
    return "choose a board" if len(boards) > 1 else f"in board {game.naming.name(boards[0])} "


def responses(count: int) -> Iterator[Figure]:
    for width, height in SIZES:
        for thinking in (True, False):
            found = keys((width, height), count, thinking=thinking)
            middle, late = at(0.5, found), at(0.95, found)
            doing = "searches" if thinking else "is idle"
            what = f"key to screen, {width}x{height}, the engine {doing}: p50 / p95"
            target = f"p95 under {PROMISED_MS} ms" if thinking else "-"
            row = Row(what, f"{middle:.1f} / {late:.1f} ms", target=target)
            yield Figure(row, late, PROMISED_MS if thinking else None)


def at(share: float, values: Sequence[float]) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def broken(figures: Sequence[Figure]) -> list[str]:
    """A sentence for every promise that was not kept."""
    return [
        f"Not as promised: {row.what}: {row.ours if row.ratio == '-' else row.ratio}, and not {row.target}."
        for row, found, promised in figures
        if promised is not None and found > promised
    ]


def page(rows: Sequence[Row], rounds: int, count: int) -> str:
    about = (
<<<<<<< HEAD
        "Written by `make bench-screen`, which opens the installed command at pseudo-terminals of its own.\n"
        f"The first frame is there when its last row is painted; theirs is an empty Textual app; median of {rounds},\n"
        f"in turn. A key is on the screen when what it changes has arrived at the terminal; {count} keys at moments\n"
        "like a person's: games of squared, of whose moves every third is taken back. Ours shows up to 120 frames a\n"
        "second, where Textual left alone shows 60. With the analysis open the engine searches all the time,\n"
        "every position anew. Where a figure is beyond its target the command says so, and ends with 1."
=======
        "Written by `make bench-screen`, which runs the installed command in pseudo-terminals. The first frame is\n"
        "complete when its last row is painted; theirs is an empty Textual app; both are started in turn, and the\n"
        f"figure is the median of {rounds}. The time from key to screen ends when the change has arrived at the\n"
        f"terminal; {count} keys are pressed in the rhythm of a person, in games of squared where every third move is\n"
        "taken back. Ours shows up to 120 frames a second; the default of Textual is 60. While the analysis is open,\n"
        "the engine searches all the time and starts again at every position. If a figure misses its target, the\n"
        "command prints it and exits with 1."
>>>>>>> rebuild
    )
    return "\n\n".join(
        ["# How fast the full screen is", about, table(("machine", ""), machine()), table(Row._fields, rows) + "\n"]
    )


def main() -> int:
    """1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21, help="how often it is started")
    parser.add_argument("--keys", type=int, default=300, help="how many are pressed at each size")
    given = parser.parse_args()
    figures = []
    for figure in chain(start(given.rounds), responses(given.keys)):
        print(figure.row, flush=True)
        figures.append(figure)
    text = page([figure.row for figure in figures], given.rounds, given.keys)
    (DOCS / "screen-speed.md").write_text(text, encoding="utf-8")
    print("Written to docs/screen-speed.md.", file=sys.stderr)
    sentences = broken(figures)
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
