"""The database, SQLite or PostgreSQL: opened, locked, shared, closed and copied."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.server.storage.database import FILE, Database, driver_message
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.service import Service
from ninefold.server.storage.shared_state import add_outage, get_meta, outages, set_meta
from tests.support.handlers import MatchHost
from tests.support.hosted_matches import load, on_a_loop, opened, refused, save, serving
from tests.support.postgres import Postgres, somebody_waits_for_a_lock
from tests.support.waiting import PATIENCE, wait_until


@on_a_loop
async def test_a_second_server_in_the_same_folder_is_refused(tmp_path: Path) -> None:
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
def test_the_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / name, None) as database, database.writer.begin() as connection:
        migrate(connection)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / FILE).stat().st_size > 0


def test_only_its_owner_may_read_a_database(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with opened(tmp_path, None) as database, database.writer.begin() as connection:
        migrate(connection)
        files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert files == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm", "server.lock"), 0o600)


def test_a_database_is_closed_after_its_last_reader(url: str | None, tmp_path: Path) -> None:
    database = Database(tmp_path, url)
    with ThreadPoolExecutor(1) as pool:
        with database.reading() as connection:
            closing = pool.submit(database.close, 60.0)
            assert connection.execute(text("SELECT 1")).scalar() == 1
            assert not closing.done()
        closing.result(PATIENCE)
    assert "Connections in pool: 0" in database.reader.pool.status()


def test_readers_cannot_write(tmp_path: Path) -> None:
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            migrate(connection)
        with database.reading() as connection, pytest.raises(Exception, match="readonly"):
            set_meta(connection, "version", "0")


def test_workers_may_write_their_heartbeats_at_the_same_time(postgres: Postgres, tmp_path: Path) -> None:
    with opened(tmp_path, postgres.new_database()) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            set_meta(connection, "alive_at", "1")
        asked = threading.Event()

        def other() -> None:
            with database.writer.begin() as connection:
                get_meta(connection, "alive_at")
                asked.set()
                set_meta(connection, "alive_at", "3")
                add_outage(connection, 1, 3)

        with database.writer.begin() as connection:
            set_meta(connection, "alive_at", "2")
            add_outage(connection, 1, 2)
            thread = threading.Thread(target=other)
            thread.start()
            asked.wait(PATIENCE)
        thread.join(PATIENCE)
        with database.reading() as connection:
            assert get_meta(connection, "alive_at") == "3"
            assert outages(connection) == [(1, 3)]


def test_who_waits_for_a_lock_of_one_database_does_not_wait_in_another(postgres: Postgres) -> None:
    """Else a test would go on because of another one."""
    url = postgres.new_database()
    with psycopg.connect(url) as waiting, ThreadPoolExecutor(1) as pool, psycopg.connect(url) as holding:
        holding.execute("CREATE TABLE numbers (number INT)")
        holding.commit()
        holding.execute("LOCK TABLE numbers")
        pool.submit(waiting.execute, "LOCK TABLE numbers")
        wait_until(lambda: somebody_waits_for_a_lock(url))
        assert not somebody_waits_for_a_lock(postgres.new_database())


def test_every_call_of_postgresql_has_time_limits(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    def shown(url: str, name: str) -> object:
        with opened(tmp_path, url) as database, database.writer.connect() as one, database.reading() as other:
            limits = {connection.execute(text(f"SHOW {name}")).scalar() for connection in (one, other)}
        return limits.pop() if len(limits) == 1 else limits

    assert (shown(url, "statement_timeout"), shown(url, "lock_timeout")) == ("5s", "2s")
    assert shown(url, "idle_in_transaction_session_timeout") == "10s"
    assert shown(f"{url}%20-cstatement_timeout%3D7s", "statement_timeout") == "7s"  # whoever asks for another
    with opened(tmp_path, "postgresql://ann:secret@host/name?connect_timeout=9") as database:
        url_used = database.writer.url
        assert (url_used.query["connect_timeout"], url_used.query["tcp_user_timeout"]) == ("9", "5000")
        assert (url_used.password, url_used.host) == ("secret", "host")


def test_a_call_that_hangs_is_cut(postgres: Postgres, tmp_path: Path) -> None:
    """As when the machine of PostgreSQL is frozen: it does not end the call itself."""
    database = Database(tmp_path, postgres.new_database(), call_seconds=0)  # no limit within PostgreSQL

    def hang() -> str:
        with database.reading() as connection, pytest.raises(OperationalError) as error:
            connection.execute(text("SELECT pg_sleep(600)"))
        return driver_message(error.value)

    with ThreadPoolExecutor(1) as pool:
        hanging = pool.submit(hang)
        wait_until(database.cut_hanging)
        assert "connection" in hanging.result(PATIENCE)
    with database.reading() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    database.close()


def test_a_copy_of_the_file_is_a_copy_of_the_matches(tmp_path: Path) -> None:
    """How SQLite is backed up while the server runs."""
    host = MatchHost()
    host.play("5")
    with opened(tmp_path, None) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            save(connection, None, host.hosted)
        (tmp_path / "copy").mkdir()
        with (
            contextlib.closing(sqlite3.connect(tmp_path / FILE)) as source,
            contextlib.closing(sqlite3.connect(tmp_path / "copy" / FILE)) as target,
        ):
            source.backup(target)
    with opened(tmp_path / "copy", None) as database:
        assert load(database, "match") == host.hosted


def test_a_url_of_postgresql_may_name_several_hosts(tmp_path: Path) -> None:
    for address, host, port in (
        ("ann@db1:5432,db2:5433/matches?target_session_attrs=read-write", "db1,db2", "5432,5433"),
        ("ann@db1,db2/matches?target_session_attrs=read-write", "db1,db2", ","),
        ("ann@/matches?host=/one,/two&target_session_attrs=read-write", "/one,/two", ","),
        ("ann@db1:5432/matches?target_session_attrs=read-write", "db1", "5432"),
    ):
        with contextlib.closing(Database(tmp_path, f"postgresql://{address}")) as database:
            _, given = database.writer.dialect.create_connect_args(database.writer.url)
            expected = {
                "user": "ann",
                "dbname": "matches",
                "target_session_attrs": "read-write",
                "host": host,
                "port": port,
            }
            assert {key: str(given[key]) for key in expected} == expected
            assert database.url == f"postgresql://{address}"  # for the listener
