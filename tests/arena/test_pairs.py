"""Pairs of games: which belong together, and Elo with intervals from their five scores."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import mean, pstdev

import pytest

from ninefold.arena.pairs import MOST_ELO, elo_of, estimate_elo, expected_score, pair_counts
from ninefold.arena.ratings import ratings
from ninefold.arena.schedule import GameResult


def pair(number: int, first: str, second: str) -> list[GameResult]:
    """Two games of A and B from one opening, A first with X, by their winners."""
    return [GameResult(2 * number, "A", "B", first, 9), GameResult(2 * number + 1, "B", "A", second, 9)]


def test_the_five_scores_of_pairs_are_counted_for_each_player() -> None:
    pairs = [("O", "X"), ("", "X"), ("X", "X"), ("O", "O"), ("", ""), ("X", ""), ("X", "O")]
    games = [game for number, winners in enumerate(pairs) for game in pair(number, *winners)]
    assert pair_counts(games, "A", "B") == (1, 1, 3, 1, 1)
    assert pair_counts(games, "B", "A") == (1, 1, 3, 1, 1)
    assert pair_counts(games[:-1], "A", "B") == (1, 1, 3, 1, 0)  # a game alone is no pair
    assert pair_counts(games, "A", "C") == (0,) * 5


def test_elo_and_scores_are_inverse() -> None:
    assert [elo_of(expected_score(elo)) for elo in (-300, 0, 12.5)] == pytest.approx([-300, 0, 12.5])
    assert elo_of(1.0) == pytest.approx(MOST_ELO)


def test_the_interval_is_that_of_the_mean_of_the_pairs() -> None:
    counts = (200, 900, 2000, 1100, 300)
    points = [score for score, count in zip((0.0, 0.25, 0.5, 0.75, 1.0), counts, strict=True) for _ in range(count)]
    middle, margin = mean(points), 1.96 * pstdev(points) / sqrt(len(points))
    expected = [elo_of(middle), elo_of(middle - margin), elo_of(middle + margin)]
    assert list(estimate_elo(counts)) == pytest.approx(expected, abs=0.1)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng, held = Random(3), 0
    for _ in range(400):
        # An opening favours a side: the games of a pair depend on each other, as the interval has to know.
        counts = [0] * 5
        for _ in range(100):
            edge = 0.4 * rng.random()
            counts[2 * (rng.random() < 0.55 + edge) + 2 * (rng.random() < 0.55 - edge)] += 1
        low, high = estimate_elo(counts)[1:]
        held += low <= elo_of(0.55) <= high
    assert 0.92 <= held / 400 <= 0.98


def test_where_all_pairs_are_won_the_estimate_is_finite_and_says_how_unsure_it_is() -> None:
    few, many = estimate_elo((0, 0, 0, 0, 3)), estimate_elo((0, 0, 0, 0, 300))
    assert few.low < few.elo < few.high <= MOST_ELO
    assert few.low < many.low


def test_ratings_are_drawn_by_pair() -> None:
    """Whoever has X wins: every pair is 1:1, and little is unsure, though half of the games are lost."""
    even = [game for number in range(20) for game in pair(number, "X", "X")]
    split = [game for number in range(20) for game in pair(number, *("XO" if number % 2 else "OX"))]
    sure, unsure = (ratings(games, ["A", "B"])[0] for games in (even, split))
    assert 4 * (sure.high - sure.low) < unsure.high - unsure.low
