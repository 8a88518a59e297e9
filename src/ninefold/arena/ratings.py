"""Elo from results: the ratings under which they were most likely, and how far they may be off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log10
from random import Random
from typing import NamedTuple

from ninefold.arena.schedule import Played

RESAMPLES = 200


class Rating(NamedTuple):
    player: str
    elo: float
    low: float  # 95% of resampled tournaments lie between low and high
    high: float
    points: float
    games: int


def points_of(played: Played, player: str) -> float:
    if not played.winner:
        return 0.5
    return float((played.x if played.winner == "X" else played.o) == player)


def elo(results: Sequence[Played], players: Sequence[str]) -> dict[str, float]:
    """Bradley-Terry strengths, on the Elo scale, with the mean at 0; a draw is half a win and half a loss."""
    wins = dict.fromkeys(players, 0.0)
    meetings: Counter[tuple[str, str]] = Counter()
    for played in results:
        meetings[played.x, played.o] += 1
        for player in (played.x, played.o):
            wins[player] += points_of(played, player)
    strength = dict.fromkeys(players, 1.0)
    for _ in range(200):
        for player in players:
            weight = sum(
                count / (strength[x] + strength[o]) for (x, o), count in meetings.items() if player in (x, o) and x != o
            )
            # Half a point lent to everybody keeps a player who lost or won everything finite.
            strength[player] = (wins[player] + 0.5) / (weight + 1 / (strength[player] + 1)) if weight else 1.0
    rated = {player: 400 * log10(strength[player]) for player in players}
    mean = sum(rated.values()) / len(rated)
    return {player: value - mean for player, value in rated.items()}


def ratings(results: Sequence[Played], players: Sequence[str], seed: int = 0) -> list[Rating]:
    """Strongest first, with intervals from resampling the games."""
    rng = Random(seed)
    central = elo(results, players)
    samples: dict[str, list[float]] = {player: [] for player in players}
    for _ in range(RESAMPLES if results else 0):
        again = [results[int(rng.random() * len(results))] for _ in results]
        for player, value in elo(again, players).items():
            samples[player].append(value)
    rows = [_rating(player, central[player], sorted(samples[player]), results) for player in players]
    return sorted(rows, key=lambda row: -row.elo)


def _rating(player: str, value: float, sampled: list[float], results: Iterable[Played]) -> Rating:
    mine = [played for played in results if player in (played.x, played.o)]
    low, high = (sampled[int(len(sampled) * share)] for share in (0.025, 0.975)) if sampled else (value, value)
    return Rating(player, value, low, high, sum(points_of(played, player) for played in mine), len(mine))


def cross_table(results: Sequence[Played], players: Sequence[str]) -> list[list[str]]:
    """Points of each row against each column."""
    table = []
    for row in players:
        cells = [row]
        for column in players:
            met = [played for played in results if {played.x, played.o} == {row, column} and row != column]
            cells.append(f"{sum(points_of(played, row) for played in met):g}/{len(met)}" if met else "-")
        table.append(cells)
    return table
