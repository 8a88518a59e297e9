"""Publish and subscribe: who fails harms no other, and a listener whose connection was cut connects again."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.server.hosting.model import HostedMatch, SeatHolder
from ninefold.server.storage.pubsub import Change, NotificationListener, PubSub
from tests.support import waiting
from tests.support.handlers import match_request
from tests.support.hosted_matches import move, on_a_loop, opened, serving, waiting_writer
from tests.support.postgres import Postgres
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    import pytest


def fail(_: object) -> bool:
    raise ZeroDivisionError


@on_a_loop
async def test_a_subscriber_that_fails_is_woken_and_harms_no_other() -> None:
    pubsub = PubSub()
    failing, other = pubsub.subscribe("match", fail), pubsub.subscribe("match")
    pubsub.publish("match")
    assert isinstance(await failing.changed(), Change)
    assert isinstance(await other.changed(), Change)


@on_a_loop
async def test_what_this_worker_has_written_is_not_published_again_when_it_is_notified() -> None:
    pubsub, changes = PubSub(), list[Change]()

    def note(change: Change) -> bool:
        changes.append(change)
        return True

    pubsub.subscribe("match", note)
    hosted = HostedMatch(
        "match", begin(find_game("classic")), match_request().settings, (SeatHolder("person"),) * 2, 0, 0, revision=7
    )
    pubsub.publish("match", Change(hosted))
    for revision in (6, 7):
        pubsub.publish_notified("match", revision)
    assert [change.hosted for change in changes] == [hosted]
    pubsub.publish_notified("match", 8)  # by another worker
    pubsub.publish_notified("match", None)  # somebody has come or gone
    assert [change.hosted for change in changes] == [hosted, None, None]


@on_a_loop
async def test_a_match_that_cannot_be_published_harms_no_other_of_its_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as service:
        matches = [await service.create(match_request()) for _ in range(2)]
        await service.submit(lambda _: None)  # by then their creation was published
        published: list[str] = []

        def publish(match: str, _: Change) -> None:
            published.append(match)
            fail(match)

        monkeypatch.setattr(service.pubsub, "publish", publish)
        async with waiting_writer(service):
            moves = [asyncio.ensure_future(move(service, created, 0, "5")) for created in matches]
            await asyncio.sleep(0)
        await asyncio.gather(*moves)
        await waiting.until(lambda: published == [created["match"] for created in matches])


def test_a_listener_is_cut_with_the_other_connections_and_connects_again(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    connections = threading.Semaphore(0)
    with opened(tmp_path, url) as database:
        listener = NotificationListener(url, lambda *_: None, connections.release, database.register)
        listener.start()
        try:
            wait_until(lambda: connections.acquire(blocking=False))
            database.cut()
            wait_until(lambda: connections.acquire(blocking=False))
        finally:
            listener.stop()
