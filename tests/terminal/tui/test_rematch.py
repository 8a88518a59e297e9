"""A rematch: one session is closed and the next one opened, whatever is on the screen meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ninefold.core.errors import NotAllowed
from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.session_adapter import LocalScreenSession, ScreenSession
from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_match, run
from tests.support.tui_scenes import still

ENDED = "1 4 2 5 3"


class SlowSession(LocalScreenSession):
    """A session whose rematch comes when it is let."""

    def __init__(self, following: ScreenSession | None = None) -> None:
        super().__init__(still("classic", ENDED))
        self.may_answer = asyncio.Event()
        self.refuses = self.is_closed = False
        self._following = following

    async def rematch(self) -> ScreenSession:
        await self.may_answer.wait()
        if self.refuses:
            raise NotAllowed("come_back")
        return self._following or SlowSession()

    def close(self) -> None:
        self.is_closed = True
        super().close()


def sessions(person: Person) -> list[SlowSession]:
    found = [screen.session for screen in person.app.screen_stack if isinstance(screen, MatchScreen)]
    return [session for session in found if isinstance(session, SlowSession)]


@async_test
async def test_the_rematch_is_opened_and_the_first_match_is_closed(tmp_path: Path) -> None:
    first = SlowSession()
    async with at_match(tmp_path, first) as person:
        await person.press("g")
        first.may_answer.set()
        await person.until(lambda: first.is_closed)
        (second,) = sessions(person)
        assert second is not first
        assert not second.is_closed


@pytest.mark.parametrize("key", ["question_mark", "s"], ids=["a page", "a form"])
@async_test
async def test_the_rematch_waits_until_a_dialog_is_closed(tmp_path: Path, key: str) -> None:
    first = SlowSession()
    async with at_match(tmp_path, first) as person:
        await person.press("g", key)
        dialog = person.app.screen
        first.may_answer.set()
        await person.settle()
        assert person.app.screen is dialog
        await person.press("escape")
        await person.until(lambda: first.is_closed)
        (second,) = sessions(person)
        assert second is not first
        await person.press("e")
        await person.until(lambda: second.is_closed)
        assert sessions(person) == []


def test_a_rematch_that_waits_is_closed_with_the_app(tmp_path: Path) -> None:
    async def play() -> SlowSession:
        second = SlowSession()
        first = SlowSession(second)
        first.may_answer.set()
        async with at_match(tmp_path, first) as person:
            person.app.simulate_key("g")
            person.app.simulate_key("question_mark")
            await person.settle()
        return second

    assert run(play()).is_closed


@async_test
async def test_a_player_who_leaves_does_not_wait_for_the_rematch(tmp_path: Path) -> None:
    first = SlowSession()
    async with at_match(tmp_path, first) as person:
        await person.press("g", "e")
        first.refuses = True
        first.may_answer.set()
        await person.until(lambda: first.is_closed)
        assert sessions(person) == []


@async_test
async def test_a_refusal_is_shown_and_the_match_stays_open(tmp_path: Path) -> None:
    first = SlowSession()
    async with at_match(tmp_path, first) as person:
        first.refuses = True
        first.may_answer.set()
        await person.press("g")
        await person.sees("The matches cannot be reached right now.")
        assert sessions(person) == [first]
