"""Presence: nobody is claimed absent who may be connected."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from ninefold.server.hosting.model import Viewer
from ninefold.server.storage import shared_state
from ninefold.server.storage.presence import POLLING_MS
from ninefold.server.storage.service import Service
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, match_request
from tests.support.hosted_matches import move, on_a_loop, opened, refused, serving
from tests.support.postgres import Postgres


async def present(service: Service, match: str) -> list[bool]:
    return [seat["present"] for seat in (await service.view(match)).document["seats"]]


@on_a_loop
async def test_after_a_restart_all_players_have_time_to_reconnect(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(absent_seconds=60))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        clock.at += 10 * MINUTE
        await service.submit(lambda connection: shared_state.set_meta(connection, "alive_at", str(clock.at)))
    async with serving(tmp_path, url, now=clock) as service:
        assert (await service.view(match)).document["absent_due"] == clock.at + MINUTE
        assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        clock.at += MINUTE
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_nobody_is_claimed_absent_while_presence_cannot_be_read(postgres: Postgres, tmp_path: Path) -> None:
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
async def test_a_player_who_only_sends_requests_is_present_for_a_while_after_each(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, now=clock) as service:
        created = await service.create(match_request())
        match = created["match"]
        subscription = service.subscribe(match)
        assert await present(service, match) == [False, False]
        await move(service, created, 0, "5")
        assert await present(service, match) == [True, False]
        clock.at += POLLING_MS - 1
        service.presence.refresh()
        assert await present(service, match) == [True, False]
        await refused(move(service, created, 0, "5", seat=2))
        clock.at += 1
        assert await present(service, match) == [False, True]
        await subscription.changed()
        service.presence.refresh()
        await subscription.changed()


@on_a_loop
async def test_joining_makes_a_player_present_and_a_wrong_token_does_not(tmp_path: Path) -> None:
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
        clock.at += POLLING_MS
        service.presence.refresh()
        assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        clock.at += MINUTE - POLLING_MS
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_a_player_who_closes_the_socket_is_not_present_in_spite_of_earlier_requests(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        match = created["match"]
        await move(service, created, 0, "5")
        with service.arrived(match, Viewer(1)):
            service.presence.seen(match, Viewer(1))
            assert await present(service, match) == [True, False]
        assert await present(service, match) == [False, False]
