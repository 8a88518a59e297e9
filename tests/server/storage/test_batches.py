"""The writer: one transaction and one wake-up for a batch, and SQLite's log written back between batches."""

from __future__ import annotations

import itertools
import queue
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, event, text

from ninefold.server.hosting.commands import HandlerContext, Lease
from ninefold.server.storage import writer as module
from ninefold.server.storage.database import FILE, Database
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.reader import MatchCache
from ninefold.server.storage.transaction import Transaction
from ninefold.server.storage.writer import DatabaseTask, Writer, WrittenBatch
from tests.support.hosted_matches import opened
from tests.support.postgres import Postgres
from tests.support.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    import pytest


@contextmanager
def writing(database: Database, batches: queue.SimpleQueue[WrittenBatch]) -> Iterator[Writer]:
    writer = Writer(database, MatchCache(10), lambda: HandlerContext(0), batches.put, lambda *_: None)
    writer.start()
    try:
        yield writer
    finally:
        writer.finish()
        wait_until(lambda: not writer.is_running)


def test_everything_that_waits_becomes_one_batch_with_one_wake_up(tmp_path: Path) -> None:
    batches: queue.SimpleQueue[WrittenBatch] = queue.SimpleQueue()
    begun, go_on = threading.Event(), threading.Event()

    def block(_: Connection) -> bool:
        begun.set()
        return go_on.wait(PATIENCE)

    with opened(tmp_path, None) as database, writing(database, batches) as writer:
        writer.submit(block)
        assert begun.wait(PATIENCE)
        for number in range(5):
            writer.submit(partial(_respond, number))
        go_on.set()
        first, second = (batches.get(timeout=PATIENCE) for _ in range(2))
    assert (first.responses, second.responses) == ([True], [0, 1, 2, 3, 4])
    assert batches.empty()


def _respond(number: int, _: Connection) -> int:
    return number


class Recorder:
    """Records what a writer of small batches does. All writes are queued before it starts."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch, largest_batch: int = 1) -> None:
        monkeypatch.setattr(module, "LARGEST_BATCH", largest_batch)
        with database.writer.begin() as connection:
            migrate(connection)
        self.steps: list[str] = []
        self.batches: list[WrittenBatch] = []
        event.listen(database.writer, "commit", lambda _: self.steps.append("commit"))
        self._writer = Writer(database, MatchCache(10), lambda: HandlerContext(0), self._on_batch, self._on_begin)

    def _on_batch(self, batch: WrittenBatch) -> None:
        self.steps.append("hand over")
        self.batches.append(batch)

    def _on_begin(self, _: Connection, __: bool) -> None:
        self.steps.append("begin")

    def write(self, *writes: Lease | DatabaseTask, after_the_end: Sequence[Lease] = ()) -> list[str]:
        for write in writes:
            self._writer.submit(write)
        self._writer.finish()
        for write in after_the_end:
            self._writer.submit(write)
        self._writer.start()
        wait_until(lambda: not self._writer.is_running)
        return self.steps


LEASE = Lease("0" * 16)  # of a match that is not there
AT_ONCE = ["begin", "commit", "hand over"]


def test_a_batch_is_handed_over_just_before_the_commit_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, None) as database:
        recorder = Recorder(database, monkeypatch)
        steps = recorder.write(LEASE, LEASE, LEASE)
    assert steps == ["begin", "commit", *["begin", "hand over", "commit"] * 2, "hand over"]
    assert [refusal.reason for batch in recorder.batches for refusal in batch.responses] == ["no_such_match"] * 3


def test_a_batch_is_handed_over_before_a_task_that_may_take_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, None) as database:
        assert Recorder(database, monkeypatch).write(LEASE, partial(_respond, 1)) == AT_ONCE * 2


def test_a_batch_is_handed_over_although_the_next_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path, None) as database:
        recorder = Recorder(database, monkeypatch)
        with monkeypatch.context() as planted:
            planted.setattr(Transaction, "load", _fail_in_the_second(Transaction.load))
            recorder.write(LEASE, LEASE)
    first, second = (response.reason for batch in recorder.batches for response in batch.responses)
    assert (first, second) == ("no_such_match", "unexpected")


def _fail_in_the_second(load: Callable[..., None]) -> Callable[..., None]:
    calls = itertools.count()

    def fail(*arguments: Any, **options: Any) -> None:
        if next(calls):
            raise ZeroDivisionError
        load(*arguments, **options)

    return fail


def test_the_last_batch_is_handed_over_also_if_something_comes_after_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, None) as database:
        assert Recorder(database, monkeypatch, largest_batch=2).write(LEASE, after_the_end=[LEASE]) == AT_ONCE


def test_postgresql_hands_a_batch_over_at_once(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, postgres.new_database()) as database:
        assert Recorder(database, monkeypatch).write(LEASE, LEASE) == AT_ONCE * 2


def insert(connection: Connection) -> None:
    connection.execute(text("INSERT INTO numbers VALUES (1)"))


def insert_three(connection: Connection) -> None:
    connection.execute(text("INSERT INTO numbers VALUES (1), (2), (3)"))


def write_back_after(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the next write is queued before the writer looks whether anybody waits."""
    monkeypatch.setattr(module, "CHECKPOINT", rows)
    monkeypatch.setattr(module, "LATE_CHECKPOINT", rows)


def test_the_log_is_written_back_between_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_back_after(3, monkeypatch)
    batches: queue.SimpleQueue[WrittenBatch] = queue.SimpleQueue()
    stored = []
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            connection.execute(text("CREATE TABLE numbers (number INTEGER)"))
        with writing(database, batches) as writer:
            for number in range(4):
                writer.submit(insert)
                batches.get(timeout=PATIENCE)
                if number in (1, 3):  # the fourth begins after the checkpoint that follows the third
                    shutil.copy(tmp_path / FILE, tmp_path / "alone.db")
                    stored.append(rows(tmp_path / "alone.db"))
    assert stored == [None, 3]


def test_the_log_is_written_back_after_one_write_of_many_rows_and_stays_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_back_after(3, monkeypatch)
    batches: queue.SimpleQueue[WrittenBatch] = queue.SimpleQueue()
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            connection.execute(text("CREATE TABLE numbers (number INTEGER)"))
            assert connection.execute(text("PRAGMA journal_size_limit")).scalar() == 64 * 2**20
        with writing(database, batches) as writer:
            for write in (insert_three, insert):  # the second begins after the checkpoint
                writer.submit(write)
                batches.get(timeout=PATIENCE)
            shutil.copy(tmp_path / FILE, tmp_path / "alone.db")
            assert rows(tmp_path / "alone.db") == 3


def rows(file: Path) -> int | None:
    """How many rows are in a file without its log; None if not even the table is."""
    with sqlite3.connect(file) as connection:
        try:
            found: tuple[int] = connection.execute("SELECT count(*) FROM numbers").fetchone()
        except sqlite3.OperationalError:
            return None
    return found[0]
