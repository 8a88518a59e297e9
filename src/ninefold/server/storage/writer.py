"""The writer: one thread that executes queued commands in batches. Each batch is one transaction.

After the commit it responds to every command, and then reports the matches that have changed.
"""

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
from ninefold.server.storage.database import Database
from ninefold.server.storage.reader import MatchCache

LARGEST_BATCH = 256

log = logging.getLogger(__name__)

DatabaseTask = Callable[[Connection], object]  # other SQL that runs in the same thread and transaction
BatchChange = tuple[HostedMatch | None, HostedMatch]  # a match before and after a batch


class QueuedWrite(NamedTuple):
    write: Command | DatabaseTask
    future: Future[Any]

    def respond(self, response: Any) -> None:
        if not self.future.set_running_or_notify_cancel():
            return  # nobody waits any more; what was written stays written
        if isinstance(response, BaseException):
            self.future.set_exception(response)
        else:
            self.future.set_result(response)


class Writer:
    """``on_commit`` is called with the changed matches, after the responses.

    ``on_reconnect`` runs first in the first transaction after the database was unavailable.
    """

    def __init__(
        self,
        database: Database,
        cache: MatchCache,
        context: Callable[[], HandlerContext],
        on_commit: Callable[[list[BatchChange]], None],
        on_reconnect: DatabaseTask,
    ) -> None:
        self._database = database
        self._cache = cache
        self._context = context
        self._on_commit = on_commit
        self._on_reconnect = on_reconnect
        self.is_disconnected = False  # True if the last transaction failed
        self._queue: SimpleQueue[QueuedWrite | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ninefold-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish the queue, then end."""
        self._queue.put(None)
        self._thread.join()

    def submit(self, write: Command | DatabaseTask) -> Future[Any]:
        queued = QueuedWrite(write, Future())
        self._queue.put(queued)
        return queued.future

    def queue_size(self) -> int:
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

    def _process(self, batch: list[QueuedWrite]) -> None:
        try:
            responses, changes = self._write(batch)
        except Exception as error:
            if isinstance(error, DBAPIError):
                log.warning("batch refused by the database", extra={"facts": {"error": type(error.orig).__name__}})
            else:
                log.exception("batch failed")
            self._disconnect()
            for queued in batch:
                queued.respond(unavailable())
            return
        for _, after in changes:
            self._cache.put(after)
        for queued, response in zip(batch, responses, strict=True):
            queued.respond(response)
        if changes:
            self._on_commit(changes)

    def _write(self, batch: list[QueuedWrite]) -> tuple[list[Any], list[BatchChange]]:
        try:
            return self._in_transaction(batch)
        except IntegrityError:
            # Another worker has created the same match at the same time. Now its commit is visible.
            return self._in_transaction(batch)

    def _disconnect(self) -> None:
        """Nobody knows whether the batch was committed; a repeated request will find out."""
        self.is_disconnected = True
        self._cache.drop()
        if self._connection:
            connection, self._connection = self._connection, None
            try:
                connection.invalidate()
                connection.close()
            except DBAPIError:
                pass

    def _in_transaction(self, batch: list[QueuedWrite]) -> tuple[list[Any], list[BatchChange]]:
        if self._connection is None:
            self._connection = self._database.writer.connect()
        connection, is_postgres = self._connection, self._database.is_postgres
        with connection.begin():
            if self.is_disconnected:
                self._on_reconnect(connection)
            transaction = _Transaction(connection, self._cache, self._context())
            matches = dict.fromkeys(queued.write.match for queued in batch if not callable(queued.write))
            transaction.load(matches, trust_cache=not is_postgres)
            responses = [transaction.execute(queued.write) for queued in batch]
            changes = transaction.save(notify=is_postgres)
        self.is_disconnected = False
        return responses, changes


class _Transaction:
    """One transaction: the matches that it has locked, as they were and as they are now."""

    def __init__(self, connection: Connection, cache: MatchCache, context: HandlerContext) -> None:
        self._connection = connection
        self._cache = cache
        self._context = context
        self._before: dict[str, HostedMatch | None] = {}
        self._unreadable: set[str] = set()
        self._now: dict[str, HostedMatch] = {}
        self._change_set = store.ChangeSet()

    def load(self, matches: dict[str, None], *, trust_cache: bool) -> None:
        """Lock and load matches. Where no other process writes, a cached match is current."""
        cached = {match: hosted for match in matches if (hosted := self._cache.get(match))}
        queried = [match for match in matches if not (trust_cache and match in cached)]
        revisions = store.lock(self._connection, queried) if queried else {}
        outdated = [match for match, revision in revisions.items() if _is_outdated(cached.get(match), revision)]
        self._before = {match: cached.get(match) for match in matches if match in revisions or match not in queried}
        loaded = store.load(self._connection, outdated)
        self._unreadable = set(outdated) - set(loaded)
        if self._unreadable:
            store.quarantine(self._connection, list(self._unreadable))
        self._before.update(loaded)
        self._now = {match: hosted for match, hosted in self._before.items() if hosted}

    def execute(self, write: Command | DatabaseTask) -> Any:
        """The response, or the refusal as a value: one command never harms the others of its batch."""
        if callable(write):
            return write(self._connection)
        if write.match in self._unreadable:
            return unreadable_match()
        try:
            result = execute(self._now.get(write.match), write, self._context)
        except Exception:
            log.exception("command failed")
            return unexpected()
        for after in result.matches:
            before = self._now.get(after.id)
            self._change_set.add_events(before, after)
            self._now[after.id] = with_lease(before, after, self._context.now)
        return result.refusal or result.response

    def save(self, *, notify: bool) -> list[BatchChange]:
        """Write the matches that have changed, and return them."""
        changes: list[BatchChange] = []
        for match, after in self._now.items():
            before = self._before.get(match)
            if after is before:
                continue
            hosted = after._replace(revision=after.revision + 1)
            self._change_set.add_match(before, hosted, self._context.outages)
            changes.append((before, hosted))
        notifications = [f"{hosted.id}:{hosted.match.version}" for _, hosted in changes] if notify else ()
        self._change_set.write(self._connection, notifications)
        return changes


def _is_outdated(cached: HostedMatch | None, revision: int) -> bool:
    return cached is None or cached.revision != revision
