"""Elo ratings from results: the most likely ones (Bradley-Terry), with intervals by pair of games.

The intervals come from a Bayesian bootstrap (Rubin 1981): in each drawn tournament every pair of games has a random
weight from the exponential distribution. What never happened would never be drawn, so everybody also has half a pair
won and half a pair lost against the opponents, with random weights from the gamma distribution. For two players who
have n pairs, all won by one of them, that is the interval of Jeffreys: the share of the points is
Beta(n + 1/2, 1/2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from random import Random
from typing import NamedTuple

from ninefold.arena.bradley_terry import MeetingPoints, PriorPoints, strengths
from ninefold.arena.pairs import group_pairs, points_of
from ninefold.arena.schedule import GameResult

__all__ = ["PairScore", "Rating", "elo", "ratings"]

DRAWN = 1000  # tournaments
LENT = PriorPoints(0.5, 0.5)  # to every player, in points of a game: a rating stays finite, and hardly moves
ANCHOR = PriorPoints(0.01, 0.01)  # the same in drawn tournaments, where pairs are lent too: no interval is infinite
HALF = 0.5  # of a pair that is won, and of one that is lost, are lent to a player in drawn tournaments (Jeffreys)
OUTSIDE = 0.025  # of the drawn tournaments lie below an interval of 95%, and as many above it
ELO = 400 / log(10)  # points of Elo in one unit of strength


class Rating(NamedTuple):
    """The Elo of a player, with the interval that holds 95% of the drawn tournaments.

    >>> from ninefold import play_tournament
    >>> best = play_tournament("classic", ["random", "perfect"], pairs=4, seed=1).ratings[0]
    >>> best.player, best.low < best.elo < best.high, best.games
    ('perfect', True, 8)
    """

    player: str
    elo: float
    low: float  # 95% of the drawn tournaments lie between low and high
    high: float
    points: float
    games: int


class PairScore(NamedTuple):
    """The points of two players, given by their numbers, in one pair of games or in a game that is alone.

    >>> PairScore(0, 1, 1.5, 0.5).points_one
    1.5
    """

    one: int
    two: int
    points_one: float
    points_two: float


def elo(results: Sequence[GameResult], players: Sequence[str]) -> dict[str, float]:
    """Bradley-Terry strengths on the Elo scale, with the mean at 0; a draw is half a win and half a loss.

    >>> from ninefold import play_tournament
    >>> tournament = play_tournament("classic", ["random", "perfect"], pairs=4, seed=1)
    >>> found = elo(tournament.results, tournament.players)
    >>> found["perfect"] > 0 > found["random"], round(sum(found.values()))
    (True, 0)
    """
    found = _fit(_pair_scores(results, players), len(players))
    return dict(zip(players, _on_elo_scale(found), strict=True))


def ratings(results: Sequence[GameResult], players: Sequence[str], seed: int = 0) -> list[Rating]:
    """Ratings, strongest first, with intervals from tournaments that are drawn anew from the pairs of games.

    >>> from ninefold import play_tournament
    >>> tournament = play_tournament("classic", ["random", "perfect"], pairs=4, seed=1)
    >>> [rating.player for rating in ratings(tournament.results, tournament.players)]
    ['perfect', 'random']
    """
    scores = _pair_scores(results, players)
    central = _fit(scores, len(players))
    drawn = [_on_elo_scale(one) for one in _drawn(scores, central, Random(seed))] if scores else []
    samples = [sorted(values) for values in zip(*drawn, strict=True)] or [[] for _ in players]
    rows = [
        _rating(player, value, sampled, results)
        for player, value, sampled in zip(players, _on_elo_scale(central), samples, strict=True)
    ]
    return sorted(rows, key=lambda row: -row.elo)


def _pair_scores(results: Iterable[GameResult], players: Sequence[str]) -> Counter[PairScore]:
    """How often each score of a pair has happened. Games of a player against itself say nothing."""
    places = {player: place for place, player in enumerate(players)}
    scores: Counter[PairScore] = Counter()
    for games in group_pairs(result for result in results if result.x != result.o):
        one, two = sorted((games[0].x, games[0].o), key=places.__getitem__)
        points = [sum(points_of(result, player) for result in games) for player in (one, two)]
        scores[PairScore(places[one], places[two], *points)] += 1
    return scores


def _fit(scores: Mapping[PairScore, int], players: int) -> list[float]:
    return strengths(_meetings(scores), [LENT] * players)


def _drawn(scores: Mapping[PairScore, int], central: Sequence[float], rng: Random) -> Iterator[list[float]]:
    """The strengths in tournaments that are drawn anew."""
    shapes = _lent_pairs(scores)
    for score, count in scores.items():  # a sum of n exponential weights has the gamma distribution with shape n
        shapes[score] = shapes.get(score, 0.0) + count
    for _ in range(DRAWN):
        weights = {score: rng.gammavariate(shape, 1) for score, shape in shapes.items()}
        yield strengths(_meetings(weights), [ANCHOR] * len(central), central)


def _lent_pairs(scores: Iterable[PairScore]) -> dict[PairScore, float]:
    """The pairs that are lent: half a pair won and half a pair lost for each player, divided among the opponents."""
    met = {score[:2] for score in scores}
    opponents = Counter(player for players in met for player in players)
    lent: dict[PairScore, float] = {}
    for one, two in sorted(met):
        part = (HALF / opponents[one] + HALF / opponents[two]) / 2
        lent |= {PairScore(one, two, 2.0, 0.0): part, PairScore(one, two, 0.0, 2.0): part}
    return lent


def _meetings(weights: Mapping[PairScore, float]) -> list[MeetingPoints]:
    """The points of each two players, from the weights of the scores of their pairs."""
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for score, weight in weights.items():
        one, two = found.get(score[:2], (0.0, 0.0))
        found[score[:2]] = one + weight * score.points_one, two + weight * score.points_two
    return [MeetingPoints(*players, *points) for players, points in found.items()]


def _on_elo_scale(found: Sequence[float]) -> list[float]:
    """Strengths as Elo, with the mean at 0."""
    mean = sum(found) / len(found) if found else 0.0
    return [ELO * (value - mean) for value in found]


def connected_groups(players: Sequence[str], meetings: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The players in groups that a chain of games connects, in their order. Ratings of different groups cannot be
    compared.

    >>> connected_groups("abcd", [("a", "c"), ("c", "d")])
    [['a', 'c', 'd'], ['b']]
    """
    group = {player: player for player in players}  # by one of its members
    for one, two in meetings:
        joined, gone = group[one], group[two]
        group = {player: joined if member == gone else member for player, member in group.items()}
    found: dict[str, list[str]] = {}
    for player in players:
        found.setdefault(group[player], []).append(player)
    return list(found.values())


def _rating(player: str, value: float, sampled: list[float], results: Iterable[GameResult]) -> Rating:
    mine = [result for result in results if player in (result.x, result.o)]
    outside = int(len(sampled) * OUTSIDE)
    low, high = (sampled[outside], sampled[-1 - outside]) if sampled else (value, value)
    return Rating(player, value, low, high, sum(points_of(result, player) for result in mine), len(mine))


def cross_table(results: Sequence[GameResult], players: Sequence[str]) -> list[list[str]]:
    """Points of each row against each column."""
    table = []
    for row in players:
        cells = [row]
        for column in players:
            met = [result for result in results if {result.x, result.o} == {row, column} and row != column]
            cells.append(f"{sum(points_of(result, row) for result in met):g}/{len(met)}" if met else "-")
        table.append(cells)
    return table
