"""What is let go in time, so that nothing grows for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

from ninefold.match import actions
from ninefold.server.hosting.deadlines import IDLE_MS
from ninefold.server.hosting.model import Viewer
from ninefold.server.storage import scheduler, schema, store
from ninefold.server.storage.scheduler import DAY_MS
from ninefold.server.storage.service import Service
from tests.support.handlers import MINUTE, match_request
from tests.support.hosted_matches import ManualClock, move, on_a_loop, opened, refused, serving
from tests.support.postgres import Postgres

if TYPE_CHECKING:
    import pytest


async def ended(service: Service) -> str:
    created = await service.create(match_request())
    await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
    return str(created["match"])


@on_a_loop
async def test_all_that_is_old_is_forgotten_however_much_it_is(
    url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "MOST", 2)
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock, keep_days=1) as service:
        old = [await ended(service) for _ in range(5)]
        clock.at += DAY_MS + 1
        young = await ended(service)
        await service._upkeep.forget()
        assert [(await refused(service.view(match))).reason for match in old] == ["no_such_match"] * 5
        assert (await service.view(young)).document["status"] == "ended"


@on_a_loop
async def test_outages_from_before_all_that_can_be_due_are_forgotten_by_a_server_that_keeps_everything(
    url: str | None, tmp_path: Path
) -> None:
    clock = ManualClock()
    long = 3 * DAY_MS  # nobody was charged for it, so that what waited before it waits for longer
    old = clock.at - IDLE_MS - long - MINUTE - 2
    outages = [(old - MINUTE, old), (old + 2, old + 2 + MINUTE), (clock.at - DAY_MS - long, clock.at - DAY_MS)]
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        schema.migrate(connection)
        for outage in outages:
            store.add_outage(connection, *outage)
    async with serving(tmp_path, url, now=clock) as service:
        while len(service._upkeep.outages) == 3:
            await asyncio.sleep(0.01)
        assert service._upkeep.outages == outages[1:]
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert store.outages(connection) == outages[1:]


@on_a_loop
async def test_what_dead_workers_said_is_forgotten(postgres: Postgres, tmp_path: Path) -> None:
    clock, url = ManualClock(), postgres.new_database()
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        schema.migrate(connection)
        for worker, age in (("old", IDLE_MS + 1), ("young", IDLE_MS - 1)):
            store.tell_presence(connection, [store.PresenceRow("m", "1", worker, 1, clock.at - age)], tell=False)
    async with serving(tmp_path, url, now=clock) as service:
        await service._upkeep.tidy()
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert connection.execute(text("SELECT worker FROM presence")).scalars().all() == ["young"]


@on_a_loop
async def test_nobody_remembers_who_was_at_a_match_that_is_over(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        live, looked_at = await service.create(match_request()), await ended(service)
        over = [await ended(service) for _ in range(3)]
        await move(service, live, 0, "5")
        service.arrived(live["match"], Viewer(1)).close()
        clock.at += MINUTE
        service.presence.refresh()
        with service.arrived(looked_at, Viewer(2)):
            assert set(service.presence.remembered()) == {live["match"], *over}
            await service._upkeep.tidy()
            assert service.presence.remembered() == [live["match"]]
            assert {match for match, _ in service.presence._seen_at} == {live["match"], looked_at}


@on_a_loop
async def test_who_comes_to_look_at_a_match_while_it_is_forgotten_is_not_forgotten(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        match = await ended(service)
        service.presence.forget([match])
        service.presence.seen(match, Viewer(2))
        service.presence.forget([match])
        assert [seat["present"] for seat in (await service.view(match)).document["seats"]] == [True, True]
