"""Work beside the event loop: blocking calls one after the other, and computations that can be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ninefold.client.background import lower_priority

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.worker import WorkType

T = TypeVar("T")


def start_worker(
    node: DOMNode, work: Callable[..., Coroutine[Any, Any, None]], *arguments: object, exclusive: bool = False
) -> None:
    """Run a coroutine function beside the messages of a screen. It is called by the worker, so that a worker that is
    cancelled before it begins leaves no coroutine that nobody awaits."""
    node.run_worker(cast("WorkType[None]", partial(work, *arguments)), exclusive=exclusive)


def call_in_loop() -> Callable[[Callable[[], object]], None]:
    """For threads: a function that has something called in the loop that is running now. The app is found there that is
    running now, without which Textual sets no timers."""
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()

    def call(callback: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            loop.call_soon_threadsafe(callback, context=context)

    return call


class BackgroundTask(Generic[T]):
    """Something computed in a thread of its own. ``on_done`` gets the result, in the loop that is running now, unless
    the task was cancelled before. The thread is a daemon: nobody who quits waits for it."""

    def __init__(self, compute: Callable[[BackgroundTask[T]], T], on_done: Callable[[T], None]) -> None:
        self._compute, self._on_done = compute, on_done
        self._call = call_in_loop()
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ninefold-task", daemon=True)
        self._thread.start()

    def is_wanted(self) -> bool:
        """For the computation itself: False once it is cancelled."""
        return not self._cancelled.is_set()

    def report(self, callback: Callable[[], None]) -> None:
        """From the thread: have something called in the loop, as long as the task is wanted."""
        self._call(partial(self._if_wanted, callback))

    def cancel(self, wait: float = 0.0) -> None:
        """Drop the result, and wait so many seconds for the thread to end."""
        self._cancelled.set()
        if wait:
            self._thread.join(wait)

    def _run(self) -> None:
        lower_priority()
        try:
            result = self._compute(self)
        except Exception as error:
            self.report(partial(_raise, error))
        else:
            self.report(lambda: self._on_done(result))

    def _if_wanted(self, callback: Callable[[], None]) -> None:
        if self.is_wanted():
            callback()


def _raise(error: Exception) -> None:
    """In the loop, where the app handles it."""
    raise error


def _ignore(_: object) -> None:
    pass


class SerialExecutor:
    """Runs blocking calls one after the other, in a thread of its own. It is a daemon: what has not run when the app
    ends never runs."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any] | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ninefold-executor", daemon=True)
        self._thread.start()

    async def run(self, call: Callable[[], T], on_unwanted: Callable[[T], object] = _ignore) -> T:
        """The result of a call. It runs in any case: ``on_unwanted`` gets, in the loop, a result that comes after the
        caller was cancelled."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._calls.put((call, done))
        try:
            await asyncio.wait([done])  # to await it would cancel it too
        except asyncio.CancelledError:
            done.add_done_callback(lambda done: done.exception() or on_unwanted(done.result()))
            raise
        return done.result()

    def finish(self, last: Callable[[], object]) -> None:
        """Run one last call, which nobody waits for."""
        self._calls.put((last, None))

    def _run(self) -> None:
        call, done = self._calls.get()
        while done is not None:
            self._execute(call, done)
            call, done = self._calls.get()
        call()

    def _execute(self, call: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        try:
            result = call()
        except Exception as error:
            self._settle(done, done.set_exception, error)
        else:
            self._settle(done, done.set_result, result)

    @staticmethod
    def _settle(done: asyncio.Future[Any], settle: Callable[..., None], value: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            done.get_loop().call_soon_threadsafe(settle, value)


async def run_once(call: Callable[[], T], on_unwanted: Callable[[T], object] = _ignore) -> T:
    """Run one blocking call beside the loop."""
    executor = SerialExecutor()
    try:
        return await executor.run(call, on_unwanted)
    finally:
        executor.finish(lambda: None)
