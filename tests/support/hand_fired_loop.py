"""An event loop whose long timers wait until a test fires them: however busy the machine is, none fires by itself."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any

import uvloop

from ninefold.server.http.config import STOP_SECONDS
from tests.support.http_server import NO_RATES
from tests.support.waiting import PATIENCE, wait_until

_APART = 1000.0
# Limits of a server that differ so much that a timer is known by its seconds, also when it was started late.
BY_HAND = NO_RATES._replace(
    head_seconds=_APART,
    body_seconds=2 * _APART,
    read_seconds=3 * _APART,
    hello_seconds=4 * _APART,
    send_seconds=5 * _APART,
    beat_seconds=6 * _APART,
    ping_seconds=7 * _APART,
    pong_seconds=8 * _APART,
)


class HeldTimer:
    """What ``call_later`` returns."""

    def __init__(self, timers: set[HeldTimer], seconds: float, fire: Callable[[], object]) -> None:
        self.seconds, self._timers, self._fire = seconds, timers, fire
        timers.add(self)

    def cancel(self) -> None:
        self._timers.discard(self)

    def fire(self) -> None:
        self.cancel()
        self._fire()


class HandFiredLoop(uvloop.Loop):
    """Timers fire by themselves only if they are no longer than a server takes to stop."""

    def __init__(self) -> None:
        super().__init__()
        self._held: set[HeldTimer] = set()

    def call_later(  # type: ignore[override]  # as uvloop declares it
        self, delay: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> Any:
        if delay <= STOP_SECONDS:
            return super().call_later(delay, callback, *args, context=context)
        return HeldTimer(self._held, delay, lambda: self.call_soon(callback, *args, context=context))

    def fire(self, seconds: float) -> None:
        """Fire, from another thread, the timers of one of the limits, once there are any."""
        wait_until(lambda: self.fire_any(seconds))

    def fire_any(self, seconds: float) -> bool:
        """Fire those that there are; False if there are none."""
        return asyncio.run_coroutine_threadsafe(self._fire(seconds), self).result(PATIENCE)

    async def _fire(self, seconds: float) -> bool:
        timers = [timer for timer in self._held if abs(timer.seconds - seconds) < _APART / 2]
        for timer in timers:
            timer.fire()
        return bool(timers)
