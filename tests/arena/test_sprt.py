"""The sequential test: its likelihood ratio is that of a direct maximisation, and it is rarely wrong."""

from __future__ import annotations

from math import log
from random import Random

import numpy as np
import pytest

from ninefold.arena.pairs import PAIR_SCORES, expected_score
from ninefold.arena.schedule import GameResult
from ninefold.arena.sprt import Hypotheses, SequentialTest, log_likelihood_ratio


def most_likely(counts: tuple[int, ...], mean: float) -> float:
    """The largest log likelihood of pairs with this mean, found by climbing on the probabilities themselves: Newton's
    method in the space of probabilities that keeps their sum and their mean."""
    scores, seen = np.array(PAIR_SCORES), np.array(counts, dtype=float)
    constraints = np.array([np.ones(5), scores])
    directions = np.linalg.svd(constraints)[2][2:].T
    # Any probabilities with this mean: part of them even, the rest at one end.
    end, share = (1.0, 2 * mean - 1) if mean > 0.5 else (0.0, 1 - 2 * mean)
    chances = (1 - share) * np.full(5, 0.2) + share * (scores == end)
    value = float(seen @ np.log(chances))
    for _ in range(200):
        gradient = directions.T @ (seen / chances)
        curvature = directions.T @ np.diag(seen / chances**2) @ directions
        step = directions @ np.linalg.solve(curvature, gradient)
        size = 1.0
        while (chances + size * step).min() <= 0 or float(seen @ np.log(chances + size * step)) < value - 1e-12:
            size /= 2
            if size < 1e-12:
                return value
        chances = chances + size * step
        value = float(seen @ np.log(chances))
    return value


@pytest.mark.parametrize(
    "counts", [(3, 20, 70, 22, 5), (1, 1, 1, 1, 1), (40, 3, 2, 1, 30), (2, 9, 30, 60, 200), (500, 900, 2000, 950, 560)]
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0.0, 10.0), (-5.0, 0.0), (-120.0, 200.0)])
def test_the_likelihood_ratio_is_that_of_a_direct_maximisation(
    counts: tuple[int, ...], elo0: float, elo1: float
) -> None:
    directly = most_likely(counts, expected_score(elo1)) - most_likely(counts, expected_score(elo0))
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(directly, rel=1e-6, abs=1e-6)


def test_pairs_that_are_won_or_lost_as_a_whole_are_walds_test_of_a_coin() -> None:
    zero, one = expected_score(0), expected_score(50)
    wald = 60 * log(one / zero) + 40 * log((1 - one) / (1 - zero))
    assert log_likelihood_ratio((40, 0, 0, 0, 60), 0, 50) == pytest.approx(wald, abs=0.02)


def test_with_draws_between_the_probabilities_are_those_of_the_quadratic_equation() -> None:
    """Three scores: losses l, draws d, wins w with w - l = 2 * mean - 1. The derivative of the likelihood is
    a quadratic equation in l."""
    losses, draws, wins = 30, 50, 45

    def likelihood(mean: float) -> float:
        gap = 2 * mean - 1
        total = losses + draws + wins
        # losses/l - 2 draws/(1-gap-2l) + wins/(l+gap) = 0
        squared = 2 * total
        linear = gap * (2 * losses + 2 * draws) - (1 - gap) * (losses + wins)
        l = (-linear + (linear**2 + 4 * squared * losses * (1 - gap) * gap) ** 0.5) / (2 * squared)
        return losses * log(l) + draws * log(1 - gap - 2 * l) + wins * log(l + gap)

    exact = likelihood(expected_score(30)) - likelihood(expected_score(5))
    assert log_likelihood_ratio((losses, 0, draws, 0, wins), 5, 30) == pytest.approx(exact, abs=0.02)


def test_the_bounds_follow_from_the_error_rates() -> None:
    bounds = Hypotheses(0, 10, alpha=0.05, beta=0.1)
    assert (bounds.lower, bounds.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


def simulate(rng: Random, elo: float, hypotheses: Hypotheses) -> str:
    """A test of a player with a known Elo difference, in games of which 30% are drawn."""
    test = SequentialTest("A", hypotheses)
    won, drawn = expected_score(elo) - 0.15, 0.3
    while not test.accepted:
        games = [rng.random() for _ in range(2)]
        test.add_pair(sum(2 if game < won else 1 if game < won + drawn else 0 for game in games))
    return test.accepted


@pytest.mark.parametrize(("elo", "right"), [(-60.0, "H0"), (60.0, "H1")])
def test_simulated_matches_are_decided_wrongly_about_as_rarely_as_promised(elo: float, right: str) -> None:
    rng = Random(7)
    decided = [simulate(rng, elo, Hypotheses(-60, 60, alpha=0.1, beta=0.1)) for _ in range(200)]
    assert 0.84 <= decided.count(right) / 200 <= 0.99


def test_a_player_between_the_hypotheses_is_sometimes_accepted_and_sometimes_not() -> None:
    rng = Random(1)
    decided = [simulate(rng, 0.0, Hypotheses(-60, 60, alpha=0.1, beta=0.1)) for _ in range(100)]
    assert 25 <= decided.count("H1") <= 75


def won_pairs(count: int) -> dict[int, GameResult]:
    """Pairs of which A wins both games."""
    sides = [("A", "B", "X"), ("B", "A", "O")]
    return {number: GameResult(number, *sides[number % 2], 40) for number in range(2 * count)}


def test_pairs_count_in_the_order_of_the_schedule_and_none_after_the_decision() -> None:
    results = won_pairs(400)
    test = SequentialTest("A", Hypotheses(0, 100))
    test.advance({number: result for number, result in results.items() if number != 3})
    assert test.pairs == 1
    test.advance(results)
    decided = test.pairs, test.ratio
    assert test.accepted == "H1"
    assert test.pairs < 400
    test.advance(won_pairs(500))
    assert (test.pairs, test.ratio) == decided
