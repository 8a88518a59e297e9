"""The simulated disk: a SQLite database in memory, of which a crash leaves what was committed last.

The server's SQL runs unchanged. A connection has an image of the database of its own, which a transaction
replaces when it begins: readers have a snapshot, as in WAL mode, and there is one writer at a time.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from ninefold.server.storage.database import Database
from tests.support.simulation.world import World

if TYPE_CHECKING:
    from tests.support.simulation.process import Process

LOCK_SECONDS = 30.0  # in which a writer waits for another


class DiskFaults:
    """Chances of faults at each statement or commit, and whether the disk is away altogether."""

    def __init__(self) -> None:
        self.is_away = False
        self.statement = 0.0  # fails
        self.before_commit = 0.0  # it fails and has no effect
        self.after_commit = 0.0  # it fails and has had its effect
        self.slow = 0.0  # takes seconds
        self.slow_read = 0.0  # a statement that reads takes a part of a second


class Disk:
    """``on_commit`` is called with every committed state, ``on_failure`` with a process whose write failed."""

    def __init__(self, world: World, image: bytes) -> None:
        self.world, self.image = world, image
        self.faults = DiskFaults()
        self.revision = 0  # of the image
        self.holder: SimulatedConnection | None = None  # who writes
        self._opened: list[SimulatedConnection] = []
        self.on_commit: Callable[[SimulatedConnection], None] = lambda _: None
        self.on_failure: Callable[[Process], None] = lambda _: None
        self.on_notify: Callable[[str], None] = lambda _: None

    def connect(self, process: Process) -> SimulatedConnection:
        connection = SimulatedConnection(":memory:", isolation_level=None)
        connection.disk, connection.process = self, process
        self._opened.append(connection)
        connection.create_function("pg_notify", 2, lambda _, payload: connection.notifications.append(payload))
        connection.create_function("wall_ms", 0, lambda: self.world.wall_ms + round(self.world.time * 1000))
        return connection

    def close(self) -> None:
        """Free what the connections of dead processes hold; neither SQLite nor SQLAlchemy would let go of it."""
        for connection in self._opened:
            connection.free()
        self._opened.clear()

    def pause(self, *, reads: bool = False) -> None:
        """Let others go on; where the disk is slow, for a while."""
        thread, chance, uniform = self.world.thread, self.world.chance, self.world.random.uniform
        if thread and self.faults.slow and chance(self.faults.slow):
            self.world.log("slow disk", thread.name)
            thread.pause(uniform(0.05, 9.0))
        elif thread and reads and self.faults.slow_read and chance(self.faults.slow_read):
            thread.pause(uniform(0.0, 0.5))
        else:
            self.world.point()

    def lock(self, connection: SimulatedConnection) -> None:
        """Wait for the right to write."""
        thread, until = self.world.thread, self.world.time + LOCK_SECONDS
        assert thread, "the database is not used on an event loop"
        while self.holder:
            if self.world.time >= until:
                raise sqlite3.OperationalError("database is locked")
            thread.pause(0.01)
        self.holder = connection

    def unlock(self, connection: SimulatedConnection) -> None:
        if self.holder is connection:
            self.holder = None


class SimulatedCursor(sqlite3.Cursor):
    connection: SimulatedConnection

    def execute(self, sql: str, parameters: Any = (), /) -> SimulatedCursor:
        if sql == "COMMIT":
            self.connection.commit()
            return self
        if "clock_timestamp()" in sql:  # what workers ask PostgreSQL
            sql = "SELECT wall_ms()"
        self.connection.before(sql)
        super().execute(sql, parameters)
        return self

    def executemany(self, sql: str, parameters: Any, /) -> SimulatedCursor:
        self.connection.before(sql)
        if sql.startswith("SELECT"):  # notifications: only PostgreSQL takes several at once
            for one in parameters:
                super().execute(sql, one).fetchall()
        else:
            super().executemany(sql, parameters)
        return self


class SimulatedConnection(sqlite3.Connection):
    disk: Disk
    process: Process

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.began_at = 0.0
        self.clock_late = 0.0  # milliseconds of the process's clock against the real time, when it began to write
        self.notifications: list[str] = []
        self._revision = -1
        self.is_writing = False
        self.is_freed = False

    def free(self) -> None:
        """Close it, and hold nothing any more; SQLAlchemy may still roll it back and close it."""
        self.close()
        vars(self).clear()
        self.is_freed = True

    def cursor(self, *_: Any) -> Any:
        return super().cursor(SimulatedCursor)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        """The rows of a query of the simulation itself."""
        return super().cursor(sqlite3.Cursor).execute(sql, parameters).fetchall()

    def before(self, sql: str) -> None:
        """What happens before a statement."""
        disk = self.disk
        if self.process.is_dead:
            raise sqlite3.OperationalError("this process is dead")
        disk.pause(reads=not self.is_writing)
        if sql.startswith("BEGIN"):
            if sql == "BEGIN IMMEDIATE":
                disk.lock(self)
                self.is_writing = True
                # Now, and not at the commit: whoever waits for the clock there can die before the model has seen it.
                self.clock_late = self.process.now() - disk.world.time * 1000
            self._load()
            self.began_at = disk.world.time
        faults = disk.faults
        if faults.is_away or (faults.statement and disk.world.chance(faults.statement)):
            self._fail("disk I/O error")

    def _load(self) -> None:
        if self._revision != self.disk.revision:
            self.deserialize(self.disk.image)
            self._revision = self.disk.revision

    def _fail(self, error: str) -> None:
        self.disk.world.log("disk fails", self.process.name, error)
        if self.is_writing:
            self.disk.on_failure(self.process)
        raise sqlite3.OperationalError(error)

    def commit(self) -> None:
        if not self.in_transaction or not self.is_writing:
            super().commit()
            return
        disk, chance = self.disk, self.disk.world.chance
        disk.pause()
        if self.process.is_dead or disk.faults.is_away or chance(disk.faults.before_commit):
            self._fail("database or disk is full")
        super().commit()
        disk.image, disk.revision = self.serialize(), disk.revision + 1
        self._revision = disk.revision
        disk.on_commit(self)
        self._end()
        for payload in self.notifications:
            disk.on_notify(payload)
        self.notifications.clear()
        if thread := disk.world.thread:
            thread.pause()  # always: between the commit and the responses the process may die
        if chance(disk.faults.after_commit):
            self._fail("disk I/O error after the commit")

    def rollback(self) -> None:
        if self.is_freed:
            return
        super().rollback()
        self._revision = -1 if self.is_writing else self._revision
        self._end()

    def close(self) -> None:
        if not self.is_freed:
            self._end()
            super().close()

    def _end(self) -> None:
        self.is_writing = False
        self.disk.unlock(self)


class _EngineSlot:
    """An engine that is used in one seed after the other: compiling its statements takes long."""

    def __init__(self, begin: str) -> None:
        self.connect: Callable[[], sqlite3.Connection] = lambda: sqlite3.connect(":memory:")
        self.engine: Engine = create_engine("sqlite://", creator=lambda: self.connect(), poolclass=NullPool)
        self.engine.connect().close()  # what the first connection asks, it asks once
        self.begin = begin
        event.listen(self.engine, "begin", self._begin)

    def _begin(self, connection: Connection) -> None:
        connection.exec_driver_sql(self.begin)


_SLOTS: dict[str, list[_EngineSlot]] = {"BEGIN": [], "BEGIN IMMEDIATE": []}


class SimulatedDatabase(Database):
    """The database of a process. With ``is_shared``, several workers share it as they share PostgreSQL."""

    def __init__(self, process: Process, *, is_shared: bool) -> None:
        from tests.support.simulation.threads import SimulatedCondition

        self._readers = 0
        self._reader_done = SimulatedCondition(process.world)  # type: ignore[assignment]
        self._lock, self._made = None, set[Path]()
        self._call_seconds = 5.0
        self._calls: dict[object, float] = {}
        self._connections = weakref.WeakSet()  # that could be cut
        self.is_postgres = is_shared
        self.url = "simulated"
        self._slots = {begin: _SLOTS[begin].pop() if _SLOTS[begin] else _EngineSlot(begin) for begin in _SLOTS}
        for slot in self._slots.values():
            slot.connect = lambda: process.disk.connect(process)
        self.reader, self.writer = (self._slots[begin].engine for begin in ("BEGIN", "BEGIN IMMEDIATE"))

    def check_files(self) -> None:
        """Nobody deletes them here."""

    def release(self) -> None:
        """Give the engines to the next process. The connections of this one are dead."""
        for begin, slot in self._slots.items():
            _SLOTS[begin].append(slot)
        self._slots = {}


def empty_image() -> bytes:
    """An empty database with small pages, which are copied often."""
    with sqlite3.connect(":memory:", isolation_level=None) as connection:
        connection.execute("PRAGMA page_size=1024")
        connection.execute("VACUUM")
        image = connection.serialize()
    connection.close()
    return image
