"""The one writing thread: it takes what has gathered, writes it in one transaction, commits, answers, and announces."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ninefold.server.hosting.commands import Command, HandlerContext
from ninefold.server.hosting.errors import unavailable, unexpected, unreadable_match
from ninefold.server.hosting.handlers import execute, with_lease
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import store
from ninefold.server.storage.cache import Cache
from ninefold.server.storage.database import Database

LARGEST_BATCH = 256

log = logging.getLogger(__name__)

Job = Callable[[Connection], object]  # what else is written, in the same thread
Answered = Future[Any]
Changed = list[tuple[HostedMatch | None, HostedMatch]]  # matches as they were and as they are


class Pending(NamedTuple):
    write: Command | Job
    future: Answered


def _answer(future: Answered, answer: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return  # nobody waits any more; what was written stays written
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)


class Writer:
    """``announce`` is called with the matches that have changed, after the commit and after the answers.

    ``back`` is written first when the database was away.
    """

    def __init__(
        self,
        database: Database,
        cache: Cache,
        moment: Callable[[], HandlerContext],
        announce: Callable[[Changed], None],
        back: Job,
    ) -> None:
        self._database = database
        self._cache = cache
        self._moment = moment
        self._announce = announce
        self._back = back
        self.away = False  # the database, when it was last asked for something
        self._queue: SimpleQueue[Pending | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ninefold-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what has been asked for, then end."""
        self._queue.put(None)
        self._thread.join()

    def submit(self, write: Command | Job) -> Answered:
        pending = Pending(write, Future())
        self._queue.put(pending)
        return pending.future

    def waiting(self) -> int:
        return self._queue.qsize()

    def _run(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                break
            batch, last = [first], False
            while len(batch) < LARGEST_BATCH and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    last = True
                    break
                batch.append(following)
            self._process(batch)
            if last:
                break
        if self._connection:
            self._connection.close()

    def _process(self, batch: list[Pending]) -> None:
        try:
            answers, changed = self._written(batch)
        except Exception as error:
            if not isinstance(error, DBAPIError):
                log.exception("a batch of writes failed")
            else:
                log.warning("the database refused a batch of writes: %s", type(error.orig).__name__)
            self._lost(batch)
            return
        for _, after in changed:
            self._cache.put(after)
        for pending, answer in zip(batch, answers, strict=True):
            _answer(pending.future, answer)
        if changed:
            self._announce(changed)

    def _written(self, batch: list[Pending]) -> tuple[list[Any], Changed]:
        try:
            return self._in_transaction(batch)
        except IntegrityError:
            # Another worker has made the same match at this very moment. Nothing was written, and now it can be seen.
            return self._in_transaction(batch)

    def _lost(self, batch: list[Pending]) -> None:
        """Nobody knows what was committed: whoever repeats a request will be told."""
        self.away = True
        self._cache.drop()
        if self._connection:
            connection, self._connection = self._connection, None
            try:
                connection.invalidate()
                connection.close()
            except DBAPIError:
                pass
        for pending in batch:
            _answer(pending.future, unavailable())

    def _in_transaction(self, batch: list[Pending]) -> tuple[list[Any], Changed]:
        if self._connection is None:
            self._connection = self._database.writer.connect()
        connection = self._connection
        with connection.begin():
            if self.away:
                self._back(connection)
            session = _Transaction(connection, self._cache, self._moment())
            session.open(
                {pending.write.match for pending in batch if not callable(pending.write)},
                alone=not self._database.is_postgres,
            )
            answers = [session.dispatch(pending.write) for pending in batch]
            changed = session.close(notify=self._database.is_postgres)
        self.away = False
        return answers, changed


class _Transaction:
    """One transaction: the matches it has locked, as they were and as they are now."""

    def __init__(self, connection: Connection, cache: Cache, moment: HandlerContext) -> None:
        self._connection = connection
        self._cache = cache
        self._moment = moment
        self._before: dict[str, HostedMatch | None] = {}
        self._unreadable: set[str] = set()
        self._now: dict[str, HostedMatch] = {}
        self._changes = store.Changes()

    def open(self, matches: set[str], *, alone: bool) -> None:
        """Who writes ``alone`` knows that a match in memory is the match as it is."""
        known = {match: hosted for match in matches if (hosted := self._cache.get(match))}
        asked = matches - set(known) if alone else matches
        revisions = store.lock(self._connection, asked) if asked else {}
        missing = [match for match, revision in revisions.items() if _is_older(known.get(match), revision)]
        self._before = {match: known.get(match) for match in matches if match in revisions or match not in asked}
        loaded = store.load(self._connection, missing)
        self._unreadable = set(missing) - set(loaded)
        if self._unreadable:
            store.quarantine(self._connection, list(self._unreadable))
        self._before.update(loaded)
        self._now = {match: hosted for match, hosted in self._before.items() if hosted}

    def dispatch(self, write: Command | Job) -> Any:
        """The answer, or the refusal, as a value: one write never harms its neighbours."""
        if callable(write):
            return write(self._connection)
        if write.match in self._unreadable:
            return unreadable_match()
        try:
            done = execute(self._now.get(write.match), write, self._moment)
        except Exception:
            log.exception("a write failed")
            return unexpected()
        for after in done.matches:
            before = self._now.get(after.id)
            self._changes.log(before, after)
            self._now[after.id] = with_lease(before, after, self._moment.now)
        return done.refusal or done.response

    def close(self, *, notify: bool) -> Changed:
        """Write what has changed; says what that was."""
        changed = []
        for match, after in self._now.items():
            before = self._before.get(match)
            if after is before:
                continue
            hosted = after._replace(revision=after.revision + 1)
            self._changes.add(before, hosted, self._moment.outages)
            changed.append((before, hosted))
        tell = [f"{hosted.id}:{hosted.match.version}" for _, hosted in changed] if notify else ()
        self._changes.write(self._connection, tell)
        return changed


def _is_older(known: HostedMatch | None, revision: int) -> bool:
    return known is None or known.revision != revision
