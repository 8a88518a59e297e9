"""Leaving a match while it changes: whoever reports a change finds the whole screen, or nobody listens any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.widget import Widget

from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.session_adapter import LocalScreenSession
from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_match, at_screen, local
from tests.support.tui_scenes import still


class BusySession(LocalScreenSession):
    """A session that changes in every turn of the loop, for as long as somebody listens."""

    def __init__(self, screens: list[MatchScreen]) -> None:
        super().__init__(still("classic", "1 4 2 5 3"))
        self._screens = screens
        self.missing: list[str] = []
        self.changes = 0
        self.is_closed = False

    def start(self, on_change: Callable[[], object], report: Callable[[str], object]) -> None:
        super().start(on_change, report)
        self.widgets = set(self._running_widgets())
        self.task = asyncio.get_running_loop().create_task(self._change(on_change, report))

    def _running_widgets(self) -> list[Widget]:
        return [widget for screen in self._screens for widget in screen.walk_children(Widget) if widget.is_running]

    async def _change(self, on_change: Callable[[], object], report: Callable[[str], object]) -> None:
        while not self.is_closed:
            on_change()
            report("news")
            self.changes += 1
            self.missing += [type(widget).__name__ for widget in self.widgets - set(self._running_widgets())]
            await asyncio.sleep(0)

    def close(self) -> None:
        self.is_closed = True
        super().close()


async def leave(person: Person) -> None:
    await person.press("e")


async def rematch(person: Person) -> None:
    await person.press("g")


async def interrupt(person: Person) -> None:
    person.app.simulate_key("ctrl+c")


@pytest.mark.parametrize("leaving", [leave, rematch, interrupt], ids=lambda one: one.__name__)
@async_test
async def test_no_change_ever_finds_half_a_screen(leaving: Callable[[Person], Awaitable[None]], tmp_path: Path) -> None:
    screens: list[MatchScreen] = []
    session = BusySession(screens)
    async with at_screen(tmp_path) as person:
        screens.append(MatchScreen(session))
        await person.app.push_screen(screens[0])
        await person.until(lambda: session.changes > 3)
        await leaving(person)
    await session.task
    assert session.is_closed
    assert session.missing == []


@async_test
async def test_keys_pressed_together_with_the_one_that_leaves_do_nothing(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("5")
        session = person.screen.session
        for key in "e1rc":
            person.app.simulate_key(key)
        await person.settle()
        assert len(session.match.events) == 1
        assert "Play" in person.text
        assert "resign" not in person.text


def saved_files(folder: Path) -> list[Path]:
    return list(folder.glob("*.log"))


@async_test
async def test_whoever_interrupts_a_game_is_told_at_the_shell_how_to_go_on(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("down", "right", "enter", "5")
        person.app.simulate_key("ctrl+c")
    (file,) = saved_files(tmp_path)
    (told,) = person.app.afterwards
    assert told.startswith("The game is saved.")
    assert told.endswith(f"\nninefold play --load {file}")


@pytest.mark.parametrize("key", ["f2", "g"])
@async_test
async def test_whoever_goes_on_elsewhere_is_told_nothing(key: str, tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("down", "right", "enter", *"14253")
        await person.sees("X wins")
        person.app.simulate_key(key)
        if key == "g":
            await person.sees("Player 2 (X), choose a cell")
            await person.press("e")
            await person.sees("No move was made, so nothing was saved.")  # of the rematch
            assert "The game is saved" not in person.text
    assert person.app.afterwards == []
