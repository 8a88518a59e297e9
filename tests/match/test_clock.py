"""Charged time and due times: outages of the server are charged to nobody."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ninefold.match.clock import Outages, charged, due_after


@st.composite
def outages(draw: st.DrawFn) -> Outages:
    """Outages that do not overlap, in order."""
    bounds = sorted(draw(st.sets(st.integers(0, 1000), max_size=8)))
    return list(zip(bounds[::2], bounds[1::2], strict=False))


@given(st.integers(0, 1000), st.integers(0, 2000), outages())
def test_the_due_time_is_the_moment_when_so_much_has_been_charged(since: int, wait: int, outages: Outages) -> None:
    moment = due_after(since, wait, outages)
    assert charged(since, moment, outages) == wait
    assert wait == 0 or charged(since, moment - 1, outages) == wait - 1


@given(st.integers(0, 1000), st.integers(0, 2000), outages())
def test_charged_time_never_runs_backwards(since: int, wait: int, outages: Outages) -> None:
    assert charged(since, since + wait, outages) <= charged(since, since + wait + 1, outages) <= wait + 1
    assert charged(since, since - wait, outages) == 0
