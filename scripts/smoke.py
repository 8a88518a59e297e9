"""Tries whether an installed Ninefold starts on this system: the console, the full screen, the server.

python -m scripts.smoke
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast
from urllib.request import urlopen

NINEFOLD = (sys.executable, "-m", "ninefold")


def expect(condition: bool, seen: str) -> None:
    if not condition:
        sys.exit(f"This was not expected: {seen}")


def console() -> None:
    """A game of classic, typed line by line."""
    typed = "X\n1\n4\n2\n5\n3\n"
    played = subprocess.run([*NINEFOLD, "play", "classic"], input=typed, capture_output=True, text=True, check=True)
    expect("X wins: three in a row (1 2 3)." in played.stdout, played.stdout)


def full_screen() -> None:
    """The first screen, drawn without a terminal, and left again."""
    from ninefold.terminal.tui.app import NinefoldApp

    async def run() -> None:
        with tempfile.TemporaryDirectory() as home:
            app = NinefoldApp(Path(home))
            async with app.run_test(size=(120, 40)) as pilot:
                await pilot.pause()
                app.exit()

    asyncio.run(run())


def server() -> None:
    """A server on a free port answers that it is healthy, and stops when its standard input ends."""
    with tempfile.TemporaryDirectory() as data:
        command = [*NINEFOLD, "serve", "--port", "0", "--data", data, "--quiet", "--until-eof"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            said, typed = cast("IO[str]", process.stdout), cast("IO[str]", process.stdin)
            address = next(found[1] for line in said if (found := re.search(r"(http://[^\s]+)/", line)))
            with urlopen(f"{address}/healthz", timeout=30) as answer:  # noqa: S310 - it has just printed this address
                expect(b"ok" in answer.read(), address)
            typed.close()
            said.read()
            expect(process.wait(60) == 0, "the server did not stop cleanly")


def main() -> None:
    checks: tuple[Callable[[], None], ...] = (console, full_screen, server)
    for check in checks:
        print(f"{check.__name__} ...", end=" ", flush=True)
        check()
        print("starts")


if __name__ == "__main__":
    main()
