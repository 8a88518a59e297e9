"""Clocks at one screen: they are seen going, and a flag falls by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.server.hosting.model import TimeControl
from ninefold.terminal.tui import local as tables
from tests.support.hosted_matches import Hands, on_a_loop
from tests.terminal.tui.people import at_table, local

MINUTE = 60_000


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(tables, "now", hands)
    return hands


@on_a_loop
async def test_a_clock_is_seen_going_while_nobody_touches_anything(tmp_path: Path, time: Hands) -> None:
    async with at_table(tmp_path, local("classic", clock=TimeControl(5 * MINUTE, 0))) as person:
        await person.press("5")
        assert person.text.count("5:00") == 2
        time.at += 42_000
        await person.sees("4:18")
        assert person.text.count("5:00") == 1


@on_a_loop
async def test_a_flag_falls_while_nobody_touches_anything(tmp_path: Path, time: Hands) -> None:
    async with at_table(tmp_path, local("classic", clock=TimeControl(MINUTE, 0))) as person:
        await person.press("5")
        time.at += MINUTE
        await person.sees("X wins: O ran out of time.")
