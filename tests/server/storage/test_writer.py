"""The writer: batches of which one write fails, a database that is locked, hangs or was replaced."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import ClockRequest
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.database import FILE
from ninefold.server.storage.deletion import delete_requested
from ninefold.server.storage.service import Service
from ninefold.server.storage.store import end_leases
from tests.support import waiting
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, SECOND, match_request
from tests.support.hosted_matches import move, on_a_loop, opened, refused, serving, waiting_writer
from tests.support.postgres import Postgres
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from sqlalchemy import Connection


def broken(_: Connection) -> None:
    raise ZeroDivisionError


def violating(connection: Connection) -> None:
    connection.execute(text("INSERT INTO meta (key, value) VALUES ('version', '0')"))


@pytest.mark.parametrize("wrong", [broken, violating])
@on_a_loop
async def test_a_write_that_fails_harms_no_other_of_its_batch(url: str | None, tmp_path: Path, wrong: object) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        matches = [await service.create(match_request(clock=ClockRequest(60))) for _ in range(2)]
        clock.at += SECOND
        async with waiting_writer(service):
            writes = [
                asyncio.ensure_future(move(service, matches[0], 0, "5")),
                asyncio.ensure_future(service.submit(wrong)),  # type: ignore[arg-type]
                asyncio.ensure_future(move(service, matches[1], 0, "1")),
            ]
            await asyncio.sleep(0)
        first, failed, last = await asyncio.gather(*writes, return_exceptions=True)
        assert [answer["version"] for answer in (first, last) if isinstance(answer, dict)] == [1, 1]
        assert getattr(failed, "reason", failed) == "unexpected"
        assert service.health()["status"] == "ok"
        await move(service, matches[0], 1, "1")
        assert service.scheduler.outages == []  # the database was never away


@on_a_loop
async def test_a_match_that_somebody_else_locks_keeps_no_other_waiting(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    async with serving(tmp_path, f"{url}%20-clock_timeout%3D50") as service:
        locked, other = [await service.create(match_request()) for _ in range(2)]
        with opened(tmp_path, url) as database, database.writer.begin() as connection:
            connection.execute(text("SELECT * FROM matches WHERE id = :id FOR UPDATE"), {"id": locked["match"]})
            async with waiting_writer(service):
                writes = [asyncio.ensure_future(move(service, created, 0, "5")) for created in (locked, locked, other)]
                await asyncio.sleep(0)
            *failed, moved = await asyncio.gather(*writes, return_exceptions=True)
        assert [getattr(answer, "reason", answer) for answer in failed] == ["come_back"] * 2
        assert isinstance(moved, dict)
        assert (await move(service, locked, 0, "5"))["version"] == 1
        assert service.scheduler.outages == []


@on_a_loop
async def test_a_task_holds_nothing_while_a_match_is_waited_for(postgres: Postgres, tmp_path: Path) -> None:
    """A task may lock a profile, which other workers lock after a match: they would wait for each other."""
    url = postgres.new_database()
    async with serving(tmp_path, f"{url}%20-clock_timeout%3D50") as service:
        created, ended = await service.create(match_request()), list[str]()
        with opened(tmp_path, url) as database, database.writer.begin() as connection:
            connection.execute(text("SELECT * FROM matches FOR UPDATE"))
            async with waiting_writer(service):
                moved = asyncio.ensure_future(move(service, created, 0, "5"))
                await asyncio.sleep(0)
                task = asyncio.ensure_future(service.submit(lambda _: None))
                moved.add_done_callback(lambda _: ended.append("move"))
                task.add_done_callback(lambda _: ended.append("task"))
                await asyncio.sleep(0)
            await asyncio.gather(moved, task, return_exceptions=True)
        assert ended == ["task", "move"]


@on_a_loop
async def test_a_database_that_is_locked_is_away_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock()
    config = ServiceConfig(database_seconds=0.01)
    async with serving(tmp_path, now=clock, config=config) as service:
        created = await service.create(match_request(clock=ClockRequest(60)))
        await move(service, created, 0, "5")
        with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            clock.at += 2 * MINUTE
            with caplog.at_level(logging.WARNING):
                assert (await refused(move(service, created, 1, "1"))).reason == "come_back"
            assert service.health()["status"] == "unavailable"
        assert [record.__dict__["facts"]["message"] for record in caplog.records][:1] == ["database is locked"]
        await move(service, created, 1, "1")
        await waiting.until(lambda: service.health()["status"] == "ok")
        assert service.scheduler.outages == [(clock.at - 2 * MINUTE, clock.at)]


@on_a_loop
async def test_health_sees_writes_that_wait_too_long_and_the_age_of_the_last_commit(tmp_path: Path) -> None:
    async with serving(tmp_path, config=ServiceConfig(database_seconds=0.05)) as service:
        await waiting.until(lambda: service.health()["status"] == "ok")
        async with waiting_writer(service):
            await waiting.until(lambda: service.health()["status"] == "unavailable")
            await waiting.until(lambda: service.health()["last_commit_seconds"] > 0.05)
        await waiting.until(lambda: service.health()["status"] == "ok")


@on_a_loop
async def test_a_service_stops_without_a_database_that_hangs(url: str | None, tmp_path: Path) -> None:
    hangs, go_on = threading.Event(), threading.Event()

    def hang(connection: Connection) -> None:
        hangs.set()
        if url is None:
            go_on.wait(PATIENCE)
        else:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_sleep(600)"))

    service = Service(tmp_path, url, config=ServiceConfig(stop_seconds=0.05))
    await service.start()
    written = asyncio.ensure_future(service.submit(hang))
    await waiting.until(hangs.is_set)
    await service.stop()
    go_on.set()
    if url:
        assert (await refused(written)).reason == "come_back"
    await asyncio.wait([written])


@on_a_loop
async def test_nothing_is_acknowledged_in_a_match_that_was_deleted(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created, other = await service.create(match_request()), await service.create(match_request())
        await move(service, created, 0, "5")
        async with waiting_writer(service):  # the deletion is the last of its batch
            first, second = (
                asyncio.ensure_future(move(service, one, version, "1")) for one, version in ((created, 1), (other, 0))
            )
            await asyncio.sleep(0)
            deleted = asyncio.ensure_future(service.submit(partial(delete_requested, ids=[created["match"]], now=0)))
            await asyncio.sleep(0)
        assert (await refused(first)).reason == "no_such_match"
        assert (await second)["version"] == 1
        assert await deleted == [created["match"]]
        await service.submit(partial(delete_requested, ids=[other["match"]], now=0))  # the event loop does nothing
        assert (await refused(move(service, other, 1, "2"))).reason == "no_such_match"


@on_a_loop
async def test_a_match_that_a_task_has_changed_is_read_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        await move(service, created, 0, "5")
        revision = (await service.view(created["match"])).hosted.revision
        async with waiting_writer(service):
            ended = asyncio.ensure_future(service.submit(partial(end_leases, ids=[created["match"]])))
            moved = asyncio.ensure_future(move(service, created, 1, "1"))
            await asyncio.sleep(0)
        await asyncio.gather(ended, moved)
        assert (await service.view(created["match"])).hosted.revision == revision + 2


@pytest.mark.parametrize("action", [actions.move(0), actions.RESIGN], ids=["goes on", "ends"])
@on_a_loop
async def test_a_change_of_a_match_that_is_not_stored_is_not_acknowledged(tmp_path: Path, action: Action) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        await move(service, created, 0, "5")
        await move(service, created, 1, "2")
        with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as other, other:
            other.execute("DELETE FROM matches")
        for reason in ("unexpected", "no_such_match"):
            acted = service.act(created["match"], created["seats"][1], "r", 2, action)
            assert (await refused(acted)).reason == reason


@on_a_loop
async def test_an_outage_in_the_midst_of_a_batch_is_met_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A batch that failed is executed write by write: not if the database is away."""

    def lose(_: Connection) -> None:
        raise OperationalError(None, None, sqlite3.OperationalError("away"))

    async with serving(tmp_path, config=ServiceConfig(sweep_seconds=3600)) as service:
        caplog.set_level(logging.WARNING)
        async with waiting_writer(service):
            writes = [asyncio.ensure_future(service.submit(write)) for write in (broken, lose, lose, lose)]
            await asyncio.sleep(0)
        answers = await asyncio.gather(*writes, return_exceptions=True)
        assert [getattr(answer, "reason", answer) for answer in answers] == ["unexpected"] + 3 * ["come_back"]
        lost = [record for record in caplog.records if record.message == "batch refused by the database"]
        assert len(lost) == 1
        await service.create(match_request())


