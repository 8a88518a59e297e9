"""Tests of two players over their pairs of games: is one of them better, and how many games would tell?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

SIGNIFICANT = 0.05  # a p-value below it is called a difference
MOST_PAIRS = 100_000  # further pairs that are looked at


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
    """How many more games decide the sign test if the pairs go on at the rates so far: the fewest, and at least one
    pair while it is open. 0 if it is decided; None if nobody is in front, or by so little that ``MOST_PAIRS`` further
    pairs would not tell.

    >>> games_needed((0, 0, 0, 0, 5)), games_needed((0, 0, 0, 0, 6)), games_needed((1, 0, 7, 0, 1))
    (2, 0, None)
    """
    test = sign_test(counts)
    if test.is_significant:
        return 0
    if test.better == test.worse:
        return None
    p_values = _p_values_later(max(test.better, test.worse), min(test.better, test.worse), sum(counts))
    return next((2 * further for further, p_value in enumerate(p_values, 1) if p_value < SIGNIFICANT), None)


def _p_values_later(lead: int, trail: int, total: int) -> Iterator[float]:
    """The p-values after 1, 2, ... further pairs. Rates seldom give whole pairs: they are rounded against the player in
    front. Each value follows from the one before, because sums of binomials over thousands of pairs are slow."""
    decided, behind = lead + trail, trail
    exact = comb(decided, behind) / 2**decided  # the probability that a fair coin shows exactly so many heads
    tail = sum(comb(decided, number) for number in range(behind + 1)) / 2**decided  # so many or fewer
    for pairs in range(total + 1, total + MOST_PAIRS + 1):
        now_behind = -(-trail * pairs // total)
        now_decided = now_behind + lead * pairs // total
        while decided < now_decided:
            decided += 1
            tail -= exact / 2
            exact *= decided / (2 * (decided - behind))
        while behind < now_behind:
            behind += 1
            exact *= (decided - behind + 1) / behind
            tail += exact
        yield min(1.0, 2 * tail)
