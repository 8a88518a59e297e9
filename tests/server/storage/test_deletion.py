"""Deletion of matches by the operator: with a running server and without one, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.server.hosting.deadlines import DAY_MS
from ninefold.server.storage import store
from ninefold.server.storage.database import Database
from ninefold.server.storage.deletion import delete_by_operator
from ninefold.server.storage.schema import DELETED_MATCHES
from ninefold.server.storage.shared_state import set_meta
from tests.support.clocks import ManualSeconds
from tests.support.console import ninefold
from tests.support.handlers import match_request
from tests.support.hosted_matches import on_a_loop, opened, refused, serving, waiting_writer
from tests.support.http_server import Running, running
from tests.support.postgres import Postgres, somebody_waits_for_a_lock
from tests.support.waiting import until, wait_until


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def url(request: pytest.FixtureRequest) -> str:
    """Of PostgreSQL's database; empty for SQLite."""
    if request.param == "SQLite":
        return ""
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


def test_a_running_server_forgets_a_deleted_match_and_says_so_to_its_players(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        match, other = server.create(), server.create()
        player, _ = server.welcome(match["match"], match["seats"]["1"])
        server.move(match["match"], match["seats"]["1"], 0, "5")
        options = ("--database", url) if url else ("--data", str(tmp_path))
        done = ninefold("delete", f"http://127.0.0.1:{server.port}/m/{match['match']}#whatever", *options)
        assert (done.stdout, done.stderr) == (f"Deleted: {match['match']}.\n", "")
        told = player.receive("refused")
        assert told["code"] == "no_such_match"
        assert "The operator may have deleted the match." in told["instead"]
        assert player.close_code() == 1008
        assert server.get(f"/matches/{match['match']}").status_code == 404
        assert server.move(match["match"], match["seats"]["2"], 1, "1").status_code == 404
        assert server.move(other["match"], other["seats"]["1"], 0, "5").status_code == 200
        player.close()


def test_without_a_server_the_matches_are_deleted_at_once_all_or_none(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        first, second, third = (server.create()["match"] for _ in range(3))
    with pytest.raises(Refusal, match=r"There is no match '0000000000000000' here\."):
        delete_by_operator([first, "0" * 16], tmp_path, url or None)
    assert delete_by_operator([first, second, first], tmp_path, url or None) == [first, second]
    with running(tmp_path, database=url) as server:
        statuses = [server.get(f"/matches/{match}").status_code for match in (first, second, third)]
    assert statuses == [404, 404, 200]


REPEATED = {"game": "classic", "seats": [{"player": "human"}] * 2, "request": "a-request-that-comes-twice"}


def repeat(server: Running) -> tuple[int, str]:
    """What is answered to the repeat of a request whose match was deleted: the status, and the reason."""
    response = server.post("/matches", REPEATED)
    return response.status_code, response.json()["code"]


def test_a_request_that_is_repeated_does_not_create_a_deleted_match_again(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        while_running = server.create(request=REPEATED["request"])["match"]
        assert server.create(request=REPEATED["request"])["match"] == while_running
        delete_by_operator([while_running], tmp_path, url or None)
        wait_until(lambda: server.get(f"/matches/{while_running}").status_code == 404)
        assert repeat(server) == (404, "no_such_match")
        assert server.get(f"/matches/{while_running}").status_code == 404
        assert server.create(request="another-request-of-somebody")["match"] != while_running
    with running(tmp_path, database=url) as server:  # the next server knows it too
        assert repeat(server) == (404, "no_such_match")


def test_a_match_that_was_deleted_without_a_server_is_not_created_again(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        match = server.create(request=REPEATED["request"])["match"]
    delete_by_operator([match], tmp_path, url or None)
    with running(tmp_path, database=url) as server:
        assert repeat(server) == (404, "no_such_match")


def test_the_operator_goes_by_the_clock_of_the_server(tmp_path: Path) -> None:
    """A server whose clock was set back goes on from where it was; it would drop an older tombstone at once."""
    with running(tmp_path) as server:
        match = server.create(request=REPEATED["request"])["match"]
    ahead = time.time_ns() // 1_000_000 + 2 * DAY_MS
    with contextlib.closing(Database(tmp_path)) as database, database.writer.begin() as connection:
        set_meta(connection, "alive_at", str(ahead))
    delete_by_operator([match], tmp_path)
    with contextlib.closing(Database(tmp_path)) as database, database.writer.begin() as connection:
        assert connection.execute(select(DELETED_MATCHES.c.at)).scalar_one() >= ahead


@on_a_loop
async def test_a_match_is_not_created_again_by_the_batch_that_deletes_it(tmp_path: Path, url: str) -> None:
    request, key = match_request(), "a-request-that-comes-twice"
    async with serving(tmp_path, url or None) as service:
        match = (await service.create(request, key))["match"]
        async with waiting_writer(service):
            created = asyncio.ensure_future(service.create(request, key))
            deleted = asyncio.ensure_future(service.scheduler.delete([match]))
        await deleted
        assert (await refused(created)).reason == "no_such_match"
        assert (await refused(service.view(match))).reason == "no_such_match"


@on_a_loop
async def test_a_creation_waits_for_a_deletion_that_another_worker_has_begun(
    postgres: Postgres, tmp_path: Path
) -> None:
    request, key, url = match_request(), "a-request-that-comes-twice", postgres.new_database()
    async with serving(tmp_path, url) as service:
        match = (await service.create(request, key))["match"]
        with opened(tmp_path, url) as database, database.writer.begin() as connection:
            store.delete_matches(connection, [match], service.now())
            created = asyncio.ensure_future(service.create(request, key))
            await until(lambda: somebody_waits_for_a_lock(url))
        assert (await refused(created)).reason == "no_such_match"


@on_a_loop
async def test_a_rematch_that_was_deleted_is_offered_anew(tmp_path: Path, url: str) -> None:
    async with serving(tmp_path, url or None) as service:
        created = await service.create(match_request())
        match, (one, two) = created["match"], created["seats"].values()
        await service.act(match, one, "end", None, actions.RESIGN)
        deleted = (await service.rematch(match, one))["match"]
        await service.submit(partial(store.delete_matches, ids=[deleted], now=service.now()))
        again = (await service.rematch(match, two))["match"]
        assert again != deleted
        assert (await service.rematch(match, one))["match"] == again
        assert (await service.view(again)).document["status"] == "live"


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    for data, links in ((tmp_path / "nowhere", ["0" * 16]), (tmp_path, ["no id"])):
        with pytest.raises(Refusal) as caught:
            delete_by_operator(links, data)
        assert caught.value.reason in ("no_database", "no_such_match")
    assert not (tmp_path / "nowhere").exists()


def test_a_server_that_does_not_delete_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.create()["match"]
    clock = ManualSeconds()
    with contextlib.closing(Database(tmp_path)), pytest.raises(Refusal) as caught:  # it is open, and nothing is done
        delete_by_operator([match], tmp_path, clock=clock, sleep=clock.sleep)
    assert caught.value.code == "no_database.not_deleted"
    with running(tmp_path) as server:  # the next server does it
        wait_until(lambda: server.get(f"/matches/{match}").status_code == 404)
