"""Databases, SQLite and PostgreSQL alike: opened, brought to this version, shared, closed and copied."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.server.hosting.commands import ClockRequest
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import schema, store
from ninefold.server.storage.database import FILE, Database
from ninefold.server.storage.service import Service
from tests.support.handlers import SECOND, START, MatchHost
from tests.support.hosted_matches import ManualClock, load, move, on_a_loop, opened, refused, save, serving
from tests.support.postgres import Postgres


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def version_of(connection: Connection) -> str | None:
    return store.get_meta(connection, "version")


def test_an_empty_database_is_brought_to_this_version_and_stays_there(url: str | None, tmp_path: Path) -> None:
    with opened(tmp_path, url) as database:
        found = []
        for _ in range(2):
            with database.writer.begin() as connection:
                schema.migrate(connection)
                found.append((tables(connection), version_of(connection), store.secret(connection)))
    assert found[0] == found[1]
    assert found[0][0] == set(schema.METADATA.tables)
    assert len(found[0][2]) == 32


def a_database_of_version_1(data: Path, url: str | None, hosted: HostedMatch) -> bytes:
    """With one match in it; its key is returned."""
    with opened(data, url) as database, database.writer.begin() as connection:
        schema.MIGRATIONS[0](connection)
        store.set_meta(connection, "version", "1")
        save(connection, None, hosted)
        assert "refused" not in tables(connection)
        return store.secret(connection)


@on_a_loop
async def test_a_database_of_version_1_keeps_its_matches_and_learns_what_is_new(
    url: str | None, tmp_path: Path
) -> None:
    host = MatchHost(clock=ClockRequest(3600))
    host.play("5", "1")
    key = a_database_of_version_1(tmp_path, url, host.hosted)
    created = {"match": "match", "seats": host.created["seats"]}
    async with serving(tmp_path, url, now=ManualClock(START + SECOND)) as service:
        assert (await service.view("match")).document["position"] == str(host.hosted.match.position)
        assert (await refused(move(service, created, 2, "1"))).reason == "taken"
        assert (await move(service, created, 2, "9"))["version"] == 3
    with opened(tmp_path, url) as database:
        assert [json.loads(line)["reason"] for _, line in load(database, "match").refused] == ["taken"]
        with database.reading() as connection:
            assert (version_of(connection), store.secret(connection)) == (str(len(schema.MIGRATIONS)), key)


@on_a_loop
async def test_a_database_of_a_newer_version_is_refused_and_left_alone(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url):
        pass
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        store.set_meta(connection, "version", "99")
    for _ in range(2):
        refusal = await refused(Service(tmp_path, url).start())
        assert str(refusal) == "This database belongs to a newer Ninefold. Install that one."
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert version_of(connection) == "99"


@on_a_loop
async def test_a_second_server_in_the_same_folder_is_refused_until_the_first_has_stopped(tmp_path: Path) -> None:
    async with serving(tmp_path):
        with pytest.raises(NotAllowed) as refusal:
            await Service(tmp_path).start()
        assert str(refusal.value) == (
            f"Another server uses the matches in {str(tmp_path)!r}. "
            "Stop it, choose another folder with --data, or use PostgreSQL for several workers."
        )
    async with serving(tmp_path):
        pass


@on_a_loop
async def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    nowhere = f"postgresql://postgres@/nowhere?host={tmp_path}"
    refusal = await refused(Service(tmp_path, nowhere).start())
    assert refusal.reason == "no_database"
    with pytest.raises(Unreadable, match=r"'host/name' is not the address of a PostgreSQL database\."):
        await Service(tmp_path, "mysql://user:password@host/name").start()
    (tmp_path / FILE).write_bytes(b"this is not a database" * 100)
    assert (await refused(Service(tmp_path).start())).reason == "no_database"


def test_commits_survive_power_loss(tmp_path: Path) -> None:
    with opened(tmp_path, None) as database, database.writer.connect() as connection:
        modes = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 2]


@pytest.mark.parametrize("name", ["why?", "100%", "a#b?c=d&mode=memory", "two words", "%3F", "file:x"])
def test_a_database_is_in_its_folder_whatever_that_is_called(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / name, None) as database, database.writer.begin() as connection:
        schema.migrate(connection)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / FILE).stat().st_size > 0


def test_only_its_owner_may_read_a_database_whatever_its_folder_allows(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with opened(tmp_path, None) as database, database.writer.begin() as connection:
        schema.migrate(connection)
        files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert files == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm", "server.lock"), 0o600)


def test_a_database_is_closed_after_its_last_reader(url: str | None, tmp_path: Path) -> None:
    database = Database(tmp_path, url)
    with ThreadPoolExecutor(1) as pool:
        with database.reading() as connection:
            closing = pool.submit(database.close)
            assert connection.execute(text("SELECT 1")).scalar() == 1
            assert not closing.done()
        closing.result(5)
    assert "Connections in pool: 0" in database.reader.pool.status()


def test_readers_cannot_write(tmp_path: Path) -> None:
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            schema.migrate(connection)
        with database.reading() as connection, pytest.raises(Exception, match="readonly"):
            store.set_meta(connection, "version", "0")


def test_workers_that_say_at_the_same_time_that_they_are_there_do_not_hurt_each_other(
    postgres: Postgres, tmp_path: Path
) -> None:
    with opened(tmp_path, postgres.new_database()) as database:
        with database.writer.begin() as connection:
            schema.migrate(connection)
            store.set_meta(connection, "alive_at", "1")
        asked = threading.Event()

        def other() -> None:
            with database.writer.begin() as connection:
                store.get_meta(connection, "alive_at")
                asked.set()
                store.set_meta(connection, "alive_at", "3")
                store.add_outage(connection, 1, 3)

        with database.writer.begin() as connection:
            store.set_meta(connection, "alive_at", "2")
            store.add_outage(connection, 1, 2)
            thread = threading.Thread(target=other)
            thread.start()
            asked.wait(5)
        thread.join(5)
        with database.reading() as connection:
            assert store.get_meta(connection, "alive_at") == "3"
            assert store.outages(connection) == [(1, 3)]


def test_a_copy_of_the_file_is_a_copy_of_the_matches(tmp_path: Path) -> None:
    """How SQLite is backed up while the server runs."""
    host = MatchHost()
    host.play("5")
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            schema.migrate(connection)
            save(connection, None, host.hosted)
        (tmp_path / "copy").mkdir()
        with (
            contextlib.closing(sqlite3.connect(tmp_path / FILE)) as source,
            contextlib.closing(sqlite3.connect(tmp_path / "copy" / FILE)) as target,
        ):
            source.backup(target)
    with opened(tmp_path / "copy", None) as database:
        assert load(database, "match") == host.hosted
