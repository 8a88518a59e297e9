"""Elo ratings from results, by maximum likelihood (Bradley-Terry), with bootstrap confidence
intervals by pair of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log10
from random import Random
from typing import NamedTuple

from ninefold.arena.pairs import group_pairs, points_of
from ninefold.arena.schedule import GameResult

RESAMPLES = 200
MOST_ROUNDS = 200  # of the iteration to the most likely strengths
CLOSE = 1e-7  # the relative change of a strength at which the iteration ends: less than a ten-thousandth of a point


class Rating(NamedTuple):
    player: str
    elo: float
    low: float  # 95% of resampled tournaments lie between low and high
    high: float
    points: float
    games: int


def elo(results: Sequence[GameResult], players: Sequence[str]) -> dict[str, float]:
    """Bradley-Terry strengths on the Elo scale, with the mean at 0; a draw is half a win and half a loss."""
    wins = dict.fromkeys(players, 0.0)
    meetings: dict[str, Counter[str]] = {player: Counter() for player in players}
    for result in results:
        for player, other in ((result.x, result.o), (result.o, result.x)):
            wins[player] += points_of(result, player)
            if player != other:
                meetings[player][other] += 1
    strength = dict.fromkeys(players, 1.0)
    for _ in range(MOST_ROUNDS):
        before = dict(strength)
        for player in players:
            own = strength[player]
            weight = sum(count / (own + strength[other]) for other, count in meetings[player].items())
            # Half a point lent to every player keeps the rating finite of one who lost or won everything.
            strength[player] = (wins[player] + 0.5) / (weight + 1 / (own + 1)) if weight else 1.0
        if all(abs(strength[player] - before[player]) <= CLOSE * before[player] for player in players):
            break
    rated = {player: 400 * log10(strength[player]) for player in players}
    mean = sum(rated.values()) / len(rated)
    return {player: value - mean for player, value in rated.items()}


def ratings(results: Sequence[GameResult], players: Sequence[str], seed: int = 0) -> list[Rating]:
    """Ratings, strongest first, with intervals from resampling the pairs of games from one opening."""
    rng = Random(seed)
    pairs = group_pairs(results)
    central = elo(results, players)
    samples: dict[str, list[float]] = {player: [] for player in players}
    for _ in range(RESAMPLES if results else 0):
        again = [game for _ in pairs for game in pairs[int(rng.random() * len(pairs))]]
        for player, value in elo(again, players).items():
            samples[player].append(value)
    rows = [_rating(player, central[player], sorted(samples[player]), results) for player in players]
    return sorted(rows, key=lambda row: -row.elo)


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
    low, high = (sampled[int(len(sampled) * share)] for share in (0.025, 0.975)) if sampled else (value, value)
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
