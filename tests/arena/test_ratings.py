"""Intervals of ratings: those of Jeffreys where all pairs have the same score, and true 95 times of a hundred."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ninefold.arena.bradley_terry import MeetingPoints, PriorPoints, expected_share, strengths
from ninefold.arena.pairs import elo_of, expected_score
from ninefold.arena.ratings import Rating, elo, ratings
from ninefold.arena.schedule import GameResult


def pair(number: int, one: str, two: str, points: str) -> list[GameResult]:
    """Two games with the sides exchanged: 1 and 0 are wins of the first and of the second player, = is a draw."""
    winners = ({"1": "X", "0": "O", "=": ""}, {"1": "O", "0": "X", "=": ""})
    return [
        GameResult(2 * number, one, two, winners[0][points[0]], 9),
        GameResult(2 * number + 1, two, one, winners[1][points[1]], 9),
    ]


def pairs(*points: str) -> list[GameResult]:
    """Pairs of A and B."""
    return [game for number, one in enumerate(points) for game in pair(number, "A", "B", one)]


def rating(results: list[GameResult], player: str = "A") -> Rating:
    return next(one for one in ratings(results, ["A", "B"]) if one.player == player)


@pytest.mark.parametrize("count", [2, 10, 30])
def test_whoever_won_all_pairs_has_the_lower_limit_of_jeffreys(count: int) -> None:
    rng = Random(3)
    shares = sorted(rng.betavariate(count + 0.5, 0.5) for _ in range(20_000))
    limit = elo_of(shares[500]) / 2  # at 2.5%; half of the difference, because the mean of both players is 0
    assert rating(pairs(*["11"] * count)).low == pytest.approx(limit, abs=30)
    assert rating(pairs(*["00"] * count)).high == pytest.approx(-limit, abs=30)


@pytest.mark.parametrize("points", ["11", "00", "==", "10"])
def test_an_interval_is_wide_where_all_of_few_pairs_have_the_same_score(points: str) -> None:
    few, more = rating(pairs(*[points] * 2)), rating(pairs(*[points] * 20))
    assert few.low < few.elo < few.high
    assert few.high - few.low > 150
    assert few.high - few.low > more.high - more.low > 20


def test_the_less_is_known_the_wider_is_the_interval_of_one_who_only_wins() -> None:
    lows = [rating(pairs(*["11"] * count)).low for count in (1, 2, 5, 20, 80)]
    assert all(one + 20 < two for one, two in pairwise(lows))
    assert lows[0] < 0, "one pair says nothing about who is better"


def test_the_true_elo_lies_in_95_of_a_hundred_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.arena.ratings.DRAWN", 200)
    true, found = 120.0, 0
    rng = Random(11)
    for seed in range(100):
        points = ["".join("01"[rng.random() < expected_score(2 * true)] for _ in range(2)) for _ in range(6)]
        one = next(one for one in ratings(pairs(*points), ["A", "B"], seed) if one.player == "A")
        found += one.low <= true <= one.high
    assert 90 <= found <= 100


def test_elo_is_found_to_the_end_where_one_player_wins_nearly_everything() -> None:
    """At the most likely strengths, points are those expected, with half a point that is lent on both sides."""
    rated = elo(pairs("1=", *["11"] * 99), "AB")
    expected = 200 * expected_score(rated["A"] - rated["B"]) + expected_score(rated["A"])
    assert expected == pytest.approx(199.5 + 0.5, abs=0.001)


def test_strengths_are_those_at_which_points_are_as_expected() -> None:
    meetings = [MeetingPoints(0, 1, 7, 3), MeetingPoints(1, 2, 30, 0), MeetingPoints(0, 2, 1.5, 2.5)]
    prior = [PriorPoints(0.5, 0.25), PriorPoints(0.001, 0.001), PriorPoints(0.0, 1e-5)]
    found = strengths(meetings, prior)
    for player, lent in enumerate(prior):
        got = lent.won + sum(met[2 + met[:2].index(player)] for met in meetings if player in met[:2])
        expected = sum(lent) * expected_share(found[player])
        for one, two, *points in meetings:
            sign = (one == player) - (two == player)
            expected += sign * sign * sum(points) * expected_share(sign * (found[one] - found[two]))
        assert got == pytest.approx(expected, abs=1e-4)


def test_games_of_a_player_against_itself_change_nothing() -> None:
    alone = [GameResult(number, "A", "A", "X", 9) for number in range(100, 110)]
    assert elo([*pairs("11", "10"), *alone], "AB") == elo(pairs("11", "10"), "AB")


def test_intervals_of_two_players_mirror_each_other() -> None:
    results = pairs("11", "1=", "10", "==", "11")
    one, two = rating(results, "A"), rating(results, "B")
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))
