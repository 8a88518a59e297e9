"""The database: SQLite in the data folder by default, or PostgreSQL. Opening, locking and closing it."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool, QueuePool

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.file_lock import try_lock

FILE = "matches.db"
LOCK = "server.lock"
WRITER_CACHE_KIB = 32 * 1024  # of pages that need not be read again to change them
LOG_BYTES = 64 * 2**20  # to which SQLite's log is cut after it was written back
CALL_SECONDS = 5.0  # in which the database has to answer
PAIRING_LOCK = 9_018  # the number of PostgreSQL's advisory lock
LOCK_SECONDS = 2.0  # in which a lock has to be had: one match may be locked by somebody else's transaction

# States of PostgreSQL's errors (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_OF_ONE_MATCH = ("40001", "40P01", "55P03")  # serialization failure, deadlock, lock timeout
_TOO_SLOW = "57014"  # statement timeout
_READ_ONLY = "25006"  # as a standby


class Database:
    """``writer`` makes the one connection that writes; ``reading()`` is a connection that only reads.

    Every call is limited to ``call_seconds``: by PostgreSQL itself, and where PostgreSQL hangs by ``cut_hanging``.
    """

    def __init__(self, data: Path, url: str | None = None, call_seconds: float = CALL_SECONDS) -> None:
        self._call_seconds = call_seconds
        self._readers = 0
        self._reader_done = threading.Condition()
        self._calls: dict[object, float] = {}  # since when they run
        self._connections: weakref.WeakSet[Any] = weakref.WeakSet()  # of the driver of PostgreSQL
        self._files: dict[Path, tuple[int, int] | None] = {}  # of SQLite, as they were opened
        self.is_postgres: bool = url is not None
        if url is None:
            self._made = {path for path in (data, data / FILE) if not path.exists()}
            _make_folder(data)
            self._lock: int | None = _lock(data / LOCK)
            try:
                _make_file(data / FILE)
            except OSError:
                os.close(self._lock)
                raise
            self._wal = data / f"{FILE}-wal"
            self._files[data / FILE] = _identity(data / FILE)
            self.writer: Engine = _sqlite(data / FILE, readonly=False, seconds=call_seconds)
            self.reader: Engine = _sqlite(data / FILE, readonly=True, seconds=call_seconds)
        else:
            self._lock, self._made = None, set()
            self.url = url
            address = _with_time_limits(_psycopg(url), call_seconds)
            self.writer = create_engine(address, poolclass=NullPool, isolation_level="READ COMMITTED")
            # A match is read with several statements, which must see the same state of it.
            self.reader = create_engine(
                address,
                pool_size=4,
                max_overflow=4,
                pool_timeout=call_seconds,
                pool_pre_ping=True,
                isolation_level="REPEATABLE READ",
            )
            for engine in (self.writer, self.reader):
                event.listen(engine, "connect", lambda connection, _: self.register(connection))

    def register(self, connection: Any) -> None:
        """A connection of PostgreSQL's driver is one of those that ``cut`` cuts."""
        self._connections.add(connection)

    @contextlib.contextmanager
    def call(self) -> Iterator[None]:
        """A call of the database: it begins now, and has to end in time."""
        this = object()
        self._calls[this] = time.monotonic()
        try:
            yield
        finally:
            del self._calls[this]

    def longest_call(self) -> float:
        """The seconds that the longest of the calls that run now has taken so far."""
        return time.monotonic() - min(self._calls.copy().values(), default=time.monotonic())

    def cut_hanging(self) -> bool:
        """Cut all connections if a call has not ended in time: PostgreSQL itself would have ended it if it ran.

        Returns True if they were cut. The calls fail then.
        """
        is_hanging = self.is_postgres and self.longest_call() > self._call_seconds + 1
        if is_hanging:
            self.cut()
        return is_hanging

    def cut(self) -> None:
        """Cut all connections to PostgreSQL without a word to it: it may not listen."""
        for connection in list(self._connections):
            with (
                contextlib.suppress(Exception),  # closed already
                socket.socket(fileno=os.dup(connection.fileno())) as own,
            ):
                own.shutdown(socket.SHUT_RDWR)

    def check_files(self) -> None:
        """Raise an error if SQLite's files were deleted or replaced: what is written to them would be lost."""
        if self.is_postgres:
            return
        if self._wal not in self._files and self._wal.exists():
            with self.reader.connect():  # stays open in its pool: the last one that is closed deletes the file
                self._files[self._wal] = _identity(self._wal)
        for file, identity in self._files.items():
            if _identity(file) != identity:
                raise OperationalError(None, None, sqlite3.OperationalError(f"{file.name} was deleted or replaced"))

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._reader_done:
            self._readers += 1
        try:
            self.check_files()
            with self.call(), self.reader.connect() as connection:
                yield connection
        finally:
            with self._reader_done:
                self._readers -= 1
                self._reader_done.notify_all()

    @contextlib.contextmanager
    def locked_for_pairing(self) -> Iterator[None]:
        """Hold the lock that only one worker can hold. With SQLite there is one worker."""
        if not self.is_postgres:
            yield
            return
        with self.reading() as connection:
            connection.execute(sql("SELECT pg_advisory_lock(:number)"), {"number": PAIRING_LOCK})
            try:
                yield
            finally:
                connection.execute(sql("SELECT pg_advisory_unlock(:number)"), {"number": PAIRING_LOCK})

    @property
    def is_reading(self) -> bool:
        return self._readers > 0

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


