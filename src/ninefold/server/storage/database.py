"""One database: SQLite in the data folder by default, or PostgreSQL. How it is opened, and who may open it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool, QueuePool

from ninefold.core.errors import NotAllowed, Unreadable, quoted

FILE = "matches.db"
LOCK = "server.lock"
CLOSING_S = 5.0


class Database:
    """``writer`` makes the one connection that writes; ``reading()`` gives one that only reads."""

    def __init__(self, data: Path, url: str | None = None) -> None:
        self._readers = 0
        self._left = threading.Condition()
        self.is_postgres = url is not None
        if url is None:
            self._made = {path for path in (data, data / FILE) if not path.exists()}
            _make_folder(data)
            self._lock: int | None = _lock(data / LOCK)
            try:
                _make_file(data / FILE)
            except OSError:
                os.close(self._lock)
                raise
            self.writer = _sqlite(data / FILE, readonly=False)
            self.reader = _sqlite(data / FILE, readonly=True)
        else:
            self._lock, self._made = None, set()
            self.url = _psycopg(url)
            self.writer = create_engine(self.url, poolclass=NullPool, isolation_level="READ COMMITTED")
            # A match is read with several statements, and has to be the same match in all of them.
            self.reader = create_engine(
                self.url, pool_size=4, max_overflow=4, pool_pre_ping=True, isolation_level="REPEATABLE READ"
            )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._left:
            self._readers += 1
        try:
            with self.reader.connect() as connection:
                yield connection
        finally:
            with self._left:
                self._readers -= 1
                self._left.notify_all()

    def discard(self, data: Path) -> None:
        """Remove the file and the folder, if they were made here. Who comes before that is told that we are there."""
        self.writer.dispose()
        self.reader.dispose()
        if data / FILE in self._made:
            for ending in ("", "-wal", "-shm"):
                (data / f"{FILE}{ending}").unlink(missing_ok=True)
        if data in self._made:
            with contextlib.suppress(OSError):  # what others put there stays; so does what Windows holds
                (data / LOCK).unlink()
                data.rmdir()

    def close(self) -> None:
        """Wait for those who still read, but not for ever."""
        with self._left:
            self._left.wait_for(lambda: not self._readers, CLOSING_S)
        self.writer.dispose()
        self.reader.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@contextlib.contextmanager
def snapshot(data: Path, url: str | None = None) -> Iterator[Connection]:
    """All of a database as it is at one moment, to be read. A server may go on using it: nobody is locked out."""
    if url is None and not (data / FILE).is_file():
        raise NotAllowed("no_database.folder", folder=quoted(str(data), 100))
    engine = (
        _sqlite(data / FILE, readonly=True)
        if url is None
        else create_engine(_psycopg(url), poolclass=NullPool, isolation_level="REPEATABLE READ")
    )
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def unusable(error: str, data: Path | None = None) -> NotAllowed:
    """The refusal of a database that answers with an error; ``data`` is the folder of SQLite's file."""
    words = " ".join(error.split()).rstrip(".")
    if data is None:
        return NotAllowed("no_database", error=words)
    return NotAllowed("no_database.file", file=quoted(str(data / FILE), 100), error=words)


def _psycopg(url: str) -> str:
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+psycopg://" + url.removeprefix(prefix)
    raise Unreadable("no_such_database", url=quoted(url.partition("@")[2] or url, 60))


def _sqlite(file: Path, *, readonly: bool) -> Engine:
    url = URL.create("sqlite", database=str(file))  # in a plain text a ? would end the name of the file
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=4, connect_args={"check_same_thread": False, "timeout": 30}
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        for pragma in ("journal_mode=WAL", "synchronous=FULL", *(("query_only=ON",) if readonly else ())):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(error.errno, "it is a file, not a folder", str(data)) from None


def _make_file(file: Path) -> None:
    """The server's key is in there: only its owner may read it. What SQLite puts beside it is as the file is."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _lock(file: Path) -> int:
    """SQLite has one writing process: a second one is told so."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise NotAllowed("database_in_use", folder=quoted(str(file.parent), 100)) from None
    return handle
