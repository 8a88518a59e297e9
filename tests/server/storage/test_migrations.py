"""Migrations: frozen statements make the tables of this version, and older databases keep their matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect

from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.storage.migrations import VERSION, migrate, version_of
from ninefold.server.storage.schema import METADATA, PROFILES
from ninefold.server.storage.service import Service
from ninefold.server.storage.shared_state import secret, set_meta
from tests.support.clocks import ManualClock
from tests.support.handlers import SECOND, START, match_request
from tests.support.hosted_matches import load, move, on_a_loop, opened, refused, serving

if TYPE_CHECKING:
    import pytest

DUMP = Path(__file__).parent / "data" / "version_2.sql"
# Of the database in the dump.
RUNNING: dict[str, Any] = {
    "match": "8bb921f0a5d7a04d",
    "seats": {1: "mGdL7LjVm83QqtNLJhptf62Ztfbkff81", 2: "gUcGXVjG0AeBx3Ae6K4CxQh-FOlf9AAp"},
}
CODE = "yhaZST_81OoRkQ_f5bEKSGDIp2tTF6nm"  # hands seat 2 of the running match over
FINISHED: dict[str, Any] = {
    "match": "391cfde246fd629f",
    "seats": {1: "NyHNX8wDSxjL12nUjwVLCeZD1FWDNkiN", 2: "udBdx6nvdk2Utp2UAP0r-PMeBh-NfHDI"},
}
REMATCH, OPEN, INVITATION = "4f8b3fb5fbb913c5", "716726c59fafbcc0", "7McokdJFlDUOHsSSUEECaLtmXn3oDfwd"
LATEST = START + 10 * SECOND  # when it was last written


def tables(connection: Connection) -> dict[str, object]:
    """Everything about the tables in a database: columns, types, nullability, defaults, keys and indexes."""
    found = inspect(connection)
    return {
        table: (
            [{**column, "type": repr(column["type"])} for column in found.get_columns(table)],
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(
                (index["name"] or "", tuple(index["column_names"]), index["unique"])
                for index in found.get_indexes(table)
            ),
        )
        for table in found.get_table_names()
    }


def test_the_frozen_statements_make_exactly_the_live_tables(
    request: pytest.FixtureRequest, url: str | None, tmp_path: Path
) -> None:
    other = None if url is None else request.getfixturevalue("postgres").new_database()
    with opened(tmp_path / "migrated", url) as migrated, opened(tmp_path / "live", other) as live:
        with migrated.writer.begin() as connection:
            migrate(connection)
            frozen = tables(connection)
        with live.writer.begin() as connection:
            METADATA.create_all(connection)
            assert tables(connection) == frozen
    assert frozen.keys() == METADATA.tables.keys()


def test_an_empty_database_is_migrated_once(url: str | None, tmp_path: Path) -> None:
    with opened(tmp_path, url) as database:
        found = []
        for _ in range(2):
            with database.writer.begin() as connection:
                migrate(connection)
                found.append((tables(connection), version_of(connection), secret(connection)))
    assert found[0] == found[1]
    assert len(found[0][2]) == 32


def load_dump(data: Path, url: str | None) -> None:
    with opened(data, url) as database, database.writer.begin() as connection:
        sql = DUMP.read_text(encoding="utf-8")
        if url is not None:
            sql = sql.replace("began BIGINT", "began BIGSERIAL")
        for statement in sql.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)


@on_a_loop
async def test_a_database_of_the_first_release_is_opened_and_played_on(url: str | None, tmp_path: Path) -> None:
    load_dump(tmp_path, url)
    async with serving(tmp_path, url, now=ManualClock(LATEST)) as service:
        running = (await service.view(RUNNING["match"])).document
        assert running["claim"]
        assert (running["version"], running["claim"]["cells"], running["seats"][0]["name"]) == (3, [0, 4, 8], "Ann")
        assert [message["text"] for message in running["said"]] == ["good luck ☺"]
        assert running["clock"]
        repeated = await service.act(RUNNING["match"], RUNNING["seats"][1], "r0", 0, Action("move"), "[1,1]")
        assert (repeated["replayed"], repeated["version"]) == (True, 1)
        bob = (await service.join(RUNNING["match"], CODE))["token"]
        disputed = await service.act(RUNNING["match"], bob, "new", 3, actions.dispute("no line"))
        assert [event["event"] for event in disputed["events"]] == ["disputed", "settled"]
        await service.act(RUNNING["match"], RUNNING["seats"][1], "end", None, actions.RESIGN)
        assert [one["reason"] for one in await service.refused(RUNNING["match"])] == ["taken"]
        await check_other_matches(service)
    with opened(tmp_path, url) as database:
        assert load(database, RUNNING["match"]).match.result
        with database.reading() as connection:
            assert version_of(connection) == VERSION


async def check_other_matches(service: Service) -> None:
    finished = (await service.view(FINISHED["match"])).document
    assert finished["result"]
    assert (finished["result"]["score"], finished["rematch"], finished["private"]) == ("1-0", REMATCH, True)
    again = {"match": REMATCH, "seats": {1: FINISHED["seats"][2], 2: FINISHED["seats"][1]}}
    assert (await move(service, again, 0, "5"))["version"] == 1
    assert (await service.join(OPEN, INVITATION))["seat"] == 2


@on_a_loop
async def test_a_database_of_version_1_keeps_its_matches_and_gets_the_new_tables(
    url: str | None, tmp_path: Path
) -> None:
    load_dump(tmp_path, url)
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        for table in ("refused", "presence"):  # which it had not yet
            connection.exec_driver_sql(f"DROP TABLE {table}")
        set_meta(connection, "version", "1")
        key = secret(connection)
    async with serving(tmp_path, url, now=ManualClock(LATEST)) as service:
        assert (await service.view(RUNNING["match"])).document["version"] == 3
        reason = (await refused(move(service, RUNNING, 3, "9", seat=1))).reason
    with opened(tmp_path, url) as database:
        assert [json.loads(entry)["reason"] for _, entry in load(database, RUNNING["match"]).refused] == [reason]
        with database.reading() as connection:
            assert (version_of(connection), secret(connection)) == (VERSION, key)


@on_a_loop
async def test_a_deletion_of_a_profile_that_an_older_version_has_not_finished_is_finished(
    url: str | None, tmp_path: Path
) -> None:
    key = "the-key-of-ann-0123456789-0123456789"
    async with serving(tmp_path, url) as service:
        await service.profiles.save(key, "Ann")
        identity = await service.profiles.identity(key, game="classic")
        match = (await service.create(match_request("classic", "human", "open"), identity=identity))["match"]
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        connection.execute(PROFILES.delete())
        connection.exec_driver_sql("DROP TABLE deleted")
        set_meta(connection, "version", "5")
    async with serving(tmp_path, url) as service:
        await service.profiles.housekeeping()
        assert (await service.view(match)).document["seats"][0]["name"] == "deleted"


@on_a_loop
async def test_a_database_of_a_newer_version_is_refused_and_not_changed(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url):
        pass
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        set_meta(connection, "version", "99")
    for _ in range(2):
        refusal = await refused(Service(tmp_path, url).start())
        assert str(refusal) == "This database belongs to a newer Ninefold. Install that one."
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert version_of(connection) == 99
