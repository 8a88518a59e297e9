"""The scheduler: deadlines that have passed, expired leases, the server's heartbeat, and housekeeping."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import Refusal
from ninefold.match.clock import charged, latest_before
from ninefold.server.hosting.commands import Command, Tick
from ninefold.server.hosting.deadlines import DAY_MS, IDLE_MS
from ninefold.server.storage import shared_state, store
from ninefold.server.storage.bots import Bots
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.database import Database
from ninefold.server.storage.deletion import delete_requested, requested_deletions
from ninefold.server.storage.moderation import Moderation
from ninefold.server.storage.presence import Presence
from ninefold.server.storage.steady_clock import MOST_AHEAD_MS
from ninefold.server.storage.writer import DatabaseTask

if TYPE_CHECKING:
    from sqlalchemy import Connection

TOMBSTONE_MS = DAY_MS  # how long a deleted match cannot be created again
WATCH_SECONDS = 0.5  # between two looks for calls of the database that hang

log: logging.Logger = logging.getLogger(__name__)

OutageList = list[tuple[int, int]]


def record_heartbeat(connection: Connection, now: int, longest_silence: int) -> OutageList:
    """Store that the server runs. A longer silence before it was an outage. Returns all outages."""
    last = shared_state.alive_at(connection) or now
    if now - last > longest_silence:
        shared_state.add_outage(connection, last, now)
    was_wrong = last - now > MOST_AHEAD_MS  # a clock that was far ahead, and has been set right
    shared_state.set_meta(connection, "alive_at", str(now if was_wrong else max(now, last)))
    return shared_state.outages(connection)


class Scheduler:
    """``write`` submits a write and waits for its response; ``on_delete`` is called with matches that were deleted;
    ``take_over`` lets a computer act here for whom no worker computes; ``keep_profiles`` is housekeeping too."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        write: Callable[[Command | DatabaseTask], Awaitable[Any]],
        on_delete: Callable[[list[str]], None],
        take_over: Callable[[str], Awaitable[None]],
        presence: Presence,
        bots: Bots,
        config: ServiceConfig,
        moderation: Moderation,
        keep_profiles: Callable[[], Awaitable[None]],
    ) -> None:
        self._database = database
        self._now = now
        self._write = write
        self._on_delete = on_delete
        self._take_over = take_over
        self._presence = presence
        self._bots = bots
        self._config = config
        self._moderation = moderation
        self._keep_profiles = keep_profiles
        self._begun_at = now()  # when the last transaction began
        self.outages: OutageList = []
        self.counts: dict[str, int] = {}  # of open and live matches

    def end_outage(self, connection: Connection) -> None:
        """The server, or its database, was unavailable until now."""
        self._begun_at = self._now()
        self.outages = record_heartbeat(connection, self._begun_at, 0)

    def begin(self, connection: Connection, was_away: bool) -> None:
        """Every transaction begins here, so that no time is charged in which the database, or this machine, slept."""
        if was_away:
            self.end_outage(connection)
        elif self._now() - self._begun_at > self._config.outage_ms:
            self.outages = record_heartbeat(connection, self._now(), self._config.outage_ms)
        self._begun_at = self._now()

    async def watch(self) -> None:
        """Cut the connections to a database that hangs, so that its callers are refused."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self._database.cut_hanging():
                log.warning("database hangs", extra={"facts": {"seconds": self._config.database_seconds}})

    def loops(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """What runs as long as the service does."""
        return self.sweep(), self.heartbeat(), self.watch(), self.refresh_presence(), self.housekeeping()

    async def sweep(self) -> None:
        """Apply deadlines that have passed, and take over leases that have run out, again and again."""
        while True:
            await asyncio.sleep(self._config.sweep_seconds)
            try:
                commands, orphans, self.counts, unwanted = await asyncio.to_thread(self._find_due)
                writes = (*map(self._write, commands), *map(self._take_over, orphans))
                await asyncio.gather(*writes, return_exceptions=True)
                if unwanted:
                    await self.delete(unwanted)
            except (Refusal, DBAPIError):
                pass  # the writer logs that the database is unavailable
            except Exception:
                log.exception("sweep failed")

    async def delete(self, matches: list[str]) -> None:
        """Delete matches as the operator wants it."""
        self._on_delete(await self._write(partial(delete_requested, ids=matches, now=self._now())))

    def _find_due(self) -> tuple[list[Command], list[str], dict[str, int], list[str]]:
        """What has to be done now: commands, computers' moves to take over; the numbers of matches; what to delete."""
        now, most = self._now(), self._config.batch
        with self._database.reading() as connection:
            commands: list[Command] = [Tick(match) for match in store.due_matches(connection, now, most)]
            orphans, counts = self._find_orphans(connection, now), store.count_by_status(connection)
            return commands, orphans, counts, requested_deletions(connection)

    def _find_orphans(self, connection: Connection, now: int) -> list[str]:
        """Matches that wait for a computer's action, and for which there is room here. Those in the queue only wait."""
        room = min(self._config.batch, self._bots.room())
        if not room:
            return []
        expired = store.expired_leases(connection, now, room + self._bots.busy())
        return [match for match in expired if not self._bots.has(match)][:room]

    async def heartbeat(self) -> None:
        while True:
            await asyncio.sleep(self._config.heartbeat_seconds)
            with contextlib.suppress(Refusal):
                self.outages = await self._write(self._beat)

    def _beat(self, connection: Connection) -> OutageList:
        self._moderation.refresh(connection)
        return record_heartbeat(connection, self._now(), self._config.outage_ms)

    async def refresh_presence(self) -> None:
        while True:
            await asyncio.sleep(self._config.presence_seconds)
            self._presence.refresh()

    async def housekeeping(self) -> None:
        while True:
            try:
                await self.delete_old_matches()
                await self.prune()
                await self._keep_profiles()
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

    def _delete_some(self, connection: Connection) -> store.ChangedMatches:
        # Without the outages: a clock that was set forward by years deletes nothing.
        at = latest_before(self._now(), self._config.keep_days * DAY_MS, shared_state.outages(connection))
        old = store.ended_before(connection, at, self._config.batch)
        return store.delete_matches(connection, old, self._now())

    async def prune(self) -> None:
        """Drop outages, presence, tombstones and matches of computers that nothing can depend on any more."""
        self.outages = await self._write(self._prune_database)
        while await self._write(self._drop_tombstones) == self._config.batch:
            pass
        abandoned = self._presence.abandoned()
        for first in range(0, len(abandoned), self._config.batch):
            some = abandoned[first : first + self._config.batch]
            self._presence.forget(set(some) - await asyncio.to_thread(self._unfinished, some))
        computer_matches = self._bots.computer_matches
        known = list(computer_matches)
        for ended in set(known) - await asyncio.to_thread(self._unfinished, known):
            computer_matches.remove(ended)

    def _prune_database(self, connection: Connection) -> OutageList:
        """Everything that an outage put off has come due once the longest limit has been charged since it."""
        now, longest = self._now(), max(IDLE_MS, self._config.keep_days * DAY_MS)
        outages = shared_state.outages(connection)
        old = [began for began, ended in outages if charged(ended, now, outages) > longest]
        shared_state.delete_outages(connection, old)
        shared_state.delete_presence(connection, now - IDLE_MS)
        return shared_state.outages(connection)

    def _drop_tombstones(self, connection: Connection) -> int:
        # Without the outages, as in ``_delete_some``.
        before = latest_before(self._now(), TOMBSTONE_MS, shared_state.outages(connection))
        return store.drop_tombstones(connection, before, self._config.batch)

    def _unfinished(self, matches: list[str]) -> set[str]:
        with self._database.reading() as connection:
            return store.unfinished(connection, matches)
