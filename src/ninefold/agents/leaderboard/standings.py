"""The standings of a set of runs, game by game: ratings, results by side, paired tests, and the referee's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ninefold.agents.evaluation.usage import AgentUsage, usage_by_agent
from ninefold.agents.leaderboard.runs import Run, RunMatch
from ninefold.analysis.report.metrics import AgentMetrics, combine
from ninefold.arena.paired_tests import PairedTest, games_needed, sign_test
from ninefold.arena.pairs import EloEstimate, estimate_elo, pair_counts, points_of
from ninefold.arena.ratings import Rating, connected_groups, ratings
from ninefold.arena.schedule import GameResult
from ninefold.core.game import Game
from ninefold.match.state import UNFINISHED


class Tally(NamedTuple):
    """Games that were won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def share(self) -> float | None:
        """Of the points; None without games."""
        return self.points / self.games if self.games else None


class Standing(NamedTuple):
    """One agent of a leaderboard."""

    agent: str
    rating: Rating
    total: Tally
    by_side: Mapping[str, Tally]  # X and O
    by_turn: Mapping[str, Tally]  # "first" and "second" to move
    metrics: AgentMetrics
    endings: Mapping[str, int]  # its losses by their cause
    forfeit_reasons: Mapping[str, int]  # of the matches that it lost by a forfeit
    refused: Mapping[str, int]  # its refused attempts by their reason
    repaired: int = 0  # answers in words that were read as moves
    usage: AgentUsage | None = None
    crashes: int = 0  # also in matches that were played again since


class Meeting(NamedTuple):
    """Two agents that have met."""

    one: str
    two: str
    tally: Tally  # of the first
    counts: tuple[int, ...]  # pairs with each of the five scores
    estimate: EloEstimate
    test: PairedTest
    needed: int | None  # games


class Leaderboard(NamedTuple):
    """The standings of one game with its options."""

    game: Game
    options: Mapping[str, str]
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]
    matches: tuple[RunMatch, ...]
    judges: tuple[str, ...]
    has_claims: bool
    run_usage: Mapping[str, Mapping[str, AgentUsage]]  # by the name of the run, and by agent

    @property
    def groups(self) -> list[list[str]]:
        """The agents that a chain of games connects. Elo compares those of one group, and no others."""
        return connected_groups([one.agent for one in self.standings], [(met.one, met.two) for met in self.meetings])

    @property
    def changed_options(self) -> dict[str, str]:
        """The options that differ from those of the game."""
        return {name: value for name, value in self.options.items() if value != self.game.settle_options({})[name]}

    @property
    def id(self) -> str:
        """A name of this leaderboard that is also the name of a file."""
        return "-".join([self.game.id, *(f"{name}-{value}" for name, value in self.changed_options.items())])

    @property
    def title(self) -> str:
        changed = [f"{name}={value}" for name, value in self.changed_options.items()]
        return f"{self.game.title} ({', '.join(changed)})" if changed else self.game.title

    def meeting(self, one: str, two: str) -> Meeting | None:
        return next((met for met in self.meetings if {met.one, met.two} == {one, two}), None)


