"""Plays what is missing of the programme until the time is over. Every result is on the disk before the next one."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic

from benchmarks.endgames import MEMORY, SECONDS, late_position, most_cells
from benchmarks.strength.journals import games_of, journal_lines, path_of, played_games
from benchmarks.strength.opponents import CannotPlay, participant
from benchmarks.strength.programme import MatchPlan
from ninefold.analysis.bench import bench, bench_positions
from ninefold.analysis.engine import Engine
from ninefold.arena.executors import in_processes
from ninefold.arena.journal import append
from ninefold.arena.progress import Progress
from ninefold.arena.schedule import GameResult, ScheduledGame, play_game

SPEED_ROUNDS = 5
BIG_GAMES = ("ultimate", "squared")


class OutOfTime(Exception):
    """The time for this run is over."""


class Deadline:
    """When no more work is begun; ``minutes`` is None for never."""

    def __init__(self, minutes: float | None) -> None:
        self._end = None if minutes is None else monotonic() + 60 * minutes

    def check(self) -> None:
        if self._end is not None and monotonic() >= self._end:
            raise OutOfTime


def play_match(folder: Path, plan: MatchPlan, engine: str, deadline: Deadline, workers: int = 1) -> None:
    """Play the games of a match that its journal does not have."""
    done = played_games(folder, plan, engine)
    waiting = [game for game in games_of(plan) if game.number not in done]
    if not waiting:
        return
    try:
        names = {participant(name): name for name in (plan.ours, plan.theirs)}
    except CannotPlay as missing:
        print(f"{plan.name} is not played. {missing}", file=sys.stderr)
        return
    specs = {name: spec for spec, name in names.items()}
    games = [game._replace(x=specs[game.x], o=specs[game.o]) for game in waiting]
    progress = Progress(len(done), plan.games, f"games of {plan.name}")
    with closing(_results(games, deadline, workers)) as results:
        for number, result in enumerate(results, len(done) + 1):
            named = result._replace(x=names[result.x], o=names[result.o])
            append(str(path_of(folder, plan.name)), named._asdict())
            progress.show(number)


def _results(games: Sequence[ScheduledGame], deadline: Deadline, workers: int) -> Generator[GameResult, None, None]:
    deadline.check()
    if workers > 1:
        with closing(in_processes(play_game, games, workers)) as finished:
            for result in finished:
                yield result
                deadline.check()
    for game in games if workers == 1 else ():
        deadline.check()
        yield play_game(game)


def endgame_facts(engine: str) -> dict[str, object]:
    return {"seconds": SECONDS, "clock": "cpu", "memory": MEMORY, "engine": engine}


def prove_endgames(folder: Path, engine: str, deadline: Deadline) -> None:
    """Find how many free cells are proven within a second of CPU time; every position is a line of the journal."""
    known = known_proofs(folder, engine)
    searcher = Engine(MEMORY)

    def proves(game: str, cells: int, number: int) -> bool:
        if (game, cells, number) not in known:
            deadline.check()
            searcher.clear()
            info = searcher.search(late_position(game, cells, number), cpu_seconds=SECONDS)
            proven = info.lines[0].proven
            line = {"game": game, "cells": cells, "number": number, "proven": proven, "nodes": info.nodes}
            append(str(path_of(folder, "endgames")), line)
            known[game, cells, number] = proven
        return known[game, cells, number]

    for game in BIG_GAMES:
        most_cells(game, proves)


def known_proofs(folder: Path, engine: str) -> dict[tuple[str, int, int], bool]:
    lines = journal_lines(folder, "endgames", endgame_facts(engine))
    return {(line["game"], line["cells"], line["number"]): line["proven"] for line in lines if "proven" in line}


def speed_facts(engine: str) -> dict[str, object]:
    return {"clock": "cpu", "engine": engine}


def measure_speed(folder: Path, engine: str, deadline: Deadline) -> None:
    """Nodes a second of CPU time over the positions of ``ninefold engine bench``, several times."""
    done = len(journal_lines(folder, "speed", speed_facts(engine)))
    for _ in range(done, SPEED_ROUNDS):
        deadline.check()
        timed = list(bench(bench_positions()))
        nodes, seconds = sum(one.info.nodes for one in timed), sum(one.cpu_seconds for one in timed)
        append(str(path_of(folder, "speed")), {"nodes": nodes, "seconds": round(seconds, 4)})
