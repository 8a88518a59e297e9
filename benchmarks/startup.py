"""From `ninefold play classic` to the first board on screen, as a multiple of `python -c pass`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROUNDS = 30
PASS = [sys.executable, "-c", "pass"]
PLAY = [str(Path(sys.executable).with_name("ninefold")), "play", "classic"]
# As on anybody's machine, modules are compiled once and kept; the first round, which may compile them, is not counted.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


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


def main() -> None:
    seconds_to_board()
    times = [(seconds_to_pass(), seconds_to_board()) for _ in range(ROUNDS)]
    nothing, board = (median(column) for column in zip(*times, strict=True))
    print(f"python -c pass            {nothing * 1000:6.1f} ms")
    print(f"first board of classic    {board * 1000:6.1f} ms")
    print(f"ratio                     {board / nothing:6.1f}   (target: at most 5)")


main()
