"""Once more, with sides swapped: one table is left, and one is sat down at, whatever is on the screen meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ninefold.core.errors import NotAllowed
from ninefold.terminal.tui.local import Local
from ninefold.terminal.tui.play import PlayScreen
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import Person, at_table, local, run
from tests.terminal.tui.scenes import played

OVER = "1 4 2 5 3"


class Slow(Local):
    """A table whose next one lets itself be waited for."""

    def __init__(self) -> None:
        super().__init__(played(local("classic").match, OVER))
        self.answered = asyncio.Event()
        self.refuses = self.closed = False

    async def again(self) -> Local:
        await self.answered.wait()
        if self.refuses:
            raise NotAllowed("gone", "The server does not want to.")
        return Slow()

    def close(self) -> None:
        self.closed = True
        super().close()


def tables(person: Person) -> list[Slow]:
    found = [screen.table for screen in person.app.screen_stack if isinstance(screen, PlayScreen)]
    return [table for table in found if isinstance(table, Slow)]


@on_a_loop
async def test_the_next_table_is_sat_down_at_and_the_first_one_is_left(tmp_path: Path) -> None:
    first = Slow()
    async with at_table(tmp_path, first) as person:
        await person.press("g")
        first.answered.set()
        await person.until(lambda: first.closed)
        (second,) = tables(person)
        assert second is not first
        assert not second.closed


@pytest.mark.parametrize("opened", ["question_mark", "s"], ids=["a page", "a question"])
@on_a_loop
async def test_the_next_table_waits_for_what_is_being_read_or_written(tmp_path: Path, opened: str) -> None:
    first = Slow()
    async with at_table(tmp_path, first) as person:
        await person.press("g", opened)
        dialog = person.app.screen
        first.answered.set()
        await person.settle()
        assert person.app.screen is dialog
        await person.press("escape")
        await person.until(lambda: first.closed)
        (second,) = tables(person)
        assert second is not first
        await person.press("e")
        assert second.closed
        assert tables(person) == []


def test_a_table_that_waits_is_left_with_the_app(tmp_path: Path) -> None:
    async def play() -> Slow:
        first, second = Slow(), Slow()

        async def again() -> Slow:
            return second

        first.again = again  # type: ignore[method-assign]
        async with at_table(tmp_path, first) as person:
            person.app.simulate_key("g")
            person.app.simulate_key("question_mark")
            await person.settle()
        return second

    assert run(play()).closed


@on_a_loop
async def test_who_leaves_while_the_next_table_is_waited_for_has_left(tmp_path: Path) -> None:
    first = Slow()
    async with at_table(tmp_path, first) as person:
        await person.press("g", "e")
        first.refuses = True
        first.answered.set()
        await person.settle()
        assert first.closed
        assert tables(person) == []


@on_a_loop
async def test_a_refusal_is_said_and_the_table_stays(tmp_path: Path) -> None:
    first = Slow()
    async with at_table(tmp_path, first) as person:
        first.refuses = True
        first.answered.set()
        await person.press("g")
        await person.sees("The server does not want to.")
        assert tables(person) == [first]
