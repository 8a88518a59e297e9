"""Kept matches as they are read: from memory where that is the truth, else from the database, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy.exc import DBAPIError

from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import no_such_match, unavailable, unreadable_match
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import store
from ninefold.server.storage.cache import Cache
from ninefold.server.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

T = TypeVar("T")


class Seen(NamedTuple):
    """A match as it was last committed, and who is at other workers to see it."""

    hosted: HostedMatch
    elsewhere: list[Row[Any]]


class Page(NamedTuple):
    """A part of the list: its matches, and the time and the id of the last of them if there are more."""

    matches: list[HostedMatch]
    last: tuple[int, str] | None


class MatchReader:
    def __init__(self, database: Database, cache: Cache) -> None:
        self._database = database
        self._cache = cache

    async def hosted(self, match: str) -> HostedMatch:
        return (await self.see(match, presence=False)).hosted

    async def see(self, match: str, *, presence: bool = True) -> Seen:
        """Other workers write to PostgreSQL too: there the revision is asked for, and who is where."""
        known = self._cache.get(match)
        if known and not self._database.is_postgres:
            return Seen(known, [])
        if not tokens.is_id(match):
            raise no_such_match()
        shared = presence and self._database.is_postgres
        return await self._read(lambda connection: self._see(connection, match, known, shared))

    def _see(self, connection: Connection, match: str, known: HostedMatch | None, presence: bool) -> Seen:
        revision = store.revision(connection, match)
        if revision is None:
            raise no_such_match()
        if known is None or known.revision != revision:
            known = store.load(connection, [match]).get(match)
            if known is None:
                raise unreadable_match()
            self._cache.put(known)
        return Seen(known, store.presence(connection, match) if presence else [])

    async def listed(self, status: str, before: tuple[int, str] | None, most: int) -> Page:
        """Public matches, the newest first."""
        return await self._read(lambda connection: self._listed(connection, status, before, most))

    def _listed(self, connection: Connection, status: str, before: tuple[int, str] | None, most: int) -> Page:
        rows = store.listed(connection, status, before, most + 1)
        revisions = {row.id: row.revision for row in rows[:most]}
        known = {match: self._cache.get(match) for match in revisions}
        found = {match: hosted for match, hosted in known.items() if hosted and hosted.revision == revisions[match]}
        for match, hosted in store.load(connection, [match for match in revisions if match not in found]).items():
            self._cache.put(hosted)
            found[match] = hosted
        last = (rows[most - 1].created_at, rows[most - 1].id) if len(rows) > most else None
        return Page([found[match] for match in revisions if match in found], last)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            return await asyncio.to_thread(self._reading, work)
        except DBAPIError:
            raise unavailable() from None

    def _reading(self, work: Callable[[Connection], T]) -> T:
        with self._database.reading() as connection:
            return work(connection)
