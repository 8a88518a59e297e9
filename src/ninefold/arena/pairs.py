"""Pairs of games from one opening, each player once with each side: their scores, and Elo with its interval by pair.

The two games of a pair depend on each other, because the opening may favour a side. So the pair is what is counted,
with five scores (pentanomial statistics), and intervals follow from the variance of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log10, sqrt
from typing import NamedTuple

from ninefold.arena.schedule import GameResult

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # points of a game, as the mean of the two
MOST_ELO = 1200.0  # no estimate is further from 0
Z_95 = 1.959964  # 95% of a normal distribution lie within so many standard deviations


class EloEstimate(NamedTuple):
    """A difference of Elo, and its 95% interval."""

    elo: float
    low: float
    high: float


def points_of(result: GameResult, player: str) -> float:
    if not result.winner:
        return 0.5
    return float((result.x if result.winner == "X" else result.o) == player)


def group_pairs(results: Iterable[GameResult]) -> list[list[GameResult]]:
    """The games that belong together, in the order of the schedule. A game whose other half is not there is alone."""
    groups: dict[tuple[int, frozenset[str]], list[GameResult]] = {}
    for result in results:
        groups.setdefault((result.number // 2, frozenset((result.x, result.o))), []).append(result)
    return list(groups.values())


def is_pair(games: Sequence[GameResult]) -> bool:
    return len(games) == 2 and games[0].x == games[1].o != games[0].o == games[1].x


def pair_counts(results: Iterable[GameResult], one: str, two: str) -> tuple[int, ...]:
    """How many pairs between two players have each of the five scores, for the first of them."""
    counts = [0] * len(PAIR_SCORES)
    for games in group_pairs(result for result in results if {result.x, result.o} == {one, two}):
        if is_pair(games):
            counts[score_index(games, one)] += 1
    return tuple(counts)


def score_index(pair: Sequence[GameResult], player: str) -> int:
    """The place of a pair's score in ``PAIR_SCORES``."""
    return round(2 * sum(points_of(result, player) for result in pair))


def elo_of(score: float) -> float:
    """The difference of Elo at which this share of the points is expected (logistic), as far as ``MOST_ELO``."""
    if not 0 < score < 1:
        return MOST_ELO if score > 0 else -MOST_ELO
    return min(max(400 * log10(score / (1 - score)), -MOST_ELO), MOST_ELO)


def expected_score(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def estimate_elo(counts: Sequence[float]) -> EloEstimate:
    """Elo from the mean of the pairs, and its interval from their variance."""
    # Half a pair lent to each side keeps the estimate finite, and the interval open, where all pairs are alike.
    lent = [counts[0] + 0.5, *counts[1:-1], counts[-1] + 0.5]
    total = sum(lent)
    mean = sum(count * score for count, score in zip(lent, PAIR_SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(lent, PAIR_SCORES, strict=True)) / total
    margin = Z_95 * sqrt(variance / total)
    return EloEstimate(elo_of(mean), elo_of(mean - margin), elo_of(mean + margin))
