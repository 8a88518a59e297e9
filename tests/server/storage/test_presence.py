"""Who is there, and who has gone: nobody is claimed out who may be sitting at the board."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from ninefold.server.hosting.model import Viewer
from ninefold.server.storage import store
from ninefold.server.storage.presence import VISIT_MS
from ninefold.server.storage.service import Service
from tests.support.handlers import MINUTE, match_request
from tests.support.hosted_matches import ManualClock, move, on_a_loop, opened, refused, serving
from tests.support.postgres import Postgres


async def present(service: Service, match: str) -> list[bool]:
    return [seat["present"] for seat in (await service.view(match)).document["seats"]]


@on_a_loop
async def test_after_a_restart_everybody_has_time_to_come_back(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(absent_seconds=60))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        clock.at += 10 * MINUTE
        await service._submit(lambda connection: store.set_meta(connection, "alive_at", str(clock.at)))
    async with serving(tmp_path, url, now=clock) as service:
        assert (await service.view(match)).document["absent_due"] == clock.at + MINUTE
        assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        clock.at += MINUTE
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_nobody_is_claimed_out_while_it_cannot_be_known_who_is_there(postgres: Postgres, tmp_path: Path) -> None:
    clock, url = ManualClock(), postgres.new_database()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(absent_seconds=60))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        clock.at += 10 * MINUTE
        with opened(tmp_path, url) as database:
            for before, after in (("presence", "elsewhere"), ("elsewhere", "presence")):
                with database.writer.begin() as connection:
                    connection.execute(text(f"ALTER TABLE {before} RENAME TO {after}"))
                if after == "elsewhere":
                    assert (await refused(service.claim_absent(match, token, "r"))).reason == "come_back"
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_who_only_sends_requests_is_there_for_a_while_after_each(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, now=clock) as service:
        created = await service.create(match_request())
        match = created["match"]
        subscription = service.subscribe(match)
        assert await present(service, match) == [False, False]
        await move(service, created, 0, "5")
        assert await present(service, match) == [True, False]
        clock.at += VISIT_MS - 1
        service.presence.refresh()
        assert await present(service, match) == [True, False]
        await refused(move(service, created, 0, "5", seat=2))
        clock.at += 1
        assert await present(service, match) == [False, True]
        await subscription.changed()
        service.presence.refresh()
        await subscription.changed()


@on_a_loop
async def test_who_joins_is_there_and_who_may_not_write_is_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "human", "open"))
        match = created["match"]
        await refused(service.handover(match, "a token of nothing", "r"))
        await refused(service.handover(match, None, "r"))
        assert await present(service, match) == [False, False]
        await service.join(match, created["invitations"][2])
        assert await present(service, match) == [False, True]


@on_a_loop
async def test_an_opponent_who_sends_requests_is_not_absent(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(absent_seconds=60))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        clock.at += 10 * MINUTE
        service.presence.seen(match, Viewer(2))
        clock.at += VISIT_MS
        service.presence.refresh()
        assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        clock.at += MINUTE - VISIT_MS
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_who_closes_a_socket_has_gone_although_it_sent_requests_too(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        match = created["match"]
        await move(service, created, 0, "5")
        with service.arrived(match, Viewer(1)):
            service.presence.seen(match, Viewer(1))
            assert await present(service, match) == [True, False]
        assert await present(service, match) == [False, False]