def leaderboards(runs: Sequence[Run], matches: Iterable[RunMatch]) -> list[Leaderboard]:
    """A leaderboard for every game and its options, in the order in which they appear. Agents of different runs are the
    same if they have the same name."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[RunMatch]] = {}
    for match in matches:
        setup = match.match.setup
        groups.setdefault((setup.game.id, setup.options), []).append(match)
    return [_leaderboard(group, runs if len(groups) == 1 else _runs_of(runs, group)) for group in groups.values()]


def _runs_of(runs: Sequence[Run], matches: Sequence[RunMatch]) -> list[Run]:
    """The runs of some matches: a run has one game."""
    names = {match.run for match in matches}
    return [run for run in runs if run.name in names]


def _leaderboard(matches: list[RunMatch], runs: Sequence[Run]) -> Leaderboard:
    usage = usage_by_agent(one for run in runs for one in run.usage)
    setup = matches[0].match.setup
    report = combine(match.report for match in matches)
    agents = [row.agent for row in report.rows]
    results = game_results(matches)
    figures = {row.agent: row for row in report.rows}
    standings = tuple(
        Standing(
            rating.player,
            rating,
            _tally(results, rating.player),
            _by_side(results, rating.player),
            _by_turn(results, rating.player, setup.start.turn.name),
            figures[rating.player].metrics,
            _endings(matches, rating.player),
            _forfeit_reasons(matches, rating.player),
            figures[rating.player].refused,
            _repaired(matches, rating.player),
            usage.get(rating.player),
            sum(run.crashes.get(rating.player, 0) for run in runs),
        )
        for rating in _ratings(results, agents)
    )  # fmt: skip
    order = [standing.agent for standing in standings]
    return Leaderboard(
        setup.game, dict(setup.options), standings, tuple(_meetings(results, order)), tuple(matches), report.judges,
        report.has_claims, {run.name: usage_by_agent(run.usage) for run in runs},
    )  # fmt: skip


def _ratings(results: Sequence[GameResult], agents: Sequence[str]) -> Iterable[Rating]:
    """The ratings of each group that games connect, one group after the other, each with a mean of 0."""
    for group in connected_groups(agents, [(result.x, result.o) for result in results]):
        yield from ratings([result for result in results if result.x in group], group)


def game_results(matches: Iterable[RunMatch]) -> list[GameResult]:
    """The games that have a result. Those of one pair stay together, also where several runs are put together."""
    offsets: dict[str, int] = {}
    results: list[GameResult] = []
    for one in matches:
        result = one.match.result
        if result is None or result.by in UNFINISHED or one.x == one.o:
            continue
        offset = offsets.setdefault(one.run, len(offsets) * 10**9)
        winner = result.outcome.winner
        results.append(GameResult(offset + one.number, one.x, one.o, winner.name if winner is not None else "",
                                  len(one.match.state.moves)))  # fmt: skip
    return results


def _side(result: GameResult, side: str) -> str:
    return result.x if side == "X" else result.o


def _tally(results: Iterable[GameResult], agent: str) -> Tally:
    points = Counter(points_of(one, agent) for one in results if agent in (one.x, one.o))
    return Tally(points[1.0], points[0.5], points[0.0])


def _by_side(results: Sequence[GameResult], agent: str) -> dict[str, Tally]:
    return {side: _tally([one for one in results if _side(one, side) == agent], agent) for side in "XO"}


def _by_turn(results: Sequence[GameResult], agent: str, first: str) -> dict[str, Tally]:
    starts = [one for one in results if _side(one, first) == agent]
    follows = [one for one in results if agent in (one.x, one.o) and _side(one, first) != agent]
    return {"first": _tally(starts, agent), "second": _tally(follows, agent)}


def _endings(matches: Iterable[RunMatch], agent: str) -> dict[str, int]:
    return dict(Counter(how.cause for one in matches for seat, how in one.endings.items() if one.agent(seat) == agent))


def _forfeit_reasons(matches: Iterable[RunMatch], agent: str) -> dict[str, int]:
    lost = (how for one in matches for seat, how in one.endings.items() if one.agent(seat) == agent)
    return dict(Counter(how.reason for how in lost if how.cause == "forfeit"))


def _repaired(matches: Iterable[RunMatch], agent: str) -> int:
    entries = (
        entry for one in matches for seat in (1, 2) if one.agent(seat) == agent for entry in one.transcripts[seat]
    )
    return sum(entry.get("repaired") is True for entry in entries)


def _meetings(results: Sequence[GameResult], agents: Sequence[str]) -> Iterable[Meeting]:
    for one, two in combinations(agents, 2):
        met = [result for result in results if {result.x, result.o} == {one, two}]
        if met:
            counts = pair_counts(met, one, two)
            yield Meeting(
                one, two, _tally(met, one), counts, estimate_elo(counts), sign_test(counts), games_needed(counts)
            )
