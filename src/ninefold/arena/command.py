"""``ninefold arena``: plays a tournament, shows how it goes, and can be interrupted and gone on with."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from ninefold.arena.entrants import entrant
from ninefold.arena.executors import EXECUTORS
from ninefold.arena.games import Job, Played, play, schedule
from ninefold.arena.plot import plot
from ninefold.arena.rating import Rating, cross_table, ratings
from ninefold.core import NotAllowed, Unreadable, quoted
from ninefold.games import find_game


def arena(given: argparse.Namespace) -> int:
    game = find_game(given.game)
    options = dict(given.option)
    players = list(dict.fromkeys(given.players))
    if len(players) < 2:
        raise NotAllowed(
            "too_few", "A tournament needs two different players.", "Name them, as in: arena squared easy hard"
        )
    start = game.begin(options)
    for player in players:
        with entrant(game, player, start, 0):
            pass  # who cannot play is refused before the first game
    jobs = schedule(game, options, players, given.pairs, given.seed)
    done = _resume(given.log, jobs) if given.log else {}
    results = _play(jobs, done, given)
    _report(given, players, results)
    return 0


def _resume(path: str, jobs: Sequence[Job]) -> dict[int, Played]:
    """The games that a log holds already; a log of another tournament is refused."""
    if not os.path.exists(path):
        return {}
    done = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                played = Played(**json.loads(line))
                job = jobs[played.number]
            except (ValueError, TypeError, IndexError, RecursionError):
                raise Unreadable(
                    "broken_file", f"{quoted(path, 100)}, line {number}: this is no game of an arena."
                ) from None
            if (job.x, job.o) != (played.x, played.o):
                raise NotAllowed(
                    "another_game", f"{quoted(path, 100)} is the log of another tournament.", "Name another file."
                )
            done[played.number] = played
    return done


def _play(jobs: Sequence[Job], done: dict[int, Played], given: argparse.Namespace) -> list[Played]:
    """Play what is still to be played; every finished game is in the log at once."""
    results = dict(done)
    waiting = [job for job in jobs if job.number not in done]
    log = open(given.log, "a", encoding="utf-8") if given.log else None  # noqa: SIM115 - closed below
    alone = given.workers == 1 and given.executor == "processes"
    finished = map(play, waiting) if alone else EXECUTORS[given.executor](waiting, given.workers)
    try:
        _progress(results, len(jobs))
        for played in finished:
            results[played.number] = played
            if log:
                log.write(json.dumps(played._asdict()) + "\n")
                log.flush()
            _progress(results, len(jobs))
    except KeyboardInterrupt:
        where = f" Go on with the same command and --log {given.log}." if given.log else ""
        print(f"\nInterrupted after {len(results)} of {len(jobs)} games.{where}", file=sys.stderr)
    finally:
        if log:
            log.close()
    return [results[number] for number in sorted(results)]


def _progress(results: dict[int, Played], size: int) -> None:
    if sys.stderr.isatty():
        filled = round(40 * len(results) / size)
        end = "\n" if len(results) == size else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {len(results)}/{size} games{end}")
        sys.stderr.flush()


def _report(given: argparse.Namespace, players: list[str], results: list[Played]) -> None:
    rows = ratings(results, players)
    if given.svg is not None:
        from ninefold.files import check_new, write_text

        check_new(given.svg)
        write_text(given.svg, plot(rows, f"{given.game}: Elo and 95% intervals, {len(results)} games"))
    if given.json:
        json.dump(
            {"game": given.game, "games": len(results), "ratings": [row._asdict() for row in rows]},
            sys.stdout,
            indent=2,
        )
        print()
        return
    _print_ratings(rows)
    print()
    names = [row.player for row in rows]
    width = max(map(len, names))
    for cells in cross_table(results, names):
        print(f"{cells[0]:<{width}} " + " ".join(f"{cell:>9}" for cell in cells[1:]))


def _print_ratings(rows: list[Rating]) -> None:
    width = max(len(row.player) for row in rows)
    print(f"{'player':<{width}}    Elo   95% interval   points")
    for row in rows:
        share = row.points / row.games if row.games else 0
        interval = f"{row.low:>+5.0f} .. {row.high:>+5.0f}"
        print(f"{row.player:<{width}} {row.elo:>+6.0f}   {interval}   {row.points:g}/{row.games} ({share:.0%})")
