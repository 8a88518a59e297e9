"""Quick pairing: strangers who ask for the same are put into one match."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ninefold.server.hosting.commands import ClockRequest, SeatRequest
from ninefold.server.hosting.model import Viewer
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, match_request
from tests.support.hosted_matches import on_a_loop, refused, serving

BLITZ = ClockRequest(180, 2)


@on_a_loop
async def test_two_strangers_who_ask_for_the_same_are_paired(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        first, second = await asyncio.gather(*(service.pair("classic", BLITZ, name) for name in ("Ann", "Ben")))
        assert first["match"] == second["match"]
        assert {first["waiting"], second["waiting"]} == {True, False}
        assert {first["seat"], second["seat"]} == {1, 2}
        assert {first["side"], second["side"]} == {"X", "O"}
        found = (await service.view(first["match"])).document
        assert found["status"] == "live"
        assert {seat["name"] for seat in found["seats"]} == {"Ann", "Ben"}
        third = await service.pair("classic", BLITZ, "Cem")
        assert third["match"] != first["match"]


@on_a_loop
async def test_another_game_clock_or_rule_and_a_private_match_is_not_the_same(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        seats = (SeatRequest(), SeatRequest("open"))
        await service.create(match_request("classic", "human", "open", clock=BLITZ, options={"early_draw": "no"}))
        await service.create(match_request("classic", "human", "open", clock=BLITZ, private=True)._replace(seats=seats))
        waiting = [
            await service.pair("classic", None, "Ann"),
            await service.pair("classic", BLITZ, "Ben"),
            await service.pair("swap-nine", BLITZ, "Cem"),
        ]
        assert all(one["waiting"] for one in waiting)


@on_a_loop
async def test_whoever_has_gone_away_is_passed_over(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, now=clock) as service:
        gone = await service.pair("ultimate", None, "Ann")
        service.connect(gone["match"], Viewer(gone["seat"])).close()
        stays = await service.pair("ultimate", None, "Ben")
        assert stays["waiting"]
        with service.connect(stays["match"], Viewer(stays["seat"])):
            clock.at += MINUTE
            assert (await service.pair("ultimate", None, "Cem"))["match"] == stays["match"]


@on_a_loop
async def test_a_repeated_request_gets_the_same_seat_and_not_the_opposite_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        for name in ("Ann", "Ben"):
            first = await service.pair("classic", None, name, f"a request of {name}".replace(" ", "-"))
            assert await service.pair("classic", None, name, f"a request of {name}".replace(" ", "-")) == first
        assert not first["waiting"]
        assert (await refused(service.pair("chess", None))).reason == "no_such_game"


@on_a_loop
async def test_a_repeated_request_is_answered_also_if_another_device_has_the_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        first = await service.pair("classic", None, "Ann", "a-request-of-Ann")
        code = (await service.handover(first["match"], first["token"], "to-the-phone"))["code"]
        await service.join(first["match"], code)
        assert await service.pair("classic", None, "Ann", "a-request-of-Ann") == first
    async with serving(tmp_path) as service:  # which does not know the first token
        assert (await refused(service.pair("classic", None, "Ann", "a-request-of-Ann"))).reason == "request_reused"


@on_a_loop
async def test_a_request_whose_match_was_deleted_takes_no_other_seat_while_it_is_remembered(
    url: str | None, tmp_path: Path
) -> None:
    """Else a late repeat would leave another stranger with an opponent who never comes."""
    async with serving(tmp_path, url) as service:
        deleted = await service.pair("classic", None, "Ann", "a-request-of-Ann")
        await service.pair("classic", None, "Ben", "a-request-of-Ben")
        await service.scheduler.delete([deleted["match"]])
        waits = await service.pair("classic", None, "Cem", "a-request-of-Cem")
        for name in ("Ann", "Ben"):
            again = service.pair("classic", None, name, f"a-request-of-{name}")
            assert (await refused(again)).reason == "no_such_match"
        assert (await service.view(waits["match"])).document["status"] == "open"


@on_a_loop
async def test_who_waited_in_a_match_that_was_deleted_takes_no_other_seat_after_a_restart(
    url: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, url) as service:
        deleted = await service.pair("classic", None, "Ann", "a-request-of-Ann")
        await service.scheduler.delete([deleted["match"]])
        waits = await service.pair("classic", None, "Ben", "a-request-of-Ben")
    async with serving(tmp_path, url) as service:
        assert (await refused(service.pair("classic", None, "Ann", "a-request-of-Ann"))).reason == "no_such_match"
        assert (await service.view(waits["match"])).document["status"] == "open"


@on_a_loop
async def test_a_request_repeated_after_a_restart_gets_the_same_seat(url: str | None, tmp_path: Path) -> None:
    clock, keys = ManualClock(), {"Ann": "a-request-of-Ann", "Ben": "a-request-of-Ben"}
    async with serving(tmp_path, url, now=clock) as service:
        answers = {"Ann": await service.pair("classic", BLITZ, "Ann", keys["Ann"])}
        with service.connect(answers["Ann"]["match"], Viewer(answers["Ann"]["seat"])):
            clock.at += MINUTE
            answers["Ben"] = await service.pair("classic", BLITZ, "Ben", keys["Ben"])
        waits = await service.pair("classic", BLITZ, "Cem", "a-request-of-Cem")
        assert [answers["Ann"]["match"], waits["waiting"]] == [answers["Ben"]["match"], True]
    async with serving(tmp_path, url, now=clock) as service:
        for name in ("Ben", "Ann"):  # who comes back first finds a match that nobody is at
            assert await service.pair("classic", BLITZ, name, keys[name]) == answers[name]
        assert await service.pair("classic", BLITZ, "Cem", "a-request-of-Cem") == waits
