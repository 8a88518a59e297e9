"""``ninefold arena``: plays a tournament, shows its progress, and resumes it after an interruption."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations

from ninefold.arena.config import PAIRS, SPRT_PAIRS
from ninefold.arena.executors import EXECUTORS
from ninefold.arena.journal import resume_tournament
from ninefold.arena.pairs import estimate_elo, pair_counts
from ninefold.arena.participants import make_participant
from ninefold.arena.plot import plot
from ninefold.arena.progress import Progress
from ninefold.arena.ratings import Rating, cross_table, ratings
from ninefold.arena.schedule import GameResult, ScheduledGame, play_game, schedule
from ninefold.arena.sprt import Hypotheses, SequentialTest
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
    if given.sprt and len(players) > 2:
        raise NotAllowed("too_few.sprt")
    start = game.begin(options)
    for player in players:
        with make_participant(game, player, start, 0):
            pass  # a participant that cannot play is refused before the first game
    if given.svg is not None:
        check_new(given.svg)
    pairs = given.pairs or (SPRT_PAIRS if given.sprt else PAIRS)
    source = given.openings or ("suite" if given.sprt else "random")
    games = schedule(game, options, players, pairs, given.seed, source, adjudicates=given.adjudicate)
    test = None
    if given.sprt:
        elo0, elo1 = given.sprt
        test = SequentialTest(players[0], Hypotheses(elo0, elo1, given.alpha, given.beta))
    about: dict[str, object] = {
        "game": game.id, "options": dict(start.options), "players": players, "pairs": pairs, "seed": given.seed
    }  # fmt: skip
    if source != "random":
        about["openings"] = source
    if given.adjudicate:
        about["adjudicate"] = True
    if test:
        about["sprt"] = test.hypotheses._asdict()
    done = resume_tournament(given.log, about, games) if given.log else {}
    results = _play(games, done, given, test)
    is_complete = len(results) == len(games)
    if test:
        is_complete = is_complete or bool(test.accepted)
        results = [result for result in results if result.number < 2 * test.pairs]  # those that the test has counted
    _report(given, players, results, test, is_complete=is_complete)
    return 0 if is_complete else INTERRUPTED


def _play(
    games: Sequence[ScheduledGame], done: dict[int, GameResult], given: argparse.Namespace, test: SequentialTest | None
) -> list[GameResult]:
    """Play the remaining games, or until the test is decided; every result is written into the log at once."""
    results = dict(done)
    progress = Progress(len(results), len(games), text("arena.unit"))
    waiting = [game for game in games if game.number not in done]
    if _show(progress, results, len(games), test):
        waiting = []
    alone = (given.workers == 1 and given.executor == "processes") or not waiting
    finished = (
        (play_game(game) for game in waiting) if alone else EXECUTORS[given.executor](play_game, waiting, given.workers)
    )
    with open(given.log or os.devnull, "a", encoding="utf-8") as log, closing(finished):
        try:
            for result in finished:
                results[result.number] = result
                log.write(json.dumps(result._asdict()) + "\n")
                log.flush()
                if _show(progress, results, len(games), test):
                    break
        except KeyboardInterrupt:
            print("\n" + text("arena.interrupted", done=len(results), size=len(games)), file=sys.stderr)
            if given.log:
                print(text("arena.resume", file=given.log), file=sys.stderr)
    return [results[number] for number in sorted(results)]


def _show(progress: Progress, results: dict[int, GameResult], size: int, test: SequentialTest | None) -> bool:
    """Show how far the tournament or its test is. True if the test is decided."""
    if test is None:
        progress.show(len(results))
        return False
    test.advance(results)
    bounds = test.hypotheses
    note = text(
        "arena.sprt", pairs=test.pairs, counts=_joined(test.counts), ratio=test.ratio, lower=bounds.lower,
        upper=bounds.upper, **test.estimate._asdict()
    )  # fmt: skip
    progress.show_note(note, is_last=bool(test.accepted) or 2 * test.pairs == size)
    return bool(test.accepted)


def _joined(counts: Sequence[int]) -> str:
    return "-".join(map(str, counts))


def _report(
    given: argparse.Namespace,
    players: list[str],
    results: list[GameResult],
    test: SequentialTest | None,
    *,
    is_complete: bool,
) -> None:
    rows = ratings(results, players)
    # The chart of an interrupted tournament would be in the way of the complete one.
    if given.svg is not None and is_complete:
        write_text(given.svg, plot(rows, text("arena.plot", game=given.game, count=len(results))))
    names = [row.player for row in rows]
    if given.json:
        meetings = {name: dict(zip(names, cells, strict=True)) for name, *cells in cross_table(results, names)}
        ranked = [row._asdict() for row in rows]
        facts = {"game": given.game, "games": len(results), "ratings": ranked, "points": meetings}
        facts["pairs"] = [
            {"players": [one, two], "counts": counts, **estimate_elo(counts)._asdict()}
            for one, two, counts in _meetings(results, players)
        ]
        if test:
            bounds = test.hypotheses
            facts["sprt"] = {
                **bounds._asdict(), "lower": bounds.lower, "upper": bounds.upper, "llr": test.ratio,
                "pairs": test.pairs, "accepted": test.accepted or None
            }  # fmt: skip
        json.dump(facts, sys.stdout, indent=2)
        print()
        return
    _print_ratings(rows)
    print()
    width = max(map(len, names))
    for cells in cross_table(results, names):
        print(f"{cells[0]:<{width}} " + " ".join(f"{cell:>9}" for cell in cells[1:]))
    print("\n" + text("arena.head.pairs"))
    for one, two, counts in _meetings(results, players):
        print(text("arena.pairs", one=one, two=two, counts=_joined(counts), **estimate_elo(counts)._asdict()))
    if test:
        one, two = players
        elo0, elo1, *_ = test.hypotheses
        print(
            text(f"arena.sprt.{test.accepted or 'undecided'}", pairs=test.pairs, one=one, two=two, elo0=elo0, elo1=elo1)
        )


def _meetings(results: list[GameResult], players: Sequence[str]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Every two players that have met, with the scores of their pairs of games."""
    for one, two in combinations(players, 2):
        counts = pair_counts(results, one, two)
        if any(counts):
            yield one, two, counts


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
