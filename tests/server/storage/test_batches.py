"""The writer: one transaction and one wake-up for a batch, and SQLite's log written back between batches."""

from __future__ import annotations

import queue
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from ninefold.server.hosting.commands import HandlerContext
from ninefold.server.storage import writer as module
from ninefold.server.storage.database import FILE, Database
from ninefold.server.storage.reader import MatchCache
from ninefold.server.storage.writer import Writer, WrittenBatch
from tests.support.hosted_matches import opened
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
