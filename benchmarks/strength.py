"""Plays the tournaments that measure the strength of the engine and its levels, and writes docs/strength.md.

python -m benchmarks.strength [--only TOURNAMENT ...]
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import DOCS, machine, table
from ninefold.arena.ratings import cross_table, ratings
from ninefold.arena.schedule import GameResult

LOGS = Path("build/bench")
OPENSPIEL = "ugi:python -m benchmarks.openspiel_ugi --simulations 100000"
ABOUT = """\
Written by `make bench-strength`. Every two players meet from balanced openings, once with each side. As many games run
at a time as the machine has cores, with one thread each, so nothing else should run meanwhile. Elo is relative to the
mean of a table; intervals are 95%, from resampling the pairs of games from one opening.

The logs of the games are in `build/bench`, and an interrupted run is resumed from there. To measure again, remove that
folder."""


class Tournament(NamedTuple):
    """Commands after ``python -m``, run one after the other; their games make one table."""

    title: str
    commands: tuple[str, ...]

    @property
    def logs(self) -> list[Path]:
        return [Path(command.split()[-1]) for command in self.commands]


def tournaments() -> dict[str, Tournament]:
    found = {
        "openspiel": Tournament(
            "The engine against OpenSpiel's MCTS on ultimate",
            (f'ninefold arena ultimate engine:time=1 "{OPENSPIEL}" --pairs 50 --seed 1',),
        )
    }
    for game in ("ultimate", "squared"):
        found[f"ladder-{game}"] = Tournament(
            f"More time for the engine on {game}",
            (
                f"ninefold arena {game} engine:time=0.05 engine:time=0.2 engine:time=1 --pairs 5",
                f"ninefold arena {game} engine:time=0.05 engine:time=0.2 --pairs 20 --seed 1",
            ),
        )
        found[f"levels-{game}"] = Tournament(
            f"The levels of {game}",
            (
                f"ninefold arena {game} random easy medium hard --pairs 20",
                f"ninefold arena {game} hard expert --pairs 10",  # a move of expert takes about a second
            ),
        )
    return {name: one._replace(commands=_logged(name, one.commands)) for name, one in found.items()}


def _logged(name: str, commands: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{command} --log {LOGS / name}-{number}.jsonl" for number, command in enumerate(commands, 1))


def main() -> None:
    every = tournaments()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=every, default=list(every), help="some of the tournaments")
    chosen = parser.parse_args().only
    LOGS.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        print(f"{every[name].title}: every game is added to {LOGS / name}-*.jsonl ...", file=sys.stderr, flush=True)
        for command in every[name].commands:
            subprocess.run([sys.executable, "-m", *shlex.split(command)], check=True, env=_with_this_python())
    if len(chosen) < len(every):
        print("Only some tournaments were played, so docs/strength.md is not written.", file=sys.stderr)
        return
    played = [(one, [game for log in one.logs for game in read_log(log)]) for one in every.values()]
    (DOCS / "strength.md").write_text(page(played), encoding="utf-8")
    print("Written to docs/strength.md.", file=sys.stderr)


def _with_this_python() -> dict[str, str]:
    """With the Python that has the other libraries first in PATH."""
    here = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ.get('PATH', '')}"}


def read_log(path: Path) -> list[GameResult]:
    """The games of a tournament's log, after its first line."""
    return [GameResult(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def page(played: Sequence[tuple[Tournament, Sequence[GameResult]]]) -> str:
    """The text of docs/strength.md."""
    parts = ["# Strength", ABOUT, table(("machine", ""), machine("open_spiel"))]
    for tournament, games in played:
        commands = "\n".join(f"    python -m {command}" for command in tournament.commands)
        parts += [f"## {tournament.title}", commands, rating_table(games), meetings_table(games)]
    return "\n\n".join(parts) + "\n"


def rating_table(games: Sequence[GameResult]) -> str:
    games = sorted(games)
    players = sorted({player for game in games for player in (game.x, game.o)})
    rows = [
        (f"`{row.player}`", f"{row.elo:+.0f}", f"{row.low:+.0f} .. {row.high:+.0f}", f"{row.points:g} of {row.games}")
        for row in ratings(games, players)
    ]
    return table(("player", "Elo", "95% interval", "points"), rows)


def meetings_table(games: Sequence[GameResult]) -> str:
    """Who made how many points against whom."""
    players = [
        row.player for row in ratings(sorted(games), sorted({name for game in games for name in (game.x, game.o)}))
    ]
    rows = [[f"`{name}`", *cells] for name, *cells in cross_table(games, players)]
    return table(("points against", *(f"`{name}`" for name in players)), rows)


if __name__ == "__main__":
    main()
