"""Work beside the screen: it reports while it is wanted, stands back, and what goes wrong in it is heard of."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ninefold.terminal.tui.threads import POLITE, Work, _stand_back
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import at_screen


class Thought:
    """Waits until it may go on, and then says something on the way to its end."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.heard: list[str] = []
        self.work: Work[str] = Work(self._think, self.heard.append)

    def _think(self, work: Work[str]) -> str:
        self.may_go_on.wait()
        work.report(partial(self.heard.append, "so far"))
        return "done"

    async def ends(self) -> list[str]:
        """What was heard, when nothing more can come."""
        self.may_go_on.set()
        await asyncio.to_thread(self.work._thread.join)
        await asyncio.sleep(0)  # what was reported by then is called now
        return self.heard


@on_a_loop
async def test_work_reports_on_its_way_and_at_its_end() -> None:
    assert await Thought().ends() == ["so far", "done"]


@on_a_loop
async def test_work_that_was_stopped_reports_nothing_more() -> None:
    thought = Thought()
    thought.work.stop()
    assert await thought.ends() == []


@on_a_loop
async def test_what_was_reported_before_the_stop_is_not_told_after_it() -> None:
    thought = Thought()
    thought.may_go_on.set()
    thought.work._thread.join()  # the loop has heard nothing of it yet
    thought.work.stop()
    assert await thought.ends() == []


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this for a thread")


@LINUX
@on_a_loop
async def test_a_thought_leaves_the_processor_to_the_screen() -> None:
    mine = niceness()
    found: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    Work(lambda _: niceness(), found.set_result)
    assert await found == max(POLITE, mine) > 0
    assert niceness() == mine


@LINUX
@on_a_loop
async def test_where_everything_is_nice_already_a_thought_is_no_less_so() -> None:
    def think() -> int:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        _stand_back()
        return niceness()

    assert await asyncio.to_thread(think) == 19


def niceness() -> int:
    """Of this thread."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def go_wrong(*_: object) -> None:
    raise ValueError("something went wrong")


async def opened_until_it_ends(home: Path, begin: Callable[[], object]) -> None:
    """Something is begun, and nobody presses a key."""
    async with at_screen(home) as person:
        begin()
        await person.until(lambda: not person.app.is_running)


@on_a_loop
async def test_what_goes_wrong_in_a_thread_ends_the_app(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="something went wrong"):
        await opened_until_it_ends(tmp_path, lambda: Work(go_wrong, lambda _: None))


@on_a_loop
async def test_what_goes_wrong_between_two_messages_ends_the_app(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="something went wrong"):
        await opened_until_it_ends(tmp_path, lambda: asyncio.get_running_loop().call_soon(go_wrong))
