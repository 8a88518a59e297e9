"""An event loop in simulated time. Its callbacks run in order, one in each step of the world."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from tests.support.simulation.world import Owner, SimulatedThread, World


class SimulatedLoop(asyncio.BaseEventLoop):
    """Has all that the server needs of a loop, and nothing of its base class."""

    def __init__(self, world: World, owner: Owner | None = None) -> None:
        self.world, self.owner = world, owner
        self.ready: deque[asyncio.Handle] = deque()
        self.failures: list[str] = []  # what nobody has caught
        self._tasks: list[asyncio.Task[Any]] = []
        self._is_closed = False
        world.loops.append(self)

    def step(self) -> None:
        handle = self.ready.popleft()
        if not handle.cancelled():
            asyncio._set_running_loop(self)
            try:
                handle._run()
            finally:
                asyncio._set_running_loop(None)

    def close(self) -> None:
        """End everything that runs here, as if the process had died."""
        self._is_closed = True
        self.ready.clear()
        self.world.loops.remove(self)
        asyncio._set_running_loop(self)
        try:
            for task in self._tasks:
                if not task.done():
                    coroutine: Any = task.get_coro()
                    with contextlib.suppress(Exception):  # a coroutine that cleans up would wait for something
                        coroutine.close()
        finally:
            asyncio._set_running_loop(None)

    # What asyncio needs of a loop

    def time(self) -> float:
        return self.world.time

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self._is_closed:
            self.ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)

        def fire() -> None:
            if not handle.cancelled() and not self._is_closed:
                self.ready.append(handle)

        if not self._is_closed:
            self.world.at(when, fire)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.world.time + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """The timer fires and does nothing."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **options)
        self._tasks.append(task)
        if len(self._tasks) > 200:
            self._tasks = [task for task in self._tasks if not task.done()]
        return task

    def run_in_executor(  # type: ignore[override]
        self, _: object, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future = self.create_future()

        def finish(result: Any, error: BaseException | None) -> None:
            if future.cancelled():
                return
            if error:
                future.set_exception(error)
            else:
                future.set_result(result)

        def work() -> None:
            try:
                result, error = func(*args), None
            except Exception as raised:
                result, error = None, raised
            self.call_soon_threadsafe(finish, result, error)

        SimulatedThread(self.world, work, "executor").start()
        return future

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return not self._is_closed

    def is_closed(self) -> bool:
        return self._is_closed

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self._is_closed:
            self.failures.append(f"{context.get('message')}: {context.get('exception')!r}")

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A task, also from outside of the loop."""
        return self.create_task(coroutine)
