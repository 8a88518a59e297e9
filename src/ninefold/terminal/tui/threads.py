"""Work that takes the processor, beside the screen."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")
POLITE = 10  # how nice a thought is to everybody else


def into_loop() -> Callable[[Callable[[], object]], None]:
    """For a thread: has something called in the loop that is running now. It finds the app there that is running now,
    without which Textual sets no timers."""
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()

    def call(told: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            loop.call_soon_threadsafe(told, context=context)

    return call


class Work(Generic[T]):
    """Something computed in a thread of its own. ``done`` gets the result, in the loop that is running now, unless the
    work was stopped before. The thread is a daemon: nobody who leaves waits for a thought."""

    def __init__(self, compute: Callable[[Work[T]], T], done: Callable[[T], None]) -> None:
        self._compute, self._done = compute, done
        self._call = into_loop()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ninefold-thought", daemon=True)
        self._thread.start()

    def is_wanted(self) -> bool:
        """To be asked by the work itself."""
        return not self._stopped.is_set()

    def report(self, told: Callable[[], None]) -> None:
        """From the thread: call something in the loop, as long as the work is wanted."""
        self._call(partial(self._if_wanted, told))

    def stop(self, wait: float = 0.0) -> None:
        """The result is not wanted any more. ``wait`` so many seconds for the thread to see it."""
        self._stopped.set()
        if wait:
            self._thread.join(wait)

    def _run(self) -> None:
        _stand_back()
        try:
            result = self._compute(self)
        except Exception as error:
            self.report(partial(_fail, error))
        else:
            self.report(lambda: self._done(result))

    def _if_wanted(self, told: Callable[[], None]) -> None:
        if self.is_wanted():
            told()


def _stand_back() -> None:
    """The screen comes first where there are fewer processors than threads. Only Linux has this for a thread, and gives
    it on to those that the thread begins."""
    if sys.platform == "linux":
        here = threading.get_native_id()
        nice = max(POLITE, os.getpriority(os.PRIO_PROCESS, here))  # less than it is may be refused
        os.setpriority(os.PRIO_PROCESS, here, nice)


def _fail(error: Exception) -> None:
    """In the loop, so that the app hears of it."""
    raise error


def let_go(_: object) -> None:
    """There is nothing to be put away."""


class Errands:
    """Things that may have to wait for somebody far away, done one after the other in a thread of their own. It is a
    daemon too: when the app ends, what was not done by then is never done."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any] | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ninefold-errands", daemon=True)
        self._thread.start()

    async def run(self, errand: Callable[[], T], unwanted: Callable[[T], object] = let_go) -> T:
        """What an errand brings. It is carried out in any case: ``unwanted`` gets, in the loop, what comes after
        whoever waits for it was cancelled."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put((errand, done))
        try:
            await asyncio.wait([done])  # to await it would cancel it too
        except asyncio.CancelledError:
            done.add_done_callback(lambda done: done.exception() or unwanted(done.result()))
            raise
        return done.result()

    def leave(self, last: Callable[[], object]) -> None:
        """Nothing more is wanted but this last thing, whose end nobody waits for."""
        self._waiting.put((last, None))

    def _run(self) -> None:
        errand, done = self._waiting.get()
        while done is not None:
            self._do(errand, done)
            errand, done = self._waiting.get()
        errand()

    def _do(self, errand: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        try:
            result = errand()
        except Exception as error:
            self._settle(done, done.set_exception, error)
        else:
            self._settle(done, done.set_result, result)

    @staticmethod
    def _settle(done: asyncio.Future[Any], settle: Callable[..., None], value: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            done.get_loop().call_soon_threadsafe(settle, value)
