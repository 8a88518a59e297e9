"""The scheduler: deadlines that have passed, expired leases, the server's heartbeat, and housekeeping."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import Refusal
from ninefold.match.clock import charged
from ninefold.server.hosting.commands import Command, Lease, Tick
from ninefold.server.hosting.deadlines import IDLE_MS
from ninefold.server.storage import shared_state, store
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.database import Database
from ninefold.server.storage.deletion import delete_requested, requested_deletions
from ninefold.server.storage.presence import Presence
from ninefold.server.storage.writer import DatabaseTask

if TYPE_CHECKING:
    from sqlalchemy import Connection

DAY_MS = 86_400_000

log = logging.getLogger(__name__)

OutageList = list[tuple[int, int]]


def record_heartbeat(connection: Connection, now: int, longest_silence: int) -> OutageList:
    """Store that the server runs. A longer silence before it was an outage. Returns all outages."""
    last = int(shared_state.get_meta(connection, "alive_at") or now)
    if now - last > longest_silence:
        shared_state.add_outage(connection, last, now)
    shared_state.set_meta(connection, "alive_at", str(max(now, last)))
    return shared_state.outages(connection)


class Scheduler:
    """``write`` submits a write and waits for its response; ``on_delete`` is called with matches that were deleted."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        write: Callable[[Command | DatabaseTask], Awaitable[Any]],
        on_delete: Callable[[list[str]], None],
        presence: Presence,
        config: ServiceConfig,
    ) -> None:
        self._database = database
        self._now = now
        self._write = write
        self._on_delete = on_delete
        self._presence = presence
        self._config = config
        self.outages: OutageList = []
        self.counts: dict[str, int] = {}  # of open and live matches

    def end_outage(self, connection: Connection) -> None:
        """The server, or its database, was unavailable until now."""
        self.outages = record_heartbeat(connection, self._now(), 0)

    async def sweep(self) -> None:
        """Apply deadlines that have passed, and take over leases that have run out, again and again."""
        while True:
            await asyncio.sleep(self._config.sweep_seconds)
            try:
                commands, self.counts, unwanted = await asyncio.to_thread(self._find_due)
                await asyncio.gather(*map(self._write, commands), return_exceptions=True)
                if unwanted:
                    self._on_delete(await self._write(partial(delete_requested, ids=unwanted)))
            except DBAPIError:
                pass  # the writer logs that the database is unavailable
            except Exception:
                log.exception("sweep failed")

    def _find_due(self) -> tuple[list[Command], dict[str, int], list[str]]:
        """What has to be done now: commands, and deletions for the operator. Between them the numbers of matches."""
        now, most = self._now(), self._config.batch
        with self._database.reading() as connection:
            commands: list[Command] = [Tick(match) for match in store.due_matches(connection, now, most)]
            commands += [Lease(match) for match in store.expired_leases(connection, now, most)]
            return commands, store.count_by_status(connection), requested_deletions(connection)

    async def heartbeat(self) -> None:
        while True:
            await asyncio.sleep(self._config.heartbeat_seconds)
            with contextlib.suppress(Refusal):
                self.outages = await self._write(
                    lambda connection: record_heartbeat(connection, self._now(), self._config.outage_ms)
                )

    async def refresh_presence(self) -> None:
        while True:
            await asyncio.sleep(self._config.presence_seconds)
            self._presence.refresh()

    async def housekeeping(self) -> None:
        while True:
            try:
                await self.delete_old_matches()
                await self.prune()
            except (Refusal, DBAPIError):
                pass  # the database is unavailable; next time
            except Exception:
                log.exception("housekeeping failed")
            await asyncio.sleep(self._config.housekeeping_seconds)

    async def delete_old_matches(self) -> None:
        """Delete matches that ended longer ago than ``keep_days``: one batch at a time, so that nobody waits long."""
        while self._config.keep_days:
            deleted = await self._write(self._delete_some)
            self._on_delete(deleted)
            if len(deleted) < self._config.batch:
                break

    def _delete_some(self, connection: Connection) -> list[str]:
        old = store.ended_before(connection, self._now() - self._config.keep_days * DAY_MS, self._config.batch)
        store.delete_matches(connection, old)
        self._on_delete(old)  # now for the writer, and after the commit for those who have read it meanwhile
        return old

    async def prune(self) -> None:
        """Drop outages and presence that nothing can depend on any more."""
        self.outages = await self._write(self._prune_database)
        abandoned = self._presence.abandoned()
        for first in range(0, len(abandoned), self._config.batch):
            some = abandoned[first : first + self._config.batch]
            self._presence.forget(set(some) - await asyncio.to_thread(self._unfinished, some))

    def _prune_database(self, connection: Connection) -> OutageList:
        """Everything that an outage put off has come due once the idle limit has been charged since it."""
        now = self._now()
        outages = shared_state.outages(connection)
        old = [began for began, ended in outages if charged(ended, now, outages) > IDLE_MS]
        shared_state.delete_outages(connection, old)
        shared_state.delete_presence(connection, now - IDLE_MS)
        return shared_state.outages(connection)

    def _unfinished(self, matches: list[str]) -> set[str]:
        with self._database.reading() as connection:
            return store.unfinished(connection, matches)
