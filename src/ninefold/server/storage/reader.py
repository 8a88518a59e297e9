"""Reading hosted matches: from the cache where that is current, else from the database, off the event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
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


class MatchReader:
    """Reads matches. Only with SQLite the cache is always current: other workers write to PostgreSQL too."""

    def __init__(self, database: Database, cache: MatchCache) -> None:
        self._database = database
        self._cache = cache

    async def hosted(self, match: str) -> HostedMatch:
        return (await self.current(match, presence=False)).hosted

    async def current(self, match: str, *, presence: bool = True) -> CurrentMatch:
        cached = self._cache.get(match)
        if cached and not self._database.is_postgres:
            return CurrentMatch(cached, [])
        if not tokens.is_id(match):
            raise no_such_match()
        shared, since = presence and self._database.is_postgres, self._cache.moment()
        return await self._read(lambda connection: self._current(connection, match, cached, shared, since))

    def _current(
        self, connection: Connection, match: str, cached: HostedMatch | None, presence: bool, since: int
    ) -> CurrentMatch:
        revision = store.revision(connection, match)
        if revision is None:
            raise no_such_match()
        if cached is None or cached.revision != revision:
            cached = store.load(connection, [match]).get(match)
            if cached is None:
                raise unreadable_match()
            self._cache.put(cached, since)
        return CurrentMatch(cached, shared_state.presence(connection, match) if presence else [])

    async def public_matches(
        self, status: str, attendance: store.Attendance, before: tuple[int, str] | None, most: int
    ) -> MatchPage:
        """Public matches that somebody is at, the newest first."""
        since = self._cache.moment()
        return await self._read(
            lambda connection: self._public_matches(
                connection, store.public_matches(connection, status, attendance, before, most + 1), most, since
            )
        )

    def _public_matches(
        self, connection: Connection, rows: Sequence[Row[Any, Any, Any]], most: int, since: int
    ) -> MatchPage:
        revisions = {row.id: row.revision for row in rows[:most]}
        cached = {match: self._cache.get(match) for match in revisions}
        found = {match: hosted for match, hosted in cached.items() if hosted and hosted.revision == revisions[match]}
        for match, hosted in store.load(connection, [match for match in revisions if match not in found]).items():
            self._cache.put(hosted, since)
            found[match] = hosted
        last = (rows[most - 1].created_at, rows[most - 1].id) if len(rows) > most else None
        return MatchPage([found[match] for match in revisions if match in found], last)

    async def _read(self, query: Callable[[Connection], T]) -> T:
        try:
            return await asyncio.to_thread(self._run, query)
        except (DBAPIError, NoFreeConnection):
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