@on_a_loop
async def test_an_outage_during_a_task_is_met_once_by_the_moves_behind_it(
    postgres: Postgres, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def lose(connection: Connection) -> None:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    async with serving(tmp_path, postgres.new_database(), config=ServiceConfig(sweep_seconds=3600)) as service:
        created = await service.create(match_request())
        caplog.set_level(logging.WARNING)
        for tasks in ((lose,), (broken, lose)):  # also when the batch is executed write by write
            caplog.clear()
            async with waiting_writer(service):
                writes = [asyncio.ensure_future(service.submit(task)) for task in tasks]
                moved = asyncio.ensure_future(move(service, created, 0, "5"))
                await asyncio.sleep(0)
            answers = await asyncio.gather(*writes, moved, return_exceptions=True)
            assert [getattr(answer, "reason", answer) for answer in answers][-2:] == ["come_back", "come_back"]
            assert [one.message for one in caplog.records].count("batch refused by the database") == 1
        assert (await move(service, created, 0, "5"))["version"] == 1


@on_a_loop
async def test_a_statement_that_takes_too_long_is_no_outage(postgres: Postgres, tmp_path: Path) -> None:
    def be_slow(connection: Connection) -> None:
        connection.execute(text("SET LOCAL statement_timeout = 1"))
        connection.execute(text("SELECT pg_sleep(600)"))

    def succeed(_: Connection) -> str:
        return "done"

    async with serving(tmp_path, postgres.new_database()) as service:
        for tasks, expected in (
            ((be_slow, succeed), ["come_back", "done"]),
            ((be_slow, be_slow, succeed), ["come_back"] * 3),  # the database is slow, and not one statement
        ):
            async with waiting_writer(service):
                writes = [asyncio.ensure_future(service.submit(task)) for task in tasks]
                await asyncio.sleep(0)
            answers = await asyncio.gather(*writes, return_exceptions=True)
            assert [getattr(answer, "reason", answer) for answer in answers] == expected
            assert service.health()["status"] == "ok"
        assert service.scheduler.outages == []


@on_a_loop
async def test_the_writer_goes_on_whatever_happens(tmp_path: Path) -> None:
    is_broken = threading.Event()

    @contextlib.contextmanager
    def trace(_: int) -> Iterator[None]:
        if is_broken.is_set():
            raise ZeroDivisionError
        yield

    async with serving(tmp_path, trace=trace) as service:
        created = await service.create(match_request())
        is_broken.set()
        assert (await refused(move(service, created, 0, "5"))).reason == "unexpected"
        is_broken.clear()
        assert (await move(service, created, 0, "5"))["version"] == 1


@pytest.mark.parametrize("file", [FILE, f"{FILE}-wal"])
@on_a_loop
async def test_a_file_that_was_deleted_or_replaced_is_not_written_to(tmp_path: Path, file: str) -> None:
    """Nothing is acknowledged that the next start would not find."""
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        (tmp_path / file).rename(tmp_path / "moved")
        assert (await refused(move(service, created, 0, "5"))).reason == "come_back"
        assert service.health()["status"] == "unavailable"
        shutil.copy(tmp_path / "moved", tmp_path / file)
        assert (await refused(move(service, created, 0, "5"))).reason == "come_back"
        (tmp_path / "moved").rename(tmp_path / file)
        assert (await move(service, created, 0, "5"))["version"] == 1
        assert service.health()["status"] == "ok"


@pytest.mark.parametrize("file", [FILE, f"{FILE}-wal"])
@on_a_loop
async def test_nothing_is_acknowledged_that_went_into_a_file_that_was_deleted_meanwhile(
    tmp_path: Path, file: str
) -> None:
    async with serving(tmp_path) as service:
        await service.create(match_request())
        written = service.submit(lambda _: (tmp_path / file).rename(tmp_path / "moved"))
        assert (await refused(written)).reason == "come_back"
        (tmp_path / "moved").rename(tmp_path / file)


@on_a_loop
async def test_the_heartbeat_notices_a_deleted_file_when_nobody_writes(tmp_path: Path) -> None:
    async with serving(tmp_path, config=ServiceConfig(heartbeat_seconds=0.01)) as service:
        (tmp_path / FILE).unlink()
        await waiting.until(lambda: service.health()["status"] == "unavailable")
