"""The writer: one thread that executes queued commands in batches. Each batch is one transaction; with PostgreSQL its
tasks and its commands are one each.

After the commit the responses and the matches that have changed are handed over together: one wake-up of the event loop
for a batch. With SQLite, if the next batch is there already, that is done just before its commit: the event loop sends
the responses while the disk is waited for. SQLite's log is written back to the file between batches, when nobody waits.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ninefold.server.hosting.commands import Command, HandlerContext
from ninefold.server.hosting.errors import unavailable, unexpected
from ninefold.server.storage import store
from ninefold.server.storage.database import (
    Database,
    changed_rows,
    checkpoint,
    driver_message,
    is_away,
    is_contended,
    is_too_slow,
)
from ninefold.server.storage.reader import MatchCache
from ninefold.server.storage.transaction import BatchChange, Transaction

if TYPE_CHECKING:
    import asyncio

LARGEST_BATCH = 256
CHECKPOINT = 2_000  # rows (a move is two) after which SQLite's log is written back once nobody waits
LATE_CHECKPOINT = 20_000  # or whoever waits
MOST_SLOW = 2  # writes of a batch for which the database takes too long; the others are not tried then

log: logging.Logger = logging.getLogger(__name__)

TraceBatch = Callable[[int], AbstractContextManager[object]]  # called with the size of a batch
DatabaseTask = Callable[[Connection], object]  # other SQL that runs in the same thread and transaction


class PendingResponse:
    """The response to a command, for whoever is called with it: at once, not in the next turn of the event loop."""

    __slots__ = ("_error", "_on_response", "_result", "is_done")

    def __init__(self, on_response: Callable[[PendingResponse], object]) -> None:
        self._on_response = on_response
        self._result: Any = None
        self._error: BaseException | None = None
        self.is_done: bool = False

    def done(self) -> bool:
        return self.is_done

    def set_result(self, result: Any) -> None:
        self._result = result
        self._respond()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._respond()

    def _respond(self) -> None:
        self.is_done = True
        try:
            self._on_response(self)
        except Exception:  # others of the batch are waiting
            log.exception("response not passed on")

    @property
    def error(self) -> BaseException | None:
        return self._error

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result


class QueuedWrite(NamedTuple):
    write: Command | DatabaseTask
    future: asyncio.Future[Any] | PendingResponse | None  # of whoever waits for the response


class WrittenBatch(NamedTuple):
    """The responses to the writes of a batch, in their order, and the matches that have changed."""

    writes: list[QueuedWrite]
    responses: list[Any]  # an exception is one too
    changes: list[BatchChange]

    def respond(self) -> None:
        """Respond to those who wait. Call it on their event loop."""
        for (_, future), response in zip(self.writes, self.responses, strict=True):
            if future is None or future.done():
                continue  # nobody waits any more; what was written stays written
            if isinstance(response, BaseException):
                # The frames of its traceback refer to this response: only a full garbage collection would free both.
                future.set_exception(response.with_traceback(None))
            else:
                future.set_result(response)


class Writer:
    """``on_batch`` is called after the commit of every batch, or after its failure, from the writer's thread.

    ``on_begin`` runs first in every transaction; it is told whether the database was away before it.
    """

    def __init__(
        self,
        database: Database,
        cache: MatchCache,
        context: Callable[[], HandlerContext],
        on_batch: Callable[[WrittenBatch], None],
        on_begin: Callable[[Connection, bool], object],
        trace: TraceBatch = nullcontext,
    ) -> None:
        self._database = database
        self._cache = cache
        self._context = context
        self._on_batch = on_batch
        self._on_begin = on_begin
        self._trace = trace
        self.is_disconnected: bool = False  # True if the database was away at the last transaction
        self._committed_at = time.monotonic()
        self._queue: SimpleQueue[QueuedWrite | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._checkpointed = 0  # the rows that the connection had changed at its last checkpoint
        self._committed: WrittenBatch | None = None  # which is not handed over yet
        self._thread = threading.Thread(target=self._run, name="ninefold-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> None:
        """Finish the queue, then end; ``is_running`` until then."""
        self._queue.put(None)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def seconds_since_commit(self) -> float:
        return time.monotonic() - self._committed_at

    def submit(
        self, write: Command | DatabaseTask, future: asyncio.Future[Any] | PendingResponse | None = None
    ) -> None:
        """Queue a write. ``WrittenBatch.respond`` sets the result of the future."""
        self._queue.put(QueuedWrite(write, future))

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
            try:
                self._process_parts(self._transactions(batch))
            except Exception:  # whatever it is: the writer goes on, and nobody waits for ever
                log.exception("batch failed")
                self._hand_over()
                self._cache.drop()
                self._close()
                self._on_batch(WrittenBatch(batch, [unexpected() for _ in batch], []))
            if last:
                break
        self._hand_over()
        if self._connection:
            self._connection.close()

    def _transactions(self, batch: list[QueuedWrite]) -> list[list[QueuedWrite]]:
        """The writes of a batch by transactions. Workers that share a database would wait for each other if one held a
        profile by a task and waited for a match, and another held the match and waited for the profile."""
        if not self._database.is_postgres:
            return [batch]
        parts = (
            [queued for queued in batch if callable(queued.write)],
            [queued for queued in batch if not callable(queued.write)],
        )
        return [part for part in parts if part]

    def _process_parts(self, parts: list[list[QueuedWrite]]) -> None:
        for number, part in enumerate(parts, 1):
            with self._trace(len(part)):
                error = self._process(part)
            if error and is_away(error):  # the others would wait as long
                for other in parts[number:]:
                    self._refuse(other)
                break

    def _process(self, batch: list[QueuedWrite]) -> Exception | None:
        """Execute a batch, and respond. Returns why not all of it was executed, or not all at once."""
        if any(callable(queued.write) for queued in batch):
            self._hand_over()  # such a task may take its time
        try:
            responses, changes = self._write(batch)
        except Exception as error:
            self._hand_over()
            if is_away(error):
                self._lose_connection(error)
                self._refuse(batch)
            elif len(batch) > 1:
                return self._process_singly(batch) or error
            else:
                self._fail(batch[0], error)
            return error
        for _, after in changes:
            self._cache.put(after)
        if changed := _changed_by(responses):
            self._cache.drop(changed)  # only now no reader finds them as they were
        self._committed = WrittenBatch(batch, responses, changes)
        if self._database.is_postgres or self._queue.empty():
            self._hand_over()
        self._checkpoint()
        return None

    def _hand_over(self) -> None:
        """Let the event loop respond to the batch that was committed last, if that has not been done."""
        if committed := self._committed:
            self._committed = None
            self._on_batch(committed)

    def _checkpoint(self) -> None:
        """Write SQLite's log back if it has grown enough."""
        if self._connection is None or self._database.is_postgres:
            return
        changed = changed_rows(self._connection)
        if changed - self._checkpointed >= (CHECKPOINT if self._queue.empty() else LATE_CHECKPOINT):
            self._checkpointed = changed
            self._hand_over()
            with self._database.call():
                checkpoint(self._connection)

    def _process_singly(self, batch: list[QueuedWrite]) -> Exception | None:
        """Something is wrong with one write of a batch that was rolled back: the others are to be executed. Returns why
        the last of them were refused, if they were."""
        contended: set[str | None] = set()  # matches that are waited for once
        slow = 0
        for index, queued in enumerate(batch):
            match = None if callable(queued.write) else queued.write.match
            if match and match in contended:
                self._refuse([queued])
                continue
            error = self._process([queued])
            if error is None:
                continue
            if is_contended(error):
                contended.add(match)
            slow += is_too_slow(error)
            if is_away(error) or slow == MOST_SLOW:  # every other write would wait as long
                self._refuse(batch[index + 1 :])
                return error
        return None

    def _refuse(self, batch: list[QueuedWrite]) -> None:
        self._on_batch(WrittenBatch(batch, [unavailable() for _ in batch], []))

    def _write(self, batch: list[QueuedWrite]) -> tuple[list[Any], list[BatchChange]]:
        try:
            return self._in_transaction(batch)
        except IntegrityError:
            # Another worker has created the same match at the same time. Now its commit is visible.
            return self._in_transaction(batch)

    def _fail(self, queued: QueuedWrite, error: Exception) -> None:
        """One write cannot be executed, for a reason of its own."""
        facts = {"error": driver_message(error)} if isinstance(error, DBAPIError) else {}
        log.error("write failed", exc_info=error, extra={"facts": facts})
        if not callable(queued.write):
            self._cache.drop([queued.write.match])
        self._close()  # in whatever state it is
        response = unavailable() if is_contended(error) or is_too_slow(error) else unexpected()
        self._on_batch(WrittenBatch([queued], [response], []))

    def _lose_connection(self, error: Exception) -> None:
        """Nobody knows whether the batch was committed; a repeated request will find out."""
        if isinstance(error, DBAPIError):
            facts = {"error": type(error.orig).__name__, "message": driver_message(error)}
            log.warning("batch refused by the database", extra={"facts": facts})
        self.is_disconnected = True
        self._cache.drop()
        self._close()

    def _close(self) -> None:
        if self._connection:
            connection, self._connection = self._connection, None
            try:
                connection.invalidate()
                connection.close()
            except DBAPIError:
                pass

    def _in_transaction(self, batch: list[QueuedWrite]) -> tuple[list[Any], list[BatchChange]]:
        with self._database.call():
            return self._transact(batch)

    def _transact(self, batch: list[QueuedWrite]) -> tuple[list[Any], list[BatchChange]]:
        self._database.check_files()
        if self._connection is None:
            self._connection = self._database.writer.connect()
            self._checkpointed = 0 if self._database.is_postgres else changed_rows(self._connection)
        connection, is_postgres = self._connection, self._database.is_postgres
        with connection.begin():
            self._on_begin(connection, self.is_disconnected)
            transaction = Transaction(connection, self._cache, self._context())
            # Tasks come first: they may change or delete matches, which must not be loaded before.
            done = {index: write(connection) for index, (write, _) in enumerate(batch) if callable(write)}
            commands = [queued.write for queued in batch if not callable(queued.write)]
            transaction.load(commands, _changed_by(done.values()), trust_cache=not is_postgres)
            responses = [
                done[index] if callable(write) else transaction.execute(write) for index, (write, _) in enumerate(batch)
            ]
            changes = transaction.save(notify=is_postgres)
            self._hand_over()  # now the disk is waited for
        self._database.check_files()  # nothing is acknowledged that went into a file that is no longer there
        self.is_disconnected = False
        self._committed_at = time.monotonic()
        return responses, changes


def _changed_by(responses: Iterable[object]) -> list[str]:
    """The matches that the tasks of a batch have changed or deleted."""
    return [match for response in responses if isinstance(response, store.ChangedMatches) for match in response]
