"""Publish and subscribe: who follows which match. A notification is a hint; subscribers read the match together."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from ninefold.server.storage.database import CALL_SECONDS, network_limits
from ninefold.server.storage.store import CHANNEL, read_notification

if TYPE_CHECKING:
    from ninefold.server.hosting.model import HostedMatch
    from ninefold.server.storage.reader import MatchSnapshot

log: logging.Logger = logging.getLogger(__name__)

LATER_SECONDS = 0.5

T = TypeVar("T")


class Change:
    """A match has changed. All who follow it share what they read and what they make of it.

    ``hosted`` is the match as this process has written it, if it has. ``only_log`` is True if nothing else has changed
    of it than its log, its clocks and what is counted.
    """

    hosted: HostedMatch | None
    only_log: bool

    def __init__(self, hosted: HostedMatch | None = None, *, only_log: bool = False) -> None:
        self.hosted, self.only_log = hosted, only_log
        self._reading: asyncio.Lock | None = None  # made when somebody has to wait
        self._snapshot: MatchSnapshot | None = None
        self._made: dict[Hashable, Any] = {}

    def snapshot_now(self, read: Callable[[], MatchSnapshot | None]) -> MatchSnapshot | None:
        """The match after this change, or later, if it need not be waited for."""
        if self._snapshot is None and self._reading is None:
            self._snapshot = read()
        return self._snapshot

    async def snapshot(self, read: Callable[[], Awaitable[MatchSnapshot]]) -> MatchSnapshot:
        """The match after this change, or later; the first who asks reads it."""
        self._reading = self._reading or asyncio.Lock()
        async with self._reading:
            if self._snapshot is None:
                self._snapshot = await read()
        return self._snapshot

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """What the first who asked for it has made."""
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made


class Subscription:
    """Wakes up when the match has changed. Several changes may be one wake-up.

    ``on_change`` is called first: if it returns True, everything is done, and nobody has to be woken.
    """

    def __init__(self, unsubscribe: Callable[[Subscription], None], on_change: Callable[[Change], bool]) -> None:
        self._event = asyncio.Event()
        self._change = Change()
        self._unsubscribe = unsubscribe
        self._on_change = on_change

    def wake(self, change: Change) -> None:
        try:
            is_done = not self._event.is_set() and self._on_change(change)
        except Exception:  # others follow the match too
            log.exception("change not passed on")
            is_done = False
        if not is_done:
            self.wake_later(change)

    def wake_later(self, change: Change) -> None:
        self._change = change
        self._event.set()

    async def changed(self) -> Change:
        """The latest change, once there is one."""
        await self._event.wait()
        self._event.clear()
        return self._change

    def close(self) -> None:
        self._unsubscribe(self)
        self._on_change = _ignore  # which may hold this object: nothing is left to the garbage collector


def _ignore(_: Change) -> bool:
    return False


class PubSub:
    """The subscriptions of one process. Lives on the event loop."""

    def __init__(self) -> None:
        self._subscriptions: dict[str, dict[Subscription, None]] = {}  # in the order in which they came
        self._written: dict[str, int] = {}  # the latest revision of each that was published with what was written
        self._later: set[str] = set()

    def subscribe(self, match: str, on_change: Callable[[Change], bool] = _ignore) -> Subscription:
        subscription = Subscription(lambda one: self._unsubscribe(match, one), on_change)
        self._subscriptions.setdefault(match, {})[subscription] = None
        return subscription

    def _unsubscribe(self, match: str, subscription: Subscription) -> None:
        others = self._subscriptions.get(match, {})
        others.pop(subscription, None)
        if not others:
            self._subscriptions.pop(match, None)
            self._written.pop(match, None)

    def has_subscribers(self, match: str) -> bool:
        """True if anybody follows the match. May be called from any thread."""
        return match in self._subscriptions

    def publish(self, match: str, change: Change | None = None) -> None:
        if subscriptions := self._subscriptions.get(match):
            change = change or Change()
            if change.hosted:
                self._written[match] = change.hosted.revision
            for subscription in tuple(subscriptions):
                subscription.wake(change)

    def publish_notified(self, match: str, revision: int | None) -> None:
        """Publish what another worker has written. What this one has written is published already."""
        if revision is None or revision > self._written.get(match, -1):
            self.publish(match)

    def publish_later(self, match: str) -> None:
        """Publish once for everything that happens within a moment."""
        if match not in self._later:
            self._later.add(match)
            asyncio.get_running_loop().call_later(LATER_SECONDS, self._publish_now, match)

    def _publish_now(self, match: str) -> None:
        self._later.discard(match)
        self.publish(match)

    def publish_all(self) -> None:
        for match in list(self._subscriptions):
            self.publish(match)


class NotificationListener:
    """A thread that receives PostgreSQL's notifications of what other workers have written.

    ``on_connect`` is called after every (re)connection: notifications may have been missed before it. ``register`` gets
    every connection, to cut it if PostgreSQL hangs.
    """

    def __init__(
        self,
        url: str,
        on_match: Callable[[str, int | None], None],
        on_connect: Callable[[], None],
        register: Callable[[Any], None] = lambda _: None,
    ) -> None:
        self._url = url
        self._register = register
        self._limits: dict[str, Any] = {
            name: value for name, value in network_limits(CALL_SECONDS).items() if f"{name}=" not in url
        }
        self._on_match = on_match
        self._on_connect = on_connect
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ninefold-listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()  # it ends within a second; nobody has to wait for it

    def _run(self) -> None:
        import psycopg

        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, **self._limits) as connection:
                    self._register(connection)
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._on_connect()
                    self._listen(connection)
            except psycopg.Error as error:
                log.warning(
                    "listener lost the database",
                    extra={"facts": {"error": type(error).__name__, "message": str(error)}},
                )
                self._stopped.wait(0.5)

    def _listen(self, connection: Any) -> None:
        while not self._stopped.is_set():
            for notification in connection.notifies(timeout=0.5):
                self._on_match(*read_notification(notification.payload))
