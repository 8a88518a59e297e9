"""Tests of two players over their pairs of games."""

from __future__ import annotations

from random import Random

import pytest

from ninefold.arena.paired_tests import games_needed, sign_test


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


def test_no_more_games_are_needed_once_the_test_is_decided() -> None:
    assert games_needed((0, 0, 0, 0, 30)) == games_needed((0, 6, 0, 0, 0)) == 0


def test_an_open_test_needs_at_least_one_more_pair() -> None:
    assert games_needed((0, 0, 0, 0, 5)) == 2, "six pairs that are all won have p = 1/32"
    assert games_needed((0, 0, 0, 0, 1)) == 10


def test_nobody_knows_how_many_games_level_players_need() -> None:
    assert games_needed((2, 0, 5, 0, 2)) is None
    assert games_needed((0, 0, 0, 0, 0)) is None


@pytest.mark.parametrize("counts", [(1, 2, 4, 3, 2), (1, 0, 0, 5, 0), (0, 0, 9, 1, 0), (9, 3, 1, 2, 8)])
def test_the_games_that_are_needed_decide_the_same_test_and_fewer_do_not(counts: tuple[int, ...]) -> None:
    needed = games_needed(counts)
    assert needed
    assert games_needed(counts[::-1]) == needed
    now, total = sign_test(counts), sum(counts)
    lead, trail = max(now.better, now.worse), min(now.better, now.worse)
    for further in range(needed // 2 + 1):  # pairs, with whole pairs counted against the one in front
        then = (-(-trail * (total + further) // total), 0, 0, 0, lead * (total + further) // total)
        assert sign_test(then).is_significant == (further == needed // 2)


def test_a_lead_that_no_tournament_could_confirm_is_called_level() -> None:
    assert games_needed((1000, 0, 0, 0, 1001)) is None


def test_a_smaller_difference_needs_more_games() -> None:
    clear, unclear = games_needed((1, 1, 2, 2, 4)), games_needed((2, 1, 3, 1, 3))
    assert clear is not None
    assert unclear is not None
    assert unclear > clear
