"""The server's clock, and clocks of machines that are set back or forward: nobody loses time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ninefold.match import actions
from ninefold.server.hosting.commands import ClockRequest
from ninefold.server.hosting.deadlines import DAY_MS
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from ninefold.server.storage.steady_clock import MOST_AHEAD_MS, SteadyClock
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, SECOND, match_request
from tests.support.hosted_matches import move, on_a_loop, serving
from tests.support.postgres import Postgres

HOUR = 60 * MINUTE


def test_a_clock_that_is_set_back_goes_on_from_where_it_was() -> None:
    manual = ManualClock(10 * HOUR)
    clock = SteadyClock(manual)
    manual.at -= HOUR
    assert clock.now() == 10 * HOUR
    manual.at += 5
    assert clock.now() == 10 * HOUR + 5


def test_threads_that_ask_at_the_same_time_do_not_set_the_clock_forward() -> None:
    manual = ManualClock(10 * HOUR)
    others: list[threading.Thread] = []

    def read() -> int:
        at = manual.at
        if others and others[0].ident is None:  # while this one reads, another asks, and reads a later time
            manual.at += HOUR
            others[0].start()
            others[0].join(0.05)
        return at

    clock = SteadyClock(read)
    others.append(threading.Thread(target=clock.now))
    clock.now()
    others[0].join()
    assert clock.now() == manual.at


def test_a_clock_starts_after_what_was_stored_unless_that_is_absurd() -> None:
    for stored, expected in (
        (10 * HOUR - 1, 10 * HOUR),
        (11 * HOUR, 11 * HOUR),
        (10 * HOUR + MOST_AHEAD_MS + 1, 10 * HOUR),
    ):
        clock = SteadyClock(ManualClock(10 * HOUR))
        clock.start_after(stored)
        assert clock.now() == expected


async def left(service: Service, match: str) -> tuple[int, int]:
    shown = (await service.view(match)).document["clock"]
    assert shown
    return shown["X"], shown["O"]


@pytest.mark.parametrize("step", [-HOUR, HOUR, -3 * MOST_AHEAD_MS, 3 * MOST_AHEAD_MS])
@on_a_loop
async def test_a_clock_that_steps_between_two_starts_and_back_again_flags_nobody(
    url: str | None, tmp_path: Path, step: int
) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(clock=ClockRequest(60)))
        await move(service, created, 0, "5")
    clock.at += step
    async with serving(tmp_path, url, now=clock) as service:
        clock.at += SECOND
        await move(service, created, 1, "1")
        clock.at += SECOND
        await move(service, created, 2, "2")
    clock.at += SECOND - step
    async with serving(tmp_path, url, now=clock) as service:
        clock.at += SECOND
        x, o = await left(service, created["match"])
        assert 59 * SECOND <= x <= MINUTE
        assert 58 * SECOND <= o <= MINUTE
        assert (await service.view(created["match"])).document["status"] == "live"


@on_a_loop
async def test_a_clock_that_is_set_far_forward_deletes_nothing(url: str | None, tmp_path: Path) -> None:
    clock, config = ManualClock(), ServiceConfig(keep_days=30)
    async with serving(tmp_path, url, now=clock, config=config) as service:
        created = await service.create(match_request())
        await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
    clock.at += 3650 * DAY_MS
    async with serving(tmp_path, url, now=clock, config=config) as service:
        clock.at += 29 * DAY_MS
        await service.scheduler.prune()
        await service.scheduler.delete_old_matches()
        assert (await service.view(created["match"])).document["status"] == "ended"


@on_a_loop
async def test_workers_go_by_the_clock_of_their_database(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    async with serving(tmp_path, url) as one, serving(tmp_path, url) as other:
        (shown,) = postgres.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        assert abs(one.now() - other.now()) < HOUR
        assert abs(shown - one.now()) < HOUR


@on_a_loop
async def test_a_machine_that_slept_flags_nobody_when_it_wakes(url: str | None, tmp_path: Path) -> None:
    """Also if a move, or the look for deadlines, comes before the next heartbeat."""
    clock = ManualClock()
    config = ServiceConfig(heartbeat_seconds=3600.0, outage_ms=MINUTE, sweep_seconds=0.01)
    async with serving(tmp_path, url, now=clock, config=config) as service:
        created = await service.create(match_request(clock=ClockRequest(60)))
        await move(service, created, 0, "5")
        clock.at += HOUR
        assert (await move(service, created, 1, "1"))["version"] == 2
        assert await left(service, created["match"]) == (MINUTE, MINUTE)
