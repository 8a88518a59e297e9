"""Backups: all matches of a database in one file, to be restored into an empty one, SQLite or PostgreSQL.

The file is JSON lines: a head, a line for each row of each table, and an end with counts and a checksum of what is
before it. A file without its end is refused.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, inspect
from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.match.files import check_new
from ninefold.match.log import raise_broken_line
from ninefold.server.storage.database import Database, snapshot, unusable
from ninefold.server.storage.migrations import MIGRATIONS, VERSION, check_version, migrate
from ninefold.server.storage.schema import METADATA, PRESENCE

FORMAT = 1
BATCH = 500  # rows
LONGEST = 16 * 1024 * 1024  # bytes of a line
GZIP = b"\x1f\x8b"
TABLES = {table.name: table for table in METADATA.sorted_tables if table is not PRESENCE}
# What backups of older versions have besides: ``migrate`` moves its rows.
_ANSWERS = Table(
    "answers",
    MetaData(),
    Column("match", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("request", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("text", Text, nullable=False),
)
OLDER_TABLES = {_ANSWERS.name: _ANSWERS}

RowCounts = Counter[str]


# Backup


def back_up(file: str, data: Path, url: str | None = None) -> RowCounts:
    """Write a backup into a new file, also while a server runs. Returns the number of rows of each table."""
    check_new(file)
    with _database_errors(data, url), snapshot(data, url) as connection:
        version = check_version(connection)
        with _new_file(file) as target:
            return _write(target, connection, version)


@contextlib.contextmanager
def _new_file(file: str) -> Iterator[BufferedIOBase]:
    """A file that only its owner may read. It gets its name when it is complete."""
    target = Path(file).resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
            with gzip.GzipFile("", "wb", fileobj=raw) if target.suffix == ".gz" else contextlib.nullcontext(raw) as out:
                yield out
            raw.flush()
            os.fsync(raw.fileno())
        draft.replace(target)
    except OSError as error:
        raise NotAllowed("cannot_write", file=quoted(file, 100), why=error.strerror) from None
    finally:
        draft.unlink(missing_ok=True)


def _write(target: BufferedIOBase, connection: Connection, version: int) -> RowCounts:
    checksum, counts = hashlib.sha256(), RowCounts()

    def put(line: object) -> None:
        data = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        checksum.update(data)
        target.write(data)

    put({"ninefold_backup": FORMAT, "schema": version, "at": time.time_ns() // 1_000_000})
    for name, table in TABLES.items():
        rows = connection.execution_options(yield_per=BATCH).execute(table.select().order_by(*table.primary_key))
        for row in rows:
            put({"table": name, "row": dict(row._mapping)})
            counts[name] += 1
    put({"end": dict(counts), "sha256": checksum.hexdigest()})
    return counts


# Restore


def restore_from(file: str, data: Path, url: str | None = None) -> RowCounts:
    """Restore a backup into an empty database: all of it, or nothing. Returns the number of rows of each table."""
    with _opened(file) as source, _database_errors(data, url), _writing(data, url) as connection:
        if set(inspect(connection).get_table_names()) & set(METADATA.tables):
            raise NotAllowed("not_empty")
        return _read(source, connection)


@contextlib.contextmanager
def _writing(data: Path, url: str | None) -> Iterator[Connection]:
    """One transaction, while no server runs. After a failure everything is as it was."""
    with contextlib.closing(_open_exclusively(data, url)) as database:
        try:
            with database.writer.begin() as connection:
                yield connection
        except BaseException:
            database.discard(data)
            raise


def _open_exclusively(data: Path, url: str | None) -> Database:
    try:
        return Database(data, url)
    except OSError as error:
        raise NotAllowed("cannot_write.data", folder=quoted(str(data), 100), why=error.strerror) from None
    except NotAllowed as refusal:
        if refusal.reason != "database_in_use":
            raise
        raise NotAllowed("database_in_use.restore", **refusal.params) from None


def _opened(file: str) -> BufferedIOBase:
    try:
        with Path(file).open("rb") as raw:
            is_packed = raw.read(len(GZIP)) == GZIP
        return gzip.open(file) if is_packed else Path(file).open("rb")
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise Unreadable("no_such_file", file=quoted(file, 100), why=why) from None


def _read(source: BufferedIOBase, connection: Connection) -> RowCounts:
    checksum, counts = hashlib.sha256(), RowCounts()
    batch: list[dict[str, Any]] = []
    batch_table: Table | None = None
    for number, (data, line) in enumerate(_lines(source), 1):
        if number == 1:
            _prepare(line, connection)
        elif "end" in line:
            _insert(connection, batch_table, batch)
            _check_end(line, counts, checksum.hexdigest())
            if _next_line(source):
                raise_broken_line(number + 1, "backup.after_end")
            migrate(connection)
            return counts
        else:
            table, row = _row(number, line)
            if table is not batch_table or len(batch) == BATCH:
                _insert(connection, batch_table, batch)
                batch_table, batch = table, []
            batch.append(row)
            counts[table.name] += 1
        checksum.update(data)
    raise _incomplete()


def _lines(source: BufferedIOBase) -> Iterator[tuple[bytes, dict[str, Any]]]:
    number = 0
    while data := _next_line(source):
        number += 1
        if not data.endswith(b"\n"):
            raise _incomplete()
        try:
            line = json.loads(data)
        except (ValueError, RecursionError):
            raise_broken_line(number, "log.not_an_object")
        if not isinstance(line, dict):
            raise_broken_line(number, "log.not_an_object")
        yield data, line


def _next_line(source: BufferedIOBase) -> bytes:
    try:
        return source.readline(LONGEST)
    except (OSError, EOFError, zlib.error):  # a packed file that was cut or changed
        raise _incomplete() from None


def _prepare(head: dict[str, Any], connection: Connection) -> None:
    """Create the tables of the version of the backup; they are migrated at the end."""
    if head.get("ninefold_backup") != FORMAT or type(head.get("schema")) is not int or head["schema"] < 1:
        raise_broken_line(1, "backup.head")
    if head["schema"] > VERSION:
        raise NotAllowed("other_version.backup")
    for migration in MIGRATIONS[: head["schema"]]:
        migration.run(connection)


def _row(number: int, line: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    table, row = (TABLES | OLDER_TABLES).get(str(line.get("table"))), line.get("row")
    if table is None or not isinstance(row, dict) or not set(row) <= set(table.columns.keys()):
        raise_broken_line(number, "backup.row")
    for name, value in row.items():
        kind = str if isinstance(table.columns[name].type, Text) else int
        if type(value) is not kind and not (value is None and table.columns[name].nullable):
            raise_broken_line(number, "backup.text" if kind is str else "backup.number", field=quoted(name))
    return table, row


def _insert(connection: Connection, table: Table | None, rows: list[dict[str, Any]]) -> None:
    if table is not None and rows:
        connection.execute(table.insert(), rows)


def _check_end(line: dict[str, Any], counts: RowCounts, checksum: str) -> None:
    if line["end"] != dict(counts) or line.get("sha256") != checksum:
        raise Unreadable("broken_file.changed")


def _incomplete() -> Unreadable:
    return Unreadable("broken_file.cut")


@contextlib.contextmanager
def _database_errors(data: Path, url: str | None) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise unusable(str(error.orig), None if url else data) from None
    except ModuleNotFoundError:
        raise NotAllowed("no_database.driver") from None
