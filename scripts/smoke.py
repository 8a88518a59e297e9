"""Tries whether an installed Ninefold works on this system: the console, the solver, the search, an environment, the
full screen, the server. It needs the extras agents, rl, server and tui.

python -m scripts.smoke [--native]

With --native the native core must be there; without it, the search is tried only where it is.
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


def solver() -> None:
    """The exact value of classic."""
    solved = subprocess.run([*NINEFOLD, "solve", "classic"], capture_output=True, text=True, check=True).stdout
    expect("draw for X" in solved, solved)


def search() -> None:
    """The engine finds the move that wins, by the native core."""
    from ninefold import Engine, find_game

    start = "XXX....../XXX....../XX......./OO......./OO......./OO......./O......../O......../........."
    game = find_game("ultimate")
    best = Engine().search(game.parse(f"{start} X 9"), nodes=1000).lines[0]
    expect((game.name(best.move), best.score_text) == ("99", "win in 1"), str(best))


def environment() -> None:
    """A game of ultimate in Gymnasium, until it ends."""
    import gymnasium

    import ninefold.envs.gym  # noqa: F401 - it registers the ids

    env = gymnasium.make("ninefold/ultimate-v0", opponent="random")
    observation, _ = env.reset(seed=1)
    for _ in range(81):
        action = env.action_space.sample(mask=observation["action_mask"])
        observation, reward, terminated, _, _ = env.step(action)
        if terminated:
            return
    expect(False, f"a game without an end: {observation}, {reward}")


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


def main(*, native: bool = False) -> None:
    version = subprocess.run([*NINEFOLD, "--version"], capture_output=True, text=True, check=True).stdout
    is_native = "native core on" in version
    expect(is_native or not native, version)
    searches: tuple[Callable[[], None], ...] = (search,) if is_native else ()
    for check in (console, solver, *searches, environment, full_screen, server):
        print(f"{check.__name__} ...", end=" ", flush=True)
        check()
        print("works")


if __name__ == "__main__":
    main(native="--native" in sys.argv[1:])
