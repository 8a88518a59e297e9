"""What happens by itself: flags, unanswered claims, idle matches, computers whose process died, outages, forgetting."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import Refusal
from ninefold.match.clock import charged
from ninefold.server.hosting.commands import Command, Lease, Tick
from ninefold.server.hosting.deadlines import IDLE_MS
from ninefold.server.storage import store
from ninefold.server.storage.database import Database
from ninefold.server.storage.presence import Presence
from ninefold.server.storage.writer import Job

if TYPE_CHECKING:
    from sqlalchemy import Connection

ALIVE_S = 2.0  # how often the server says that it is there
OUTAGE_MS = 6_000  # a longer silence was an outage (the machine slept, say), and is charged to nobody
SWEEP_S = 0.2
MOST = 500  # matches in one sweep
HOUSEKEEPING_S = 600.0
DAY_MS = 86_400_000

log = logging.getLogger(__name__)

Outages = list[tuple[int, int]]


def say_alive(connection: Connection, now: int, *, was_away: bool = False) -> Outages:
    """Say that the server is there. A long silence before was an outage, and any at all when it is known to be one."""
    last = int(store.get_meta(connection, "alive_at") or now)
    if now - last > (0 if was_away else OUTAGE_MS):
        store.add_outage(connection, last, now)
    store.set_meta(connection, "alive_at", str(max(now, last)))
    return store.outages(connection)


class Scheduler:
    """``write`` writes something and waits for its answer; ``forgotten`` is told which matches are gone."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        write: Callable[[Command | Job], Awaitable[Any]],
        forgotten: Callable[[list[str]], None],
        presence: Presence,
        keep_days: int,
    ) -> None:
        self._database = database
        self._now = now
        self._write = write
        self._forgotten = forgotten
        self._presence = presence
        self._keep_days = keep_days
        self.outages: Outages = []
        self.counts: dict[str, int] = {}

    def back(self, connection: Connection) -> None:
        """The server, or its database, was away until now."""
        self.outages = say_alive(connection, self._now(), was_away=True)

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                writes, self.counts = await asyncio.to_thread(self._look)
                await asyncio.gather(*map(self._write, writes), return_exceptions=True)
            except DBAPIError:
                pass  # it is away; the writer says so
            except Exception:
                log.exception("a sweep failed")

    def _look(self) -> tuple[list[Command], dict[str, int]]:
        now = self._now()
        with self._database.reading() as connection:
            writes: list[Command] = [Tick(match) for match in store.due_matches(connection, now, MOST)]
            writes += [Lease(match) for match in store.orphaned(connection, now, MOST)]
            return writes, store.counts(connection)

    async def live(self) -> None:
        while True:
            await asyncio.sleep(ALIVE_S)
            with contextlib.suppress(Refusal):
                self.outages = await self._write(lambda connection: say_alive(connection, self._now()))

    async def housekeeping(self) -> None:
        while True:
            try:
                await self.forget()
                await self.tidy()
            except (Refusal, DBAPIError):
                pass  # later
            except Exception:
                log.exception("the house was not kept")
            await asyncio.sleep(HOUSEKEEPING_S)

    async def forget(self) -> None:
        """Forget what is older than it is wanted to be kept: some at a time, so that nobody waits for long."""
        while self._keep_days:
            old = await self._write(self._forget)
            self._forgotten(old)
            if len(old) < MOST:
                break

    def _forget(self, connection: Connection) -> list[str]:
        old = store.ended_before(connection, self._now() - self._keep_days * DAY_MS, MOST)
        store.forget(connection, old)
        self._forgotten(old)  # now for those who write, and after the commit for those who have read it meanwhile
        return old

    async def tidy(self) -> None:
        """Let go of what nobody can need any more, so that nothing grows for ever."""
        self.outages = await self._write(self._tidy)
        remembered = self._presence.remembered()
        for first in range(0, len(remembered), MOST):
            some = remembered[first : first + MOST]
            self._presence.forget(set(some) - await asyncio.to_thread(self._going_on, some))

    def _tidy(self, connection: Connection) -> Outages:
        """After so long without an outage everything has come due that was waiting before it."""
        now = self._now()
        outages = store.outages(connection)
        old = [began for began, ended in outages if charged(ended, now, outages) > IDLE_MS]
        store.forget_outages(connection, old)
        store.forget_presence(connection, now - IDLE_MS)
        return store.outages(connection)

    def _going_on(self, matches: list[str]) -> set[str]:
        with self._database.reading() as connection:
            return store.going_on(connection, matches)
