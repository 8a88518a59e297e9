"""Reading hosted matches: from the cache where that is current, else from the database, off the event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from ninefold.match.clock import Outages
from ninefold.match.match import Match
from ninefold.match.state import State
from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import no_such_match, unavailable, unreadable_match
from ninefold.server.hosting.handlers import EventDoc, indexed_event
from ninefold.server.hosting.model import HostedMatch, PresenceInfo
from ninefold.server.hosting.view import (
    ClockDoc,
    MatchView,
    SeatDoc,
    StoredView,
    clock_doc,
    live_view,
    seat_docs,
    stored_view,
)
from ninefold.server.storage import shared_state, store
from ninefold.server.storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row


T = TypeVar("T")

MOST_READS = 2  # at a time: one that takes long does not hold up the others
MOST_TOGETHER = 256  # matches
_FAILURES = (DBAPIError, NoFreeConnection)  # of the database


class CachedMatch(NamedTuple):
    hosted: HostedMatch
    view: StoredView | None = None  # made when somebody asks for it
    moment: int = 0  # at which it was put


class MatchCache:
    """The latest revision of matches, with their views. The least recently used ones are dropped.

    A reader may come with what it read before the writer put a newer revision, also if that was dropped meanwhile: it
    says at which ``moment`` it began.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()
        self._lock = threading.Lock()
        self._moment = 0  # counts the puts of the writer, and drops
        self._dropped = 0  # the latest moment of a match that was dropped

    def __len__(self) -> int:
        return len(self._matches)

    def get(self, match: str) -> HostedMatch | None:
        with self._lock:
            cached = self._matches.get(match)
            if cached is None:
                return None
            self._matches.move_to_end(match)
            return cached.hosted

    def moment(self) -> int:
        """Now, for a reader that will ``put`` what it reads."""
        return self._moment

    def put(self, hosted: HostedMatch, read_since: int | None = None) -> None:
        """Keep a match that was written, or read since a moment. It never goes back to an older revision."""
        with self._lock:
            cached = self._matches.get(hosted.id)
            if read_since is None:
                self._moment += 1
            elif cached is None and read_since < self._dropped:
                return  # a newer revision may have been dropped meanwhile
            if cached is None or cached.hosted.revision < hosted.revision:
                self._matches[hosted.id] = CachedMatch(hosted, None, self._moment)
            self._matches.move_to_end(hosted.id)
            while len(self._matches) > self._most:
                _, oldest = self._matches.popitem(last=False)
                self._dropped = max(self._dropped, oldest.moment)

    def view(self, hosted: HostedMatch) -> StoredView:
        """The stored part of a match's view; it is made once for each revision."""
        cached = self._matches.get(hosted.id)
        if cached and cached.view is not None and cached.hosted.revision == hosted.revision:
            return cached.view
        view = stored_view(hosted)
        with self._lock:
            cached = self._matches.get(hosted.id)
            if cached and cached.hosted.revision == hosted.revision:
                self._matches[hosted.id] = cached._replace(view=view)
        return view

    def drop(self, matches: Sequence[str] | None = None) -> None:
        """Drop some matches, or all of them."""
        with self._lock:
            self._moment += 1
            self._dropped = self._moment
            for match in list(self._matches) if matches is None else matches:
                self._matches.pop(match, None)


class MatchSnapshot:
    """A match at one moment, as its readers see it. Documents are made once, when somebody asks for them."""

    hosted: HostedMatch
    presence: PresenceInfo

    def __init__(
        self,
        hosted: HostedMatch,
        presence: PresenceInfo,
        now: int,
        outages: Outages,
        stored: Callable[[HostedMatch], StoredView] = stored_view,
    ) -> None:
        self.hosted, self.presence = hosted, presence
        self._now, self._outages, self._stored = now, outages, stored

    @property
    def etag(self) -> str:
        one, two = self.presence.present
        return f'W/"{self.hosted.revision}-{int(one)}{int(two)}{self.presence.watching}"'

    @cached_property
    def document(self) -> MatchView:
        live = live_view(self.hosted, self.presence, self._now, self._outages)
        return {**self._stored(self.hosted), **live}

    @cached_property
    def seats(self) -> list[SeatDoc]:
        return seat_docs(self.hosted, self.presence)

    @property
    def clock(self) -> ClockDoc | None:
        return clock_doc(self.hosted, self._now, self._outages)

    @property
    def version(self) -> int:
        return self.hosted.match.version

    @property
    def size(self) -> int:
        return len(self.hosted.match.events)

    def events(self, after: int) -> list[EventDoc]:
        return events_after(self.hosted, after)

    @cached_property
    def json(self) -> bytes:
        return json.dumps(self.document, ensure_ascii=False, separators=(",", ":")).encode()


class CurrentMatch(NamedTuple):
    """A match as it was last committed, and who is connected to which worker."""

    hosted: HostedMatch
    presence: list[Row[Any]]


class MatchPage(NamedTuple):
    """A part of the list of matches, and the key of its last one if there are more."""

    matches: list[HostedMatch]
    last: tuple[int, str] | None


