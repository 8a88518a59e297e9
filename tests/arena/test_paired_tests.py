"""Tests of two players over their pairs of games."""

from __future__ import annotations

from random import Random

import pytest

from ninefold.arena.paired_tests import games_needed, sign_test
from ninefold.arena.pairs import estimate_elo


@pytest.mark.parametrize(
    ("counts", "p_value"),
    [
        ((0, 0, 9, 0, 0), 1.0),  # nothing is decided
        ((0, 0, 0, 0, 6), 2 / 64),  # six heads in a row, or six tails
        ((1, 0, 0, 0, 5), 2 * 7 / 64),
        ((3, 0, 4, 0, 3), 1.0),
        ((0, 2, 0, 8, 0), 2 * (1 + 10 + 45) / 1024),  # quarter points decide a pair too
    ],
)
def test_the_sign_test_is_that_of_a_fair_coin(counts: tuple[int, ...], p_value: float) -> None:
    assert sign_test(counts).p_value == pytest.approx(p_value)
    assert sign_test(counts[::-1]).p_value == pytest.approx(p_value)


def test_equal_players_are_called_different_in_at_most_one_of_twenty_tournaments() -> None:
    rng = Random(1)
    found = 0
    for _ in range(2000):
        counts = [0] * 5
        for _ in range(20):
            counts[rng.choice((0, 1, 2, 2, 3, 4))] += 1
        found += sign_test(counts).is_significant
    assert found <= 0.05 * 2000


def test_no_more_games_are_needed_where_the_interval_leaves_zero_out_by_far() -> None:
    assert games_needed((0, 0, 0, 0, 30)) == 0


def test_nobody_knows_how_many_games_level_players_need() -> None:
    assert games_needed((2, 0, 5, 0, 2)) is None
    assert games_needed((0, 0, 0, 0, 0)) is None


def test_the_games_that_are_needed_are_enough_and_a_third_of_them_are_not() -> None:
    counts = (1, 2, 4, 3, 2)
    needed = games_needed(counts)
    assert needed
    share = (12 + needed / 2) / 12
    assert estimate_elo([count * share for count in counts]).low > 0
    assert estimate_elo([count * share * 0.3 for count in counts]).low < 0


def test_a_smaller_difference_needs_more_games() -> None:
    clear, unclear = games_needed((1, 1, 2, 2, 4)), games_needed((2, 1, 3, 1, 3))
    assert clear is not None
    assert unclear is not None
    assert unclear > clear
