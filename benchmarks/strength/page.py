"""The page docs/strength.md, from the journals alone: it can be written again at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.endgames import POSITIONS, UNPROVEN, most_cells
from benchmarks.report import machine, table
from benchmarks.strength.journals import engine_of, games_of, match_facts, path_of
from benchmarks.strength.opponents import BOT_LIMIT, variable
from benchmarks.strength.play import BIG_GAMES, SPEED_ROUNDS, known_proofs, speed_facts
from benchmarks.strength.programme import GROUPS, MatchGroup, MatchPlan
from ninefold.arena.journal import resume, resume_tournament
from ninefold.arena.pairs import estimate_elo, expected_score, group_pairs, is_pair, pair_counts, points_of
from ninefold.arena.ratings import ratings
from ninefold.arena.schedule import GameResult

EARLIER = "earlier/2026-11-15.md"  # tables of an earlier programme; to be deleted when the levels have been played
CROSSFISH, TOMALARD = "0c3637c (16 August 2026)", "1166a70 (12 December 2023)"
ABOUT = """\
Written by `make bench-strength` from the journals in `benchmarks/results`: one line a game, with all its moves. The
programme goes on where it was interrupted, in pieces if wanted:

    make bench-strength ARGUMENTS="--only tomalard crossfish --minutes 30"

`ARGUMENTS=--help` lists the matches, and `ARGUMENTS=--check` replays every game of the journals. All of it takes some
forty hours of one core. To begin anew, name an empty folder: `ARGUMENTS="--results build/strength"`.

- **Engine**: the column has the signature that `ninefold engine bench` prints. It changes when the search or a network
  changes; games of another engine are set aside in `benchmarks/results/earlier`, and never mixed.
- **Openings**: the first of the suite of the rules, each played with both sides.
- **Clocks** count CPU time (`engine:cpu=0.1`), so that a busy machine changes little. Other programs get a clock of
  their process by `benchmarks/strength/cpu_clock.c`. Forced moves are played without a search. Of two threads each has
  0.1 s, and the first that has used them ends the search: without a core for each, the other one has had less.
- **Ended early**: a game counts as won when our engine has proven twice in a row that it wins against every defence.
  All other games, lost and drawn ones too, are played to their end.
- **Elo** is the difference between the two players, with its 95% interval by pair of games (pentanomial); the share of
  the points has the same interval. A **forfeit** is a game lost without a legal move in time."""
BUILDING = f"""\
No code of these bots is in this repository. They are built outside of it, from their published sources and as their
authors describe: `TomAlard/UTTT_player` at {TOMALARD}, and the bot with a network of `nathanWolo/crossfish` at
{CROSSFISH}, the newest states that could be had. Their own main functions skip the list of valid moves, and could
not follow an opening. So each gets a main function of one's own, which takes the time for a move as its argument and
plays the only valid move, without a search, where just one is given. Then

    export {variable("tomalard")}="PATH 0.1" {variable("crossfish")}="PATH 100"

with whatever arguments make them think 0.1 s a move. A turn of more than {BOT_LIMIT:g} s would be a forfeit.

