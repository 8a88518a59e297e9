"""Tests of two players over their pairs of games: is one of them better, and how many games would tell?"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb
from typing import NamedTuple

from ninefold.arena.pairs import PAIR_SCORES, Z_95

Z_80 = 0.841621  # 80% of a normal distribution lie below so many standard deviations
SIGNIFICANT = 0.05  # a p-value below it is called a difference


class PairedTest(NamedTuple):
    """A sign test: ``better`` and ``worse`` pairs of the first player, and the probability of a difference as large as
    this, or larger, between players of equal strength."""

    better: int
    equal: int
    worse: int
    p_value: float

    @property
    def is_significant(self) -> bool:
        return self.p_value < SIGNIFICANT


def sign_test(counts: Sequence[int]) -> PairedTest:
    """The exact sign test over pairs, two-sided. Pairs with equal points say nothing about who is better.

    >>> sign_test((0, 0, 3, 2, 3))
    PairedTest(better=5, equal=3, worse=0, p_value=0.0625)
    """
    worse, equal, better = sum(counts[:2]), counts[2], sum(counts[3:])
    decided, fewer = worse + better, min(worse, better)
    tail = sum(comb(decided, number) for number in range(fewer + 1))
    return PairedTest(better, equal, worse, min(1.0, 2 * tail / 2**decided))


def games_needed(counts: Sequence[int]) -> int | None:
    """How many more games the pairs so far call for until the 95% interval leaves 0 out, with a probability of 80%, if
    the players go on like this. 0 if they are enough; None if the players are level so far, so that nobody knows."""
    total = sum(counts)
    # As in the estimate of Elo, half a pair is lent to each side, so that a few equal pairs do not seem certain.
    lent = [counts[0] + 0.5, *counts[1:-1], counts[-1] + 0.5]
    mean = sum(count * score for count, score in zip(lent, PAIR_SCORES, strict=True)) / sum(lent)
    variance = sum(count * (score - mean) ** 2 for count, score in zip(lent, PAIR_SCORES, strict=True)) / sum(lent)
    if abs(mean - 0.5) < 1e-9:
        return None
    pairs = ceil((Z_95 + Z_80) ** 2 * variance / (mean - 0.5) ** 2)
    return 2 * max(0, pairs - total)
