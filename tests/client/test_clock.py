"""Clocks of a session between two messages of the server."""

from __future__ import annotations

from ninefold.client.clock import SessionClock
from ninefold.core.position import Side


def test_the_clock_of_the_side_to_move_goes_on() -> None:
    clock = SessionClock((60_000, 300_000), Side.X, at=100_000)
    assert str(clock.read(155_250)) == "X 0:04.7  O 5:00"
    assert str(clock.read(215_250)) == "X 0:00.0  O 5:00"
    assert str(clock.read(0)) == "X 1:00  O 5:00"  # a time that was set back adds nothing


def test_a_move_adds_the_increment_and_passes_the_turn() -> None:
    clock = SessionClock((60_000, 60_000), Side.X, at=0, increment=5_000).after(Side.O, 10_000, moved=True)
    assert str(clock.read(20_000)) == "X 0:55  O 0:50"
    assert clock.after(None, 20_000, moved=False).read(90_000).left == (55_000, 50_000)
