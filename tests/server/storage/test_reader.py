"""The cache of matches and views, and how much memory they take."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from sqlalchemy import event

from benchmarks.memory import sizes
from ninefold.server.hosting import tokens
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import stored_view
from ninefold.server.storage import schema
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.reader import MatchCache, MatchReader
from tests.support.handlers import MatchHost, match_request
from tests.support.hosted_matches import move, on_a_loop, opened, save, serving

HOSTED = MatchHost().hosted


def named(match: str, revision: int = 0) -> HostedMatch:
    return HOSTED._replace(id=match, revision=revision)


def test_the_least_recently_used_match_is_dropped() -> None:
    cache = MatchCache(2)
    cache.put(named("a"))
    cache.put(named("b"))
    assert cache.get("a")
    cache.put(named("c"))
    assert [bool(cache.get(match)) for match in "abc"] == [True, False, True]


def test_an_older_revision_does_not_replace_a_newer_one() -> None:
    cache = MatchCache(2)
    cache.put(named("a", 2))
    cache.put(named("a", 1))
    assert cache.get("a") == named("a", 2)


def test_a_reader_that_is_late_brings_no_older_revision_back() -> None:
    """Also if the newer one has been dropped meanwhile: with SQLite the cache is trusted."""
    cache = MatchCache(1)
    since = cache.moment()
    cache.put(named("a", 2))
    cache.put(named("b"))  # drops it
    cache.put(named("a", 1), since)
    assert cache.get("a") is None
    since = cache.moment()
    cache.put(named("c", 1), since)
    assert cache.get("c") == named("c", 1)
    cache.drop(["c"])  # deleted, or the database is away
    cache.put(named("c", 1), since)
    assert cache.get("c") is None


@on_a_loop
async def test_matches_that_are_asked_for_at_once_are_read_together(url: str | None, tmp_path: Path) -> None:
    ids = [tokens.new_id() for _ in range(3)]
    unreadable, unknown = tokens.new_id(), tokens.new_id()
    with opened(tmp_path, url) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            for match in (*ids, unreadable):
                save(connection, None, named(match))
            connection.execute(schema.MATCHES.update().where(schema.MATCHES.c.id == unreadable).values(head="?"))
        reader, read = MatchReader(database, MatchCache(10)), list[str]()
        event.listen(database.reader, "after_cursor_execute", lambda *call: read.append(call[2]))
        asked = (*ids, ids[0], unreadable, unknown)
        found = await asyncio.gather(*map(reader.hosted, asked), return_exceptions=True)
    assert found[:4] == [named(match) for match in asked[:4]]
    assert [getattr(one, "reason", None) for one in found[4:]] == ["unreadable_match", "no_such_match"]
    assert sum("FROM events" in statement for statement in read) == 1


def test_a_view_is_made_once_for_each_revision_and_dropped_with_its_match() -> None:
    cache = MatchCache(1)
    cache.put(named("a", 1))
    first = cache.view(named("a", 1))
    cache.put(named("a", 1))
    assert cache.view(named("a", 1)) is first
    cache.put(named("a", 2))
    second = cache.view(named("a", 2))
    assert second is not first
    assert second == stored_view(named("a", 2))
    cache.put(named("b"))
    assert cache.view(named("a", 2)) is not cache.view(named("a", 2))
    assert len(cache) == 1


def test_matches_can_be_dropped() -> None:
    cache = MatchCache(3)
    for match in "abc":
        cache.put(named(match))
    cache.drop(["a", "z"])
    assert [bool(cache.get(match)) for match in "abc"] == [False, True, True]
    cache.drop()
    assert cache.get("b") is None


@on_a_loop
async def test_a_server_with_room_for_one_match_serves_many(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, config=ServiceConfig(cached=1)) as service:
        matches = [await service.create(match_request()) for _ in range(3)]
        for version, text in enumerate("51"):
            for created in matches:
                await move(service, created, version, text)
                assert (await service.view(created["match"])).version == version + 1
        assert len(service.cache) == 1


@pytest.mark.parametrize(("game", "most"), [("classic", 20), ("squared", 120)])
def test_a_match_takes_no_more_memory_than_documented(game: str, most: float) -> None:
    """In a process of its own, where no other test allocates or has filled a cache."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        assert 1 < sum(process.submit(sizes, game, 5).result()) < most
