"""A sequential probability ratio test (SPRT) between two players, which stops as soon as it is decided.

The likelihood ratio is the generalized one. Under each hypothesis, the five pair scores have the probabilities that
make the results most likely among all whose mean is the score that the hypothesis expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from ninefold.arena.config import ERROR_RATE
from ninefold.arena.pairs import PAIR_SCORES, EloEstimate, estimate_elo, expected_score, score_index
from ninefold.arena.schedule import GameResult

_UNSEEN = 1e-3  # stands for a count of 0, so that every score stays possible
_STEPS = 50  # of the bisection


class Hypotheses(NamedTuple):
    """H0: the difference is ``elo0``. H1: it is ``elo1``. ``alpha`` is the probability to accept H1 though H0 is true,
    ``beta`` to accept H0 though H1 is true."""

    elo0: float
    elo1: float
    alpha: float = ERROR_RATE
    beta: float = ERROR_RATE

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Of H1 to H0, from the number of pairs with each of the five scores."""
    seen = [count or _UNSEEN for count in counts]
    zero_tilts, one_tilts = (_tilts(seen, expected_score(elo)) for elo in (elo0, elo1))
    return sum(count * log(zero / one) for count, zero, one in zip(seen, zero_tilts, one_tilts, strict=True))


def _tilts(counts: Sequence[float], mean: float) -> list[float]:
    """By which the shares of the scores are divided to become their most likely probabilities with this mean.

    The maximum of sum(n log p) with sum(p) = 1 and sum(p * score) = mean (Lagrange) is at
    p = n / N / (1 + x * (score - mean)), where x is the root of a sum that falls from plus to minus
    infinity between two poles."""
    offsets = [score - mean for score in PAIR_SCORES]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(_STEPS):
        middle = (low + high) / 2
        slope = sum(count * offset / (1 + middle * offset) for count, offset in zip(counts, offsets, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [1 + (low + high) / 2 * offset for offset in offsets]


class SequentialTest:
    """The test of a player over the pairs of a schedule, one after the other. A pair counts when all before it are
    complete: so the decision is the same in any number of processes, and after any interruption."""

    def __init__(self, player: str, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.counts: list[int] = [0] * len(PAIR_SCORES)
        self.ratio: float = 0.0
        self.accepted: str = ""  # "H0", "H1", or "" while the test is undecided
        self._player = player

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def estimate(self) -> EloEstimate:
        return estimate_elo(self.counts)

    def advance(self, results: Mapping[int, GameResult]) -> None:
        """Count the pairs that are complete by now, until the test is decided."""
        while not self.accepted:
            pair = [results[number] for number in (2 * self.pairs, 2 * self.pairs + 1) if number in results]
            if len(pair) < 2:
                break
            self.add_pair(score_index(pair, self._player))

    def add_pair(self, index: int) -> None:
        """Count a pair whose score has this place in ``PAIR_SCORES``."""
        self.counts[index] += 1
        elo0, elo1, *_ = self.hypotheses
        self.ratio = log_likelihood_ratio(self.counts, elo0, elo1)
        if self.ratio <= self.hypotheses.lower:
            self.accepted = "H0"
        elif self.ratio >= self.hypotheses.upper:
            self.accepted = "H1"
