"""The short version of ``make simulate``: the server in a simulated world, where faults come between any two steps."""

from __future__ import annotations

import pytest

from tests.support.simulation.planted import PLANTED
from tests.support.simulation.run import explained, first_problem
from tests.support.simulation.simulation import simulate

SEEDS, PARTS = 500, 5
FAULTS = (  # as the trace of a seed tells of them
    "crashes", "stops", "the disk is away", "disk is full", "disk I/O error after the commit", "slow disk",
    "the wall clock is set", "a request is lost", "a request comes twice", "an answer is lost",
    "notifications are lost", "the operator deletes", "the operator wants to delete", "deletes the profile",
)  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_acknowledged_is_lost_or_done_twice_and_clocks_are_fair_whatever_fails(part: int) -> None:
    for seed in range(part, SEEDS, PARTS):
        outcome = simulate(seed)
        if outcome.problem:
            pytest.fail(explained(outcome))


def test_every_kind_of_fault_happens() -> None:
    """Else the seeds would prove nothing about it."""
    left = set(FAULTS)
    for seed in range(100):
        told = "\n".join(simulate(seed, tracing=True).trace)
        left = {fault for fault in left if fault not in told}
        if not left:
            break
    assert left == set()


@pytest.mark.parametrize("planted", [name for name in PLANTED if name])
def test_a_bug_that_is_planted_on_purpose_is_found_within_1000_seeds(planted: str) -> None:
    found = first_problem(planted, range(1000))
    assert found
    assert "TypeError" not in found.problem  # it is broken, and still fits
    assert not simulate(found.seed).problem  # it is the planted bug that was found


def test_a_seed_repeats_every_step_and_says_how_to_repeat_it() -> None:
    planted = "acknowledged-before-commit"
    found = first_problem(planted, range(100))
    assert found
    first, again = (simulate(found.seed, PLANTED[planted], tracing=True) for _ in "12")
    assert first == again
    assert first.trace
    assert first._replace(trace=[]) == found
    text = explained(found, planted)
    assert found.problem in text
    assert first.trace[-1] in text
    assert text.endswith(f"make simulate SEED={found.seed} PLANTED={planted}")