FoundMatches = dict[str, CurrentMatch | None]  # None for one that cannot be read


class ReadBatch(NamedTuple):
    """Matches that are read together. Others can be added until that begins."""

    ids: dict[str, None]
    found: asyncio.Task[FoundMatches]


class MatchReader:
    """Reads matches. Only with SQLite the cache is always current: other workers write to PostgreSQL too.

    Matches that are asked for while others are read are then read together. Under load that is most of the moves of
    other workers, and statements for many matches take little longer than those for one.
    """

    def __init__(self, database: Database, cache: MatchCache) -> None:
        self._database = database
        self._cache = cache
        self._reading = asyncio.Semaphore(MOST_READS)
        self._next: ReadBatch | None = None

    async def hosted(self, match: str) -> HostedMatch:
        return (await self.current(match)).hosted

    async def current(self, match: str) -> CurrentMatch:
        cached = self._cache.get(match)
        if cached and not self._database.is_postgres:
            return CurrentMatch(cached, [])
        if not tokens.is_id(match):
            raise no_such_match()
        found = await self._read_together(match)
        if match not in found:
            raise no_such_match()
        current = found[match]
        if current is None:
            raise unreadable_match()
        return current

    async def _read_together(self, match: str) -> FoundMatches:
        """What the next batch finds, with this match among others."""
        if self._next is None or len(self._next.ids) == MOST_TOGETHER:
            ids: dict[str, None] = {}
            self._next = ReadBatch(ids, asyncio.create_task(self._read_batch(ids)))
        self._next.ids[match] = None
        try:
            return await asyncio.shield(self._next.found)  # others wait for it too
        except _FAILURES:
            raise unavailable() from None

    async def _read_batch(self, ids: dict[str, None]) -> FoundMatches:
        """Read these matches, and those that are added before it is their turn.

        It does not know its own task: an error would refer to it, and only a full garbage collection would free both.
        """
        async with self._reading:
            if self._next and self._next.ids is ids:
                self._next = None
            since = self._cache.moment()
            return await asyncio.to_thread(self._run, lambda connection: self._current(connection, list(ids), since))

    def _current(self, connection: Connection, ids: list[str], since: int) -> FoundMatches:
        cached = self._cached(ids)  # first: what is written from now on is not in it
        found = self._load(connection, store.revisions(connection, ids), cached, since)
        presence = shared_state.presence(connection, ids) if self._database.is_postgres else {}
        return {match: hosted and CurrentMatch(hosted, presence.get(match, [])) for match, hosted in found.items()}

    def _cached(self, ids: Iterable[str]) -> dict[str, HostedMatch]:
        return {match: hosted for match in ids if (hosted := self._cache.get(match))}

    def _load(
        self, connection: Connection, revisions: dict[str, int], cached: dict[str, HostedMatch], since: int
    ) -> dict[str, HostedMatch | None]:
        """Matches of which the revisions are known, as cached if that is the same; None for an unreadable one."""
        outdated = [match for match in revisions if match not in cached or cached[match].revision != revisions[match]]
        loaded = store.load(connection, outdated, cached)
        for hosted in loaded.values():
            self._cache.put(hosted, since)
        return {match: loaded.get(match) if match in outdated else cached[match] for match in revisions}

    async def public_matches(
        self, status: str, attendance: store.Attendance, before: tuple[int, str] | None, most: int
    ) -> MatchPage:
        """Public matches that somebody is at, the newest first."""
        since = self._cache.moment()
        return await self.query(
            lambda connection: self._public_matches(
                connection, store.public_matches(connection, status, attendance, before, most + 1), most, since
            )
        )

    def _public_matches(
        self, connection: Connection, rows: Sequence[Row[Any, Any, Any]], most: int, since: int
    ) -> MatchPage:
        revisions = {row.id: row.revision for row in rows[:most]}
        found = self._load(connection, revisions, self._cached(revisions), since)
        last = (rows[most - 1].created_at, rows[most - 1].id) if len(rows) > most else None
        return MatchPage([hosted for hosted in found.values() if hosted], last)

    async def query(self, query: Callable[[Connection], T]) -> T:
        try:
            return await asyncio.to_thread(self._run, query)
        except _FAILURES:
            raise unavailable() from None

    def _run(self, query: Callable[[Connection], T]) -> T:
        with self._database.reading() as connection:
            return query(connection)


def events_after(hosted: HostedMatch, after: int) -> list[EventDoc]:
    """The events of a match with an index greater than ``after``."""
    events = hosted.match.events
    return [indexed_event(index, events[index]) for index in range(max(0, after + 1), len(events))]


def without_seed(match: Match) -> Match:
    """A running match without its seed, from which the computer's next moves could be computed."""
    return match if match.result else match._replace(setup=match.setup._replace(seed=None))


def without_messages(match: Match) -> Match:
    """A match without what the players have said."""
    events = [event for event in match.events if event.action.kind != "say"]
    return Match(match.setup, State(match.setup.start)).extend(events)
