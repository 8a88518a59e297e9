"""Leaving a match while there is news: whoever brings it finds the whole screen, or nobody listens any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.widget import Widget

from ninefold.terminal.tui.local import Local
from ninefold.terminal.tui.play import PlayScreen
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import Person, at_screen, at_table, local
from tests.terminal.tui.scenes import played


class Talkative(Local):
    """A table that has news in every turn of the loop, for as long as somebody listens."""

    def __init__(self, screens: list[PlayScreen]) -> None:
        super().__init__(played(local("classic").match, "1 4 2 5 3"))
        self._screens = screens
        self.missing: list[str] = []
        self.told = 0
        self.closed = False

    def begin(self, changed: Callable[[], None], tell: Callable[[str], None]) -> None:
        super().begin(changed, tell)
        self.parts = set(self._parts())
        self.talk = asyncio.get_running_loop().create_task(self._talk())

    def _parts(self) -> list[Widget]:
        return [part for screen in self._screens for part in screen.walk_children(Widget) if part.is_running]

    async def _talk(self) -> None:
        while not self.closed:
            self._changed()
            self._tell("news")
            self.told += 1
            self.missing += [type(part).__name__ for part in self.parts - set(self._parts())]
            await asyncio.sleep(0)

    def close(self) -> None:
        self.closed = True
        super().close()


async def leave(person: Person) -> None:
    await person.press("e")


async def once_more(person: Person) -> None:
    await person.press("g")


async def interrupt(person: Person) -> None:
    person.app.simulate_key("ctrl+c")


@pytest.mark.parametrize("leaving", [leave, once_more, interrupt], ids=lambda one: one.__name__)
@on_a_loop
async def test_nobody_with_news_ever_finds_half_a_screen(
    leaving: Callable[[Person], Awaitable[None]], tmp_path: Path
) -> None:
    screens: list[PlayScreen] = []
    table = Talkative(screens)
    async with at_screen(tmp_path) as person:
        screens.append(PlayScreen(table))
        await person.app.push_screen(screens[0])
        await person.until(lambda: table.told > 3)
        await leaving(person)
    await table.talk
    assert table.closed
    assert table.missing == []


@on_a_loop
async def test_keys_pressed_together_with_the_one_that_leaves_do_nothing(tmp_path: Path) -> None:
    async with at_table(tmp_path, local("classic")) as person:
        await person.press("5")
        table = person.screen.table
        for key in "e1rc":
            person.app.simulate_key(key)
        await person.settle()
        assert len(table.match.events) == 1
        assert "Play" in person.text
        assert "resign" not in person.text
