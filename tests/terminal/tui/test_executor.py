"""Work beside the event loop: tasks report while they are wanted, calls run in order, and errors reach the app."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ninefold.client.background import NICENESS, lower_priority
from ninefold.terminal.tui.executor import BackgroundTask, SerialExecutor, run_once, start_worker
from tests.support.async_tests import async_test
from tests.support.tui_person import at_screen


class Task:
    """Waits until it may go on, and then reports something on the way to its end."""

    def __init__(self) -> None:
        self.may_go_on, self.has_ended = threading.Event(), threading.Event()
        self.reports: list[str] = []
        self.task: BackgroundTask[str] = BackgroundTask(self._compute, self.reports.append)

    def _compute(self, task: BackgroundTask[str]) -> str:
        self.may_go_on.wait()
        task.report(partial(self.reports.append, "so far"))
        self.has_ended.set()
        return "done"


@async_test
async def test_a_task_reports_on_its_way_and_at_its_end() -> None:
    task = Task()
    task.may_go_on.set()
    while task.reports != ["so far", "done"]:
        await asyncio.sleep(0)


@async_test
async def test_a_cancelled_task_reports_nothing_more() -> None:
    task = Task()
    task.task.cancel()
    task.may_go_on.set()
    await asyncio.to_thread(task.task.cancel, 60.0)  # until the thread has ended
    await asyncio.sleep(0)
    assert task.reports == []


@async_test
async def test_reports_from_before_a_cancellation_are_dropped_too() -> None:
    task = Task()
    task.may_go_on.set()
    task.has_ended.wait()  # the loop has called nothing of it yet
    task.task.cancel(60.0)
    await asyncio.sleep(0)
    assert task.reports == []


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")


@LINUX
@async_test
async def test_a_task_leaves_the_processor_to_the_screen() -> None:
    mine = niceness()
    found: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    BackgroundTask(lambda _: niceness(), found.set_result)
    assert await found == max(NICENESS, mine) > 0
    assert niceness() == mine


@LINUX
@async_test
async def test_a_low_priority_is_not_raised() -> None:
    def compute() -> int:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        lower_priority()
        return niceness()

    assert await asyncio.to_thread(compute) == 19


def niceness() -> int:
    """Of this thread."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@async_test
async def test_calls_run_one_after_the_other_and_return_their_results() -> None:
    executor, order = SerialExecutor(), list[int]()

    def call(number: int) -> int:
        order.append(number)
        return number

    assert await asyncio.gather(*(executor.run(partial(call, number)) for number in range(5))) == [0, 1, 2, 3, 4]
    assert order == [0, 1, 2, 3, 4]
    executor.finish(lambda: None)


@async_test
async def test_a_result_that_nobody_waits_for_is_handed_over() -> None:
    may_end, unwanted = threading.Event(), asyncio.Event()

    def slow() -> str:
        may_end.wait()
        return "late"

    waiting = asyncio.create_task(run_once(slow, lambda result: unwanted.set() if result == "late" else None))
    await asyncio.sleep(0)
    waiting.cancel()
    may_end.set()
    await unwanted.wait()
    assert waiting.cancelled()


@async_test
async def test_an_error_of_a_call_is_raised_to_its_caller() -> None:
    with pytest.raises(ValueError, match="something went wrong"):
        await run_once(fail)


def fail(*_: object) -> None:
    raise ValueError("something went wrong")


async def open_until_it_ends(folder: Path, begin: Callable[[], object]) -> None:
    """Begin something, and press no key."""
    async with at_screen(folder) as person:
        begin()
        await person.until(lambda: not person.app.is_running)


@async_test
async def test_an_error_in_a_thread_ends_the_app(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="something went wrong"):
        await open_until_it_ends(tmp_path, lambda: BackgroundTask(fail, lambda _: None))


@async_test
async def test_an_error_between_two_messages_ends_the_app(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="something went wrong"):
        await open_until_it_ends(tmp_path, lambda: asyncio.get_running_loop().call_soon(fail))


@async_test
async def test_a_worker_that_is_cancelled_before_it_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    begun = []

    async def work(what: str) -> None:
        begun.append(what)

    async with at_screen(tmp_path) as person:
        start_worker(person.app.screen, work, "cancelled")
        person.app.workers.cancel_all()
        await person.settle()
        start_worker(person.app.screen, work, "done")
        await person.until(lambda: begun == ["done"])