def is_away(error: Exception) -> bool:
    """True if the database was away, and not one write wrong."""
    if not isinstance(error, DBAPIError):
        return False
    if is_contended(error) or is_too_slow(error):
        return False
    state = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or isinstance(error, OperationalError) or state == _READ_ONLY


def is_contended(error: Exception) -> bool:
    """True if another transaction holds a match."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _OF_ONE_MATCH


def is_too_slow(error: Exception) -> bool:
    """True if PostgreSQL has ended a statement that took too long. It runs, and other statements may be faster."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _TOO_SLOW


def driver_message(error: DBAPIError) -> str:
    """What the driver says, without the values of a statement."""
    diagnostics = getattr(error.orig, "diag", None)
    return " ".join(str(getattr(diagnostics, "message_primary", None) or error.orig).split())


@contextlib.contextmanager
def snapshot(data: Path, url: str | None = None) -> Iterator[Connection]:
    """A consistent state of the whole database, to be read also while a server runs."""
    if url is None and not (data / FILE).is_file():
        raise NotAllowed("no_database.folder", folder=quoted(str(data), 100))
    engine = (
        _sqlite(data / FILE, readonly=True, seconds=30)
        if url is None
        else create_engine(_psycopg(url), poolclass=NullPool, isolation_level="REPEATABLE READ")
    )
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def changed_rows(connection: Connection) -> int:
    """How many rows of SQLite's tables a connection has changed so far."""
    driver: Any = connection.connection.driver_connection
    changed: int = driver.total_changes
    return changed


def checkpoint(connection: Connection) -> None:
    """Write SQLite's log back to its file, between two transactions of the connection that writes.

    Only that connection may do it: two at once can lose pages in SQLite before 3.51.3. Readers are not waited for.
    """
    driver: Any = connection.connection.driver_connection
    with contextlib.suppress(connection.dialect.loaded_dbapi.Error):  # the next one tries again
        driver.execute("PRAGMA wal_checkpoint(PASSIVE)")


@contextlib.contextmanager
def writing_beside_a_server(data: Path) -> Iterator[Engine]:
    """SQLite's file for another process than its server, which must not change what the server caches."""
    engine = _sqlite(data / FILE, readonly=False, seconds=30)
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


def network_limits(seconds: float) -> dict[str, str]:
    """The time that PostgreSQL's driver waits for a connection, and for a network that is dead."""
    return {
        "connect_timeout": str(max(2, round(seconds / 2))),  # libpq takes no less than 2
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
        "tcp_user_timeout": str(round(seconds * 1000)),
    }


def _with_time_limits(url: str, seconds: float) -> str:
    """The URL with time limits, unless it has others: for connecting, for statements, and for a dead network."""
    given = make_url(url)
    limits = network_limits(seconds)
    settings = {
        "statement_timeout": seconds,
        "lock_timeout": min(LOCK_SECONDS, seconds),
        "idle_in_transaction_session_timeout": 2 * seconds,  # a worker that is frozen keeps its locks no longer
    }
    options = " ".join(f"-c {name}={round(value * 1000)}" for name, value in settings.items())
    own = given.query.get("options", "")
    limits["options"] = f"{options} {own if isinstance(own, str) else ' '.join(own)}".strip()  # the last one counts
    query = {**limits, **given.query, "options": limits["options"]}
    base, _, encoded = given.set(query=query).render_as_string(hide_password=False).partition("?")
    return f"{base}?{encoded.replace('+', '%20')}"  # libpq takes + for itself


def _identity(file: Path) -> tuple[int, int] | None:
    """Which file is at a path; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sqlite(file: Path, *, readonly: bool, seconds: float) -> Engine:
    url = URL.create("sqlite", database=str(file))  # in a plain text a ? would end the file name
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=4, connect_args={"check_same_thread": False, "timeout": seconds}
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin explicitly
        # The writer writes the log back between its batches, see ``checkpoint``: no commit has to wait for that.
        own = (
            ("query_only=ON",)
            if readonly
            else (
                "wal_autocheckpoint=0",
                f"cache_size=-{WRITER_CACHE_KIB}",
                f"journal_size_limit={LOG_BYTES}",
            )
        )
        for pragma in ("journal_mode=WAL", "synchronous=FULL", *own):
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
    with contextlib.suppress(OSError):  # a file system without locks
        if try_lock(handle):
            return handle
    os.close(handle)
    raise NotAllowed("database_in_use", folder=quoted(str(file.parent), 100))
