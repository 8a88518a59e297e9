"""The most likely strengths of players in the Bradley-Terry model, by Newton's method.

A strength is a natural logarithm: a player who is stronger by ``d`` is expected to have the share 1 / (1 + exp(-d)) of
the points. Everybody also has results against a player of strength 0 who never played; they are the prior, and keep the
strength finite of one who has won or lost everything."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

MOST_STEPS = 200
LARGEST_STEP = (
    1.0  # no strength changes by more in one step: far out, where the curve is flat, Newton's steps overshoot
)
CLOSE = 1e-6  # the largest change of a strength at which the search ends: less than a thousandth of a point of Elo


class MeetingPoints(NamedTuple):
    """What two players, given by their numbers, have scored against each other. Weights need not be whole."""

    one: int
    two: int
    points_one: float
    points_two: float


class PriorPoints(NamedTuple):
    """What a player is taken to have won and lost against a player of strength 0."""

    won: float
    lost: float


def strengths(
    meetings: Sequence[MeetingPoints], prior: Sequence[PriorPoints], start: Sequence[float] | None = None
) -> list[float]:
    """The strengths that make the results most likely, one for each player of the prior."""
    found = list(start or [0.0] * len(prior))
    for _ in range(MOST_STEPS):
        step = _solve(*_derivatives(meetings, prior, found))
        largest = max(map(abs, step), default=0.0)
        scale = min(1.0, LARGEST_STEP / largest) if largest else 1.0
        found = [value + scale * change for value, change in zip(found, step, strict=True)]
        if largest <= CLOSE:
            break
    return found


def expected_share(difference: float) -> float:
    """Of the points, for a player who is stronger by a difference."""
    if difference < 0:
        return 1 - expected_share(-difference)
    return 1 / (1 + exp(-difference))


def _derivatives(
    meetings: Sequence[MeetingPoints], prior: Sequence[PriorPoints], at: Sequence[float]
) -> tuple[list[list[float]], list[float]]:
    """The curvature of the log-likelihood (its second derivatives, with the sign changed), and its slope."""
    curvature = [[0.0] * len(at) for _ in at]
    slope = [0.0] * len(at)
    for player, (won, lost) in enumerate(prior):
        share = expected_share(at[player])
        slope[player] = won - (won + lost) * share
        curvature[player][player] = (won + lost) * share * (1 - share)
    for one, two, points_one, points_two in meetings:
        total = points_one + points_two
        share = expected_share(at[one] - at[two])
        slope[one] += points_one - total * share
        slope[two] -= points_one - total * share
        bend = total * share * (1 - share)
        curvature[one][one] += bend
        curvature[two][two] += bend
        curvature[one][two] -= bend
        curvature[two][one] -= bend
    return curvature, slope


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a system of linear equations whose matrix is symmetric and positive definite: elimination without
    pivots. Both arguments are used up."""
    size = len(right)
    for column in range(size):
        pivot, source = matrix[column][column], matrix[column]
        for row in range(column + 1, size):
            if factor := matrix[row][column] / pivot:
                target = matrix[row]
                for place in range(column + 1, size):
                    target[place] -= factor * source[place]
                right[row] -= factor * right[column]
    for row in reversed(range(size)):
        later = sum(matrix[row][place] * right[place] for place in range(row + 1, size))
        right[row] = (right[row] - later) / matrix[row][row]
    return right
