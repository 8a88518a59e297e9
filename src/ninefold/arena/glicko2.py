"""Glicko-2, the rating system of Mark Glickman: a rating, how uncertain it is, and how much a player's results vary.

The steps are those of "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf). Pure: it knows no players.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

TAU = 0.5  # the system constant: how fast volatilities change
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 350.0  # however many games were played, or how long ago
PROVISIONAL = 110.0  # beyond this deviation a rating says little
_SCALE, _CENTRE = 173.7178, 1500.0
_CONVERGED = 0.000001


class GlickoRating(NamedTuple):
    """The rating of a player. These are the values of somebody who has not played yet."""

    rating: float = _CENTRE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL


NEW = GlickoRating()


class RatedResult(NamedTuple):
    """A result against an opponent: 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: GlickoRating
    score: float


def rate(player: GlickoRating, results: Sequence[RatedResult], periods: float = 1.0, tau: float = TAU) -> GlickoRating:
    """The rating after a number of rating periods that end with these results. Without results it grows uncertain."""
    mu, phi = (player.rating - _CENTRE) / _SCALE, player.deviation / _SCALE
    if not results:
        return _on_scale(mu, _grown(phi, player.volatility, periods), player.volatility)
    # Step 3: the estimated variance of the rating from the games alone. Step 4: the estimated improvement.
    weighted = [_weight(mu, opponent) for opponent, _ in results]
    variance = 1.0 / sum(g * g * expected * (1.0 - expected) for g, expected in weighted)
    surprise = sum(g * (score - expected) for (g, expected), (_, score) in zip(weighted, results, strict=True))
    volatility = _new_volatility(phi, player.volatility, variance, variance * surprise, tau)
    # Steps 6 to 8
    phi = 1.0 / sqrt(1.0 / _grown(phi, volatility, periods) ** 2 + 1.0 / variance)
    return _on_scale(mu + phi * phi * surprise, phi, volatility)


def _on_scale(mu: float, phi: float, volatility: float) -> GlickoRating:
    deviation = min(MOST_DEVIATION, max(LEAST_DEVIATION, phi * _SCALE))
    return GlickoRating(mu * _SCALE + _CENTRE, deviation, volatility)


def _grown(phi: float, volatility: float, periods: float) -> float:
    """The deviation after rating periods without a game."""
    return sqrt(phi * phi + periods * volatility * volatility)


def _weight(mu: float, opponent: GlickoRating) -> tuple[float, float]:
    """How much a game against an opponent says, and the score that is expected in it."""
    phi = opponent.deviation / _SCALE
    g = 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))
    return g, 1.0 / (1.0 + exp(-g * (mu - (opponent.rating - _CENTRE) / _SCALE)))


def _new_volatility(phi: float, sigma: float, variance: float, improvement: float, tau: float) -> float:
    """Step 5, by the Illinois algorithm: the zero of ``f`` lies between ``low`` and ``high``."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (improvement**2 - grown) / (2.0 * grown**2) - (x - start) / (tau * tau)

    low = start
    if improvement**2 > phi * phi + variance:
        high = log(improvement**2 - phi * phi - variance)
    else:
        high = start - tau
        while f(high) < 0.0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CONVERGED:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return exp(low / 2.0)
