"""``ninefold arena``: plays a tournament, shows how it goes, and can be interrupted and gone on with."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from ninefold.arena import progress
from ninefold.arena.entrants import entrant
from ninefold.arena.executors import EXECUTORS
from ninefold.arena.plot import plot
from ninefold.arena.ratings import Rating, cross_table, ratings
from ninefold.arena.schedule import Job, Played, play, schedule
from ninefold.arena.tournament_log import resume
from ninefold.core.errors import NotAllowed
from ninefold.games import find_game
from ninefold.match.files import check_new, write_text

INTERRUPTED = 130


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
    if given.svg is not None:
        check_new(given.svg)
    jobs = schedule(game, options, players, given.pairs, given.seed)
    about: dict[str, object] = {
        "game": game.id, "options": dict(start.options), "players": players, "pairs": given.pairs, "seed": given.seed
    }  # fmt: skip
    done = resume(given.log, about, jobs) if given.log else {}
    results = _play(jobs, done, given)
    is_whole = len(results) == len(jobs)
    _report(given, players, results, is_whole=is_whole)
    return 0 if is_whole else INTERRUPTED


def _play(jobs: Sequence[Job], done: dict[int, Played], given: argparse.Namespace) -> list[Played]:
    """Play what is still to be played; every finished game is in the log at once."""
    results = dict(done)
    waiting = [job for job in jobs if job.number not in done]
    alone = given.workers == 1 and given.executor == "processes"
    finished = map(play, waiting) if alone else EXECUTORS[given.executor](waiting, given.workers)
    with open(given.log or os.devnull, "a", encoding="utf-8") as log:
        try:
            progress.show(len(results), len(jobs), "games")
            for played in finished:
                results[played.number] = played
                log.write(json.dumps(played._asdict()) + "\n")
                log.flush()
                progress.show(len(results), len(jobs), "games")
        except KeyboardInterrupt:
            where = f" Go on with the same command and --log {given.log}." if given.log else ""
            print(f"\nInterrupted after {len(results)} of {len(jobs)} games.{where}", file=sys.stderr)
    return [results[number] for number in sorted(results)]


def _report(given: argparse.Namespace, players: list[str], results: list[Played], *, is_whole: bool) -> None:
    rows = ratings(results, players)
    # The picture of an interrupted tournament would be in the way of the whole one.
    if given.svg is not None and is_whole:
        write_text(given.svg, plot(rows, f"{given.game}: Elo and 95% intervals, {len(results)} games"))
    names = [row.player for row in rows]
    if given.json:
        meetings = {name: dict(zip(names, cells, strict=True)) for name, *cells in cross_table(results, names)}
        ranked = [row._asdict() for row in rows]
        facts = {"game": given.game, "games": len(results), "ratings": ranked, "points": meetings}
        json.dump(facts, sys.stdout, indent=2)
        print()
        return
    _print_ratings(rows)
    print()
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
