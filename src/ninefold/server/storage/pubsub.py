"""Who wants to hear of a match. A notification is a hint: the log is read again."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from ninefold.server.storage.store import CHANNEL

STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

log = logging.getLogger(__name__)


class Subscription:
    """Wakes up when something has changed, however often, and whatever it was."""

    def __init__(self, leave: Callable[[Subscription], None]) -> None:
        self._event = asyncio.Event()
        self._leave = leave

    def wake(self) -> None:
        self._event.set()

    async def changed(self) -> None:
        await self._event.wait()
        self._event.clear()

    def close(self) -> None:
        self._leave(self)


class PubSub:
    """In one process; lives on the event loop."""

    def __init__(self) -> None:
        self._heard: dict[str, set[Subscription]] = {}

    def subscribe(self, match: str) -> Subscription:
        subscription = Subscription(lambda who: self._unsubscribe(match, who))
        self._heard.setdefault(match, set()).add(subscription)
        return subscription

    def _unsubscribe(self, match: str, subscription: Subscription) -> None:
        others = self._heard.get(match, set())
        others.discard(subscription)
        if not others:
            self._heard.pop(match, None)

    def has(self, match: str) -> bool:
        """Whether anybody follows a match; may be asked from any thread."""
        return match in self._heard

    def announce(self, match: str) -> None:
        for subscription in self._heard.get(match, ()):
            subscription.wake()

    def announce_all(self) -> None:
        for match in list(self._heard):
            self.announce(match)


class Listener:
    """Hears through PostgreSQL what others have written. After a break everybody is woken: much may be missed."""

    def __init__(self, url: str, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://")
        self._heard = heard
        self._missed = missed
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ninefold-listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        import psycopg

        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._missed()
                    self._listen(connection)
            except psycopg.Error as error:
                log.warning("the listener lost PostgreSQL: %s", type(error).__name__)
                self._stopped.wait(0.5)

    def _listen(self, connection: Any) -> None:
        while not self._stopped.is_set():
            for notice in connection.notifies(timeout=0.5):
                self._heard(notice.payload.partition(":")[0])


class SteadyClock:
    """UTC in milliseconds that never jumps: read once, then measured by a clock that runs while a machine sleeps."""

    def __init__(self) -> None:
        self._began = time.time_ns()
        self._mark = time.clock_gettime_ns(STEADY)

    def now(self) -> int:
        return (self._began + time.clock_gettime_ns(STEADY) - self._mark) // 1_000_000