That state of crossfish is not the one that led CodinGame's ladder in September 2026: the history of its repository
puts it at rank 68 of the Legend league, with a small network that corrects a hand-made evaluation. The pattern network
that took it to the top came later, and its sources could not be had. So the score says how far ours is ahead of the
bot of August, and nothing about the later one."""


def page(folder: Path) -> str:
    """The text of docs/strength.md."""
    parts = ["# Strength", ABOUT, table(("machine", ""), machine("open_spiel"))]
    for group in GROUPS:
        parts += [f"## {group.title}", group.about, *_tables(folder, group)]
    parts += [*_endgames(folder), *_speed(folder), "## Building the bots", BUILDING]
    if (folder / EARLIER).is_file():
        parts.append((folder / EARLIER).read_text(encoding="utf-8").strip())
    return "\n\n".join(parts) + "\n"


def _tables(folder: Path, group: MatchGroup) -> list[str]:
    games = [(plan, read_games(folder, plan)) for plan in group.matches]
    heads = ("match", "rules", "games", "won-drawn-lost", "points", "Elo", "goal", "ended early", "forfeits", "engine")
    rows = [_row(plan, found, engine_of(path_of(folder, plan.name))) for plan, found in games]
    found = [table(heads, rows)]
    every = [game for _, results in games for game in results]
    if group.is_rated and every:
        players = sorted({name for game in every for name in (game.x, game.o)})
        rated = ((f"`{row.player}`", f"{row.elo:+.0f}", _range(row.low, row.high)) for row in ratings(every, players))
        found += ["Rated together, relative to their mean:", table(("player", "Elo", "95% interval"), rated)]
    return found


def read_games(folder: Path, plan: MatchPlan) -> list[GameResult]:
    """The complete pairs in the journal of a match. It is the journal of this match, or none."""
    path = path_of(folder, plan.name)
    if not path.is_file():
        return []
    done = resume_tournament(str(path), match_facts(plan, engine_of(path)), games_of(plan))
    pairs = group_pairs(done[number] for number in sorted(done))
    return [game for pair in pairs if is_pair(pair) for game in pair]


def _row(plan: MatchPlan, games: Sequence[GameResult], engine: str) -> tuple[str, ...]:
    name = f"`{plan.ours}` - `{plan.theirs}`"
    if not games:
        return (name, plan.rules, f"0 of {plan.games}", "-", "-", "-", plan.goal, "-", "-", "-")
    points = Counter(points_of(game, plan.ours) for game in games)
    elo, low, high = estimate_elo(pair_counts(games, plan.ours, plan.theirs))
    share = sum(points_of(game, plan.ours) for game in games) / len(games)
    interval = f"{expected_score(low):.1%} .. {expected_score(high):.1%}"
    reasons = Counter(game.reason for game in games)
    forfeits = f"{reasons['forfeit']}{_losers(games)}"
    return (
        name, plan.rules, f"{len(games)} of {plan.games}", f"{points[1]}-{points[0.5]}-{points[0]}",
        f"{share:.1%} ({interval})", f"{elo:+.0f} ({_range(low, high)})", plan.goal, str(reasons["proven"]), forfeits,
        engine
    )  # fmt: skip


def _losers(games: Iterable[GameResult]) -> str:
    losers = Counter(game.o if game.winner == "X" else game.x for game in games if game.reason == "forfeit")
    return "".join(f", {count} by `{name}`" for name, count in sorted(losers.items()))


def _range(low: float, high: float) -> str:
    return f"{low:+.0f} .. {high:+.0f}"


def _endgames(folder: Path) -> list[str]:
    engine = engine_of(path_of(folder, "endgames"))
    known = known_proofs(folder, engine) if engine else {}

    def cells(game: str) -> str:
        try:
            return f"{most_cells(game, lambda *position: known[position])} free cells"
        except KeyError:
            return "not finished"

    goals = {"ultimate": "31", "squared": "34"}
    about = (
        f"The most free cells on live boards with which at least {POSITIONS - UNPROVEN} of {POSITIONS} random\n"
        "positions are proven within a second of CPU time each, by one thread with 256 MiB."
    )
    counts = Counter(game for game, _, _ in known)
    rows = [(game, cells(game), goals[game], str(counts[game]), engine or "-") for game in BIG_GAMES]
    return ["## Endgames", about, table(("game", "95% proven", "goal", "positions searched", "engine"), rows)]


def _speed(folder: Path) -> list[str]:
    path = path_of(folder, "speed")
    engine = engine_of(path)
    lines = resume(str(path), {"speed": speed_facts(engine)}, "tournament") if engine else []
    speeds = [line["nodes"] / line["seconds"] / 1e6 for line in lines if line.get("seconds")]
    found = (f"{median(speeds):.1f}", f"{max(speeds):.1f}") if speeds else ("-", "-")
    about = "Millions of nodes a second of CPU time, in rounds over the positions of `ninefold engine bench`."
    row = (*found, "10", f"{len(speeds)} of {SPEED_ROUNDS}", engine or "-")
    return ["## Speed", about, table(("median", "best", "goal", "rounds", "engine"), [row])]
