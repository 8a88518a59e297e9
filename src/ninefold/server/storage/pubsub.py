"""Publish and subscribe: who follows which match. A notification is a hint; subscribers read the match again."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

from ninefold.server.storage.store import CHANNEL

log = logging.getLogger(__name__)


class Subscription:
    """Wakes up when the match has changed. Several changes may be one wake-up."""

    def __init__(self, unsubscribe: Callable[[Subscription], None]) -> None:
        self._event = asyncio.Event()
        self._unsubscribe = unsubscribe

    def wake(self) -> None:
        self._event.set()

    async def changed(self) -> None:
        await self._event.wait()
        self._event.clear()

    def close(self) -> None:
        self._unsubscribe(self)


class PubSub:
    """The subscriptions of one process. Lives on the event loop."""

    def __init__(self) -> None:
        self._subscriptions: dict[str, dict[Subscription, None]] = {}  # in the order in which they came

    def subscribe(self, match: str) -> Subscription:
        subscription = Subscription(lambda one: self._unsubscribe(match, one))
        self._subscriptions.setdefault(match, {})[subscription] = None
        return subscription

    def _unsubscribe(self, match: str, subscription: Subscription) -> None:
        others = self._subscriptions.get(match, {})
        others.pop(subscription, None)
        if not others:
            self._subscriptions.pop(match, None)

    def has_subscribers(self, match: str) -> bool:
        """True if anybody follows the match. May be called from any thread."""
        return match in self._subscriptions

    def publish(self, match: str) -> None:
        for subscription in self._subscriptions.get(match, ()):
            subscription.wake()

    def publish_all(self) -> None:
        for match in list(self._subscriptions):
            self.publish(match)


class NotificationListener:
    """A thread that receives PostgreSQL's notifications of what other workers have written.

    ``on_connect`` is called after every (re)connection: notifications may have been missed before it.
    """

    def __init__(self, url: str, on_match: Callable[[str], None], on_connect: Callable[[], None]) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://")
        self._on_match = on_match
        self._on_connect = on_connect
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
                    self._on_connect()
                    self._listen(connection)
            except psycopg.Error as error:
                log.warning("listener lost the database", extra={"facts": {"error": type(error).__name__}})
                self._stopped.wait(0.5)

    def _listen(self, connection: Any) -> None:
        while not self._stopped.is_set():
            for notification in connection.notifies(timeout=0.5):
                self._on_match(notification.payload.partition(":")[0])
