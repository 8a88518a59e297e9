"""Housekeeping: what is deleted in time, so that nothing grows for ever."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from ninefold.match import actions
from ninefold.server.hosting.deadlines import DAY_MS, IDLE_MS
from ninefold.server.hosting.model import Viewer
from ninefold.server.storage import shared_state
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.service import Service
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, match_request
from tests.support.hosted_matches import move, on_a_loop, opened, refused, serving
from tests.support.postgres import Postgres
from tests.support.waiting import until


async def ended(service: Service) -> str:
    created = await service.create(match_request())
    await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
    return str(created["match"])


@on_a_loop
async def test_old_matches_are_deleted_batch_by_batch(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock, config=ServiceConfig(keep_days=1, batch=2)) as service:
        old = [await ended(service) for _ in range(5)]
        clock.at += DAY_MS + 1
        young = await ended(service)
        await service.scheduler.delete_old_matches()
        assert [(await refused(service.view(match))).reason for match in old] == ["no_such_match"] * 5
        assert (await service.view(young)).document["status"] == "ended"


@on_a_loop
async def test_a_match_deleted_in_time_is_not_created_again_for_a_day(url: str | None, tmp_path: Path) -> None:
    clock, key = ManualClock(), "a-request-that-comes-twice"
    async with serving(tmp_path, url, now=clock, config=ServiceConfig(keep_days=1, batch=2)) as service:
        created = [await service.create(match_request(), f"{key}-{number}") for number in range(5)]
        for one in created:
            await service.act(one["match"], one["seats"][1], "r", None, actions.RESIGN)
        clock.at += DAY_MS + 1
        await service.scheduler.delete_old_matches()
        clock.at += DAY_MS
        await service.scheduler.prune()
        for number in range(5):
            assert (await refused(service.create(match_request(), f"{key}-{number}"))).reason == "no_such_match"
        clock.at += 1
        await service.scheduler.prune()
        again = [await service.create(match_request(), f"{key}-{number}") for number in range(5)]
        assert [one["match"] for one in again] == [one["match"] for one in created]
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM deleted")).scalar_one() == 0


@on_a_loop
async def test_a_clock_that_jumps_while_no_server_runs_drops_no_tombstone(url: str | None, tmp_path: Path) -> None:
    clock, key = ManualClock(), "a-request-that-comes-twice"
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(), key)
        await service.scheduler.delete([created["match"]])
    clock.at += 400 * DAY_MS
    async with serving(tmp_path, url, now=clock) as service:
        await service.scheduler.prune()
        assert (await refused(service.create(match_request(), key))).reason == "no_such_match"


@on_a_loop
async def test_outages_older_than_the_idle_limit_are_pruned(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    long = 3 * DAY_MS  # not charged, so that what was due before it is due later
    old = clock.at - IDLE_MS - long - MINUTE - 2
    outages = [(old - MINUTE, old), (old + 2, old + 2 + MINUTE), (clock.at - DAY_MS - long, clock.at - DAY_MS)]
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        migrate(connection)
        for outage in outages:
            shared_state.add_outage(connection, *outage)
    async with serving(tmp_path, url, now=clock) as service:
        await until(lambda: len(service.scheduler.outages) < 3)
        assert service.scheduler.outages == outages[1:]
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert shared_state.outages(connection) == outages[1:]


@on_a_loop
async def test_presence_of_dead_workers_is_deleted(postgres: Postgres, tmp_path: Path) -> None:
    clock, url = ManualClock(), postgres.new_database()
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        migrate(connection)
        for worker, age in (("old", IDLE_MS + 1), ("young", IDLE_MS - 1)):
            row = shared_state.PresenceRow("m", "1", worker, 1, clock.at - age)
            shared_state.write_presence(connection, [row], notify=False)
    async with serving(tmp_path, url, now=clock) as service:
        await service.scheduler.prune()
    with opened(tmp_path, url) as database, database.reading() as connection:
        assert connection.execute(text("SELECT worker FROM presence")).scalars().all() == ["young"]


@on_a_loop
async def test_presence_in_ended_matches_is_forgotten(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        live, looked_at = await service.create(match_request()), await ended(service)
        over = [await ended(service) for _ in range(3)]
        await move(service, live, 0, "5")
        service.connect(live["match"], Viewer(1)).close()
        clock.at += MINUTE
        service.presence.refresh()
        with service.connect(looked_at, Viewer(2)):
            assert set(service.presence.abandoned()) == {live["match"], *over}
            await service.scheduler.prune()
            assert service.presence.abandoned() == [live["match"]]
            assert [service.presence.of(match).seen_at[0] for match in over] == [clock.at - MINUTE] * 3  # the start
            assert service.presence.of(looked_at).present == (False, True)


@on_a_loop
async def test_a_player_who_comes_back_to_an_ended_match_is_present(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        match = await ended(service)
        service.presence.forget([match])
        service.presence.record_request(match, Viewer(2))
        service.presence.forget([match])
        assert [seat["present"] for seat in (await service.view(match)).document["seats"]] == [True, True]


@on_a_loop
async def test_a_long_silence_of_a_running_server_is_an_outage(url: str | None, tmp_path: Path) -> None:
    """As after a machine has slept."""
    clock, began = ManualClock(), ManualClock().at
    config = ServiceConfig(heartbeat_seconds=0.01, outage_ms=MINUTE)
    async with serving(tmp_path, url, now=clock, config=config) as service:
        clock.at += 2 * MINUTE
        await until(lambda: bool(service.scheduler.outages))
        assert service.scheduler.outages == [(began, clock.at)]
