"""``ninefold arena``: plays a tournament, shows its progress, and resumes it after an interruption."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from ninefold.arena.executors import EXECUTORS
from ninefold.arena.journal import resume_tournament
from ninefold.arena.participants import make_participant
from ninefold.arena.plot import plot
from ninefold.arena.progress import Progress
from ninefold.arena.ratings import Rating, cross_table, ratings
from ninefold.arena.schedule import GameResult, ScheduledGame, play_game, schedule
from ninefold.core.errors import NotAllowed
from ninefold.core.exit_codes import INTERRUPTED
from ninefold.core.messages import text
from ninefold.games import find_game
from ninefold.match.files import check_new, write_text


def arena(given: argparse.Namespace) -> int:
    game = find_game(given.game)
    options = dict(given.option)
    players = list(dict.fromkeys(given.players))
    if len(players) < 2:
        raise NotAllowed("too_few")
    start = game.begin(options)
    for player in players:
        with make_participant(game, player, start, 0):
            pass  # a participant that cannot play is refused before the first game
    if given.svg is not None:
        check_new(given.svg)
    games = schedule(game, options, players, given.pairs, given.seed)
    about: dict[str, object] = {
        "game": game.id, "options": dict(start.options), "players": players, "pairs": given.pairs, "seed": given.seed
    }  # fmt: skip
    done = resume_tournament(given.log, about, games) if given.log else {}
    results = _play(games, done, given)
    is_complete = len(results) == len(games)
    _report(given, players, results, is_complete=is_complete)
    return 0 if is_complete else INTERRUPTED


def _play(games: Sequence[ScheduledGame], done: dict[int, GameResult], given: argparse.Namespace) -> list[GameResult]:
    """Play the remaining games; every result is written into the log at once."""
    results = dict(done)
    waiting = [game for game in games if game.number not in done]
    alone = given.workers == 1 and given.executor == "processes"
    finished = map(play_game, waiting) if alone else EXECUTORS[given.executor](waiting, given.workers)
    progress = Progress(len(results), len(games), text("arena.unit"))
    with open(given.log or os.devnull, "a", encoding="utf-8") as log:
        try:
            progress.show(len(results))
            for result in finished:
                results[result.number] = result
                log.write(json.dumps(result._asdict()) + "\n")
                log.flush()
                progress.show(len(results))
        except KeyboardInterrupt:
            print("\n" + text("arena.interrupted", done=len(results), size=len(games)), file=sys.stderr)
            if given.log:
                print(text("arena.resume", file=given.log), file=sys.stderr)
    return [results[number] for number in sorted(results)]


def _report(given: argparse.Namespace, players: list[str], results: list[GameResult], *, is_complete: bool) -> None:
    rows = ratings(results, players)
    # The chart of an interrupted tournament would be in the way of the complete one.
    if given.svg is not None and is_complete:
        write_text(given.svg, plot(rows, text("arena.plot", game=given.game, count=len(results))))
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
    head = text("arena.head.player")
    width = max(len(head), *(len(row.player) for row in rows))
    print(f"{head:<{width}} {text('arena.head.ratings')}")
    for row in rows:
        share = row.points / row.games if row.games else 0
        rating = text(
            "arena.rating", elo=row.elo, low=row.low, high=row.high, points=row.points, games=row.games, share=share
        )
        print(f"{row.player:<{width}} {rating}")
