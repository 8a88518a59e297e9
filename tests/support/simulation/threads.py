"""What the server takes from ``threading``, ``queue``, ``time`` and ``secrets``, in the simulated world."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from tests.support.simulation.world import SimulatedThread, World


class SimulatedLock:
    """Held for so short a time that nobody is interrupted while holding it."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __enter__(self) -> bool:
        self._world.point()
        if self._world.thread:
            self._world.thread.locks += 1
        return True

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._world.thread:
            self._world.thread.locks -= 1

    def acquire(self) -> bool:
        return self.__enter__()

    def release(self) -> None:
        self.__exit__(None, None, None)


class SimulatedCondition(SimulatedLock):
    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._waiting: list[SimulatedThread] = []

    def wait(self, timeout: float | None = None) -> None:
        thread = self._world.thread
        assert thread, "an event loop must not wait for a thread"
        self._waiting.append(thread)
        thread.locks -= 1
        try:
            thread.block(timeout)
        finally:
            thread.locks += 1

    def wait_for(self, holds: Callable[[], bool], timeout: float | None = None) -> bool:
        until = None if timeout is None else self._world.time + timeout
        while not holds():
            if until is not None and self._world.time >= until:
                return False
            self.wait(None if until is None else until - self._world.time)
        return True

    def notify_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        for thread in waiting:
            thread.wake()

    notify = notify_all


class SimulatedEvent:
    def __init__(self, world: World) -> None:
        self._condition = SimulatedCondition(world)
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        self._condition.notify_all()

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        with self._condition:
            return self._condition.wait_for(self.is_set, timeout)


class SimulatedQueue:
    def __init__(self, world: World) -> None:
        self._condition = SimulatedCondition(world)
        self._items: deque[Any] = deque()

    def put(self, item: Any) -> None:
        self._items.append(item)
        self._condition.notify_all()

    def get(self) -> Any:
        with self._condition:
            self._condition.wait_for(lambda: bool(self._items))
            return self._items.popleft()

    def empty(self) -> bool:
        return not self._items

    def qsize(self) -> int:
        return len(self._items)


class SimulatedThreading:
    """The names of ``threading``."""

    def __init__(self, world: World) -> None:
        self._world = world

    def Thread(self, target: Callable[[], object], name: str = "", **_: object) -> SimulatedThread:  # noqa: N802
        return SimulatedThread(self._world, target, name)

    def Lock(self) -> SimulatedLock:  # noqa: N802
        return SimulatedLock(self._world)

    RLock = Lock

    def Condition(self) -> SimulatedCondition:  # noqa: N802
        return SimulatedCondition(self._world)

    def Event(self) -> SimulatedEvent:  # noqa: N802
        return SimulatedEvent(self._world)


class SimulatedTime:
    """The names of ``time``: the wall clock can be set, the others run steadily."""

    CLOCK_BOOTTIME = CLOCK_MONOTONIC = 1

    def __init__(self, world: World) -> None:
        self._world = world

    def time_ns(self) -> int:
        return self._world.wall_ms * 1_000_000 + self.monotonic_ns()

    def time(self) -> float:
        return self.time_ns() / 1e9

    def monotonic(self) -> float:
        return self._world.time

    perf_counter = monotonic

    def monotonic_ns(self) -> int:
        return round(self._world.time * 1e9)

    def clock_gettime_ns(self, _: int) -> int:
        return self.monotonic_ns()


class SimulatedSecrets:
    """The names of ``secrets``, repeated by the seed."""

    def __init__(self, world: World) -> None:
        self._random = world.secrets

    def token_hex(self, size: int = 32) -> str:
        return self._random.randbytes(size).hex()

    token_urlsafe = token_hex

    def token_bytes(self, size: int = 32) -> bytes:
        return self._random.randbytes(size)
