"""Work that takes the processor, beside the screen."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Work(Generic[T]):
    """Something computed in a thread of its own. ``done`` gets the result, in the loop that is running now, unless the
    work was stopped before. The thread is a daemon: nobody who leaves waits for a thought."""

    def __init__(self, compute: Callable[[Work[T]], T], done: Callable[[T], None]) -> None:
        self._compute, self._done = compute, done
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ninefold-thought", daemon=True)
        self._thread.start()

    def is_wanted(self) -> bool:
        """To be asked by the work itself."""
        return not self._stopped.is_set()

    def report(self, told: Callable[[], None]) -> None:
        """From the thread: call something in the loop, as long as the work is wanted."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._if_wanted, told)

    def stop(self, wait: float = 0.0) -> None:
        """The result is not wanted any more. ``wait`` so many seconds for the thread to see it."""
        self._stopped.set()
        if wait:
            self._thread.join(wait)

    def _run(self) -> None:
        result = self._compute(self)
        self.report(lambda: self._done(result))

    def _if_wanted(self, told: Callable[[], None]) -> None:
        if self.is_wanted():
            told()
