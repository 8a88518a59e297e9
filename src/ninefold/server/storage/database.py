"""The database: SQLite in the data folder by default, or PostgreSQL. Opening, locking and closing it."""

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


class Database:
    """``writer`` makes the one connection that writes; ``reading()`` is a connection that only reads."""

    def __init__(self, data: Path, url: str | None = None) -> None:
        self._readers = 0
        self._reader_done = threading.Condition()
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
            address, self.url = _psycopg(url), url
            self.writer = create_engine(address, poolclass=NullPool, isolation_level="READ COMMITTED")
            # A match is read with several statements, which must see the same state of it.
            self.reader = create_engine(
                address, pool_size=4, max_overflow=4, pool_pre_ping=True, isolation_level="REPEATABLE READ"
            )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._reader_done:
            self._readers += 1
        try:
            with self.reader.connect() as connection:
                yield connection
        finally:
            with self._reader_done:
                self._readers -= 1
                self._reader_done.notify_all()

    def discard(self, data: Path) -> None:
        """Remove the file and the folder if they were made here. The lock is held until then."""
        self.writer.dispose()
        self.reader.dispose()
        if data / FILE in self._made:
            for ending in ("", "-wal", "-shm"):
                (data / f"{FILE}{ending}").unlink(missing_ok=True)
        if data in self._made:
            with contextlib.suppress(OSError):  # other files stay, and files that Windows holds open
                (data / LOCK).unlink()
                data.rmdir()

    def close(self, patience: float = 5.0) -> None:
        """Close the database when its readers are done, or after some seconds."""
        with self._reader_done:
            self._reader_done.wait_for(lambda: not self._readers, patience)
        self.writer.dispose()
        self.reader.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@contextlib.contextmanager
def snapshot(data: Path, url: str | None = None) -> Iterator[Connection]:
    """A consistent state of the whole database, to be read also while a server runs."""
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


@contextlib.contextmanager
def writing_beside_a_server(data: Path) -> Iterator[Engine]:
    """SQLite's file for another process than its server, which must not change what the server caches."""
    engine = _sqlite(data / FILE, readonly=False)
    try:
        yield engine
    finally:
        engine.dispose()


def unusable(error: str, data: Path | None = None) -> NotAllowed:
    """The refusal of a database that fails; ``data`` is the folder of SQLite's file."""
    words = " ".join(error.split()).rstrip(".")
    if data is None:
        return NotAllowed("no_database", error=words)
    return NotAllowed("no_database.file", file=quoted(str(data / FILE), 100), error=words)


def _psycopg(url: str) -> str:
    """The address of a database for SQLAlchemy, which writes several hosts in another way than PostgreSQL does."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+psycopg://" + _with_listed_hosts(url.removeprefix(prefix))
    raise Unreadable("no_such_database", url=quoted(url.partition("@")[2] or url, 60))


def _with_listed_hosts(rest: str) -> str:
    """``a:1,b:2/name`` as ``/name?host=a:1&host=b:2``."""
    place, _, query = rest.partition("?")
    user, at, address = place.rpartition("@")
    hosts, slash, name = address.partition("/")
    if "," not in hosts:
        return rest
    return f"{user}{at}{slash}{name}?{'&'.join([f'host={host}' for host in hosts.split(',')] + [query] * bool(query))}"


def _sqlite(file: Path, *, readonly: bool) -> Engine:
    url = URL.create("sqlite", database=str(file))  # in a plain text a ? would end the file name
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=4, connect_args={"check_same_thread": False, "timeout": 30}
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin explicitly
        for pragma in ("journal_mode=WAL", "synchronous=FULL", *(("query_only=ON",) if readonly else ())):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotAllowed("no_folder.file", folder=quoted(str(data), 100)) from None


def _make_file(file: Path) -> None:
    """Only the owner may read the file: it holds the server's key. SQLite's other files get the same rights."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _lock(file: Path) -> int:
    """Lock the folder: SQLite has one writing process, and a second one is refused."""
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
