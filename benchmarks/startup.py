"""From `ninefold play classic` to the first board on screen, as a multiple of `python -c pass`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.report import Row, Section, times

ROUNDS = 30
PASS = [sys.executable, "-c", "pass"]
PLAY = [str(Path(sys.executable).with_name("ninefold")), "play", "classic"]
# As on anybody's machine, modules are compiled once and kept; the first round, which may compile them, is not counted.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def rows() -> Iterator[Row]:
    seconds_to_board()
    rounds = [(seconds_to_board(), seconds_to_pass()) for _ in range(ROUNDS)]
    board, nothing = (median(column) for column in zip(*rounds, strict=True))
    ratio = times(board / nothing, "long")
    yield Row("first board of classic", f"{board * 1000:.1f} ms", f"{nothing * 1000:.1f} ms", ratio, "at most 5")


def seconds_to_pass() -> float:
    begun = time.perf_counter()
    subprocess.run(PASS, check=True, env=ENVIRONMENT)
    return time.perf_counter() - begun


def seconds_to_board() -> float:
    begun = time.perf_counter()
    with subprocess.Popen(PLAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as game:
        assert game.stdin
        assert game.stdout
        game.stdin.write("X\n")
        game.stdin.flush()
        while "7 | 8 | 9" not in game.stdout.readline():
            pass
        seconds = time.perf_counter() - begun
        game.communicate("e\n")
    return seconds


SECTION = Section(
    "Start-up",
    f"From `ninefold play classic` to the first board on the screen; theirs is `python -c pass`. Median of {ROUNDS}.",
    rows,
)
