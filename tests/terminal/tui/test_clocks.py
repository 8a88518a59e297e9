"""Clocks at one screen: they run, and a flag falls."""

from __future__ import annotations

from pathlib import Path

from ninefold.match.clock import TimeControl
from tests.support.async_tests import async_test
from tests.support.clocks import ManualClock
from tests.support.tui_person import at_match, local

MINUTE = 60_000


@async_test
async def test_a_running_clock_is_shown(tmp_path: Path) -> None:
    time = ManualClock()
    async with at_match(tmp_path, local("classic", clock=TimeControl(5 * MINUTE, 0), now=time)) as person:
        await person.press("5")
        assert person.text.count("5:00") == 2
        time.at += 42_000
        await person.sees("4:18")
        assert person.text.count("5:00") == 1


@async_test
async def test_a_flag_falls_while_nobody_acts(tmp_path: Path) -> None:
    time = ManualClock()
    async with at_match(tmp_path, local("classic", clock=TimeControl(MINUTE, 0), now=time)) as person:
        await person.press("5")
        time.at += MINUTE
        await person.sees("X wins: O ran out of time.")
