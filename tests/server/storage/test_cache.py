"""What is held in memory, and how much of it there can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.memory import sizes
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import StoredView, stored_view
from ninefold.server.storage.cache import Cache
from ninefold.server.storage.service import Limits
from tests.support.handlers import MatchHost, match_request
from tests.support.hosted_matches import move, on_a_loop, serving

KEPT = MatchHost().hosted


def named(match: str, revision: int = 0) -> HostedMatch:
    return KEPT._replace(id=match, revision=revision)


def tell(hosted: HostedMatch) -> StoredView:
    return {**stored_view(hosted), "size": hosted.revision}


def test_who_was_asked_for_longest_ago_is_let_go() -> None:
    cache = Cache(2)
    cache.put(named("a"))
    cache.put(named("b"))
    assert cache.get("a")
    cache.put(named("c"))
    assert [bool(cache.get(match)) for match in "abc"] == [True, False, True]


def test_a_match_is_never_older_than_it_was() -> None:
    cache = Cache(2)
    cache.put(named("a", 2))
    cache.put(named("a", 1))
    assert cache.get("a") == named("a", 2)


def test_a_view_is_made_once_a_revision_and_leaves_with_its_match() -> None:
    cache = Cache(1)
    cache.put(named("a", 1))
    first = cache.told(named("a", 1), tell)
    cache.put(named("a", 1))
    assert cache.told(named("a", 1), tell) is first
    cache.put(named("a", 2))
    assert cache.told(named("a", 2), tell) == tell(named("a", 2))
    cache.put(named("b"))
    assert cache.told(named("a", 2), tell) is not cache.told(named("a", 2), tell)
    assert len(cache._held) == 1


def test_what_is_dropped_is_gone() -> None:
    cache = Cache(3)
    for match in "abc":
        cache.put(named(match))
    cache.drop(["a", "z"])
    assert [bool(cache.get(match)) for match in "abc"] == [False, True, True]
    cache.drop()
    assert cache.get("b") is None


@on_a_loop
async def test_a_server_that_holds_one_match_plays_many(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, limits=Limits(cached=1)) as service:
        matches = [await service.create(match_request()) for _ in range(3)]
        for version, text in enumerate("51"):
            for created in matches:
                await move(service, created, version, text)
                assert (await service.view(created["match"])).version == version + 1
        assert len(service._cache._held) == 1


@pytest.mark.parametrize(("game", "most"), [("classic", 20), ("squared", 120)])
def test_a_match_takes_no_more_memory_than_the_documents_say(game: str, most: float) -> None:
    assert 1 < sum(sizes(game, 5)) < most
