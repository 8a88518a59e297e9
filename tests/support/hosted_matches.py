"""The service on an event loop with a manual clock, and its database without it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import pytest

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import MatchView
from ninefold.server.storage import store
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.database import Database
from ninefold.server.storage.service import Service
from tests.support import waiting
from tests.support.clocks import ManualClock
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from sqlalchemy import Connection

LONGEST = 300.0  # seconds that a test may take on a busy machine

P = ParamSpec("P")


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine: run on an event loop of its own, with a time limit."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), LONGEST))

    return run


@contextlib.asynccontextmanager
async def serving(
    data: Path, url: str | None = None, *, config: ServiceConfig = ServiceConfig(), **more: Any
) -> AsyncIterator[Service]:
    """A service. With a manual clock a jump of the clock is no outage."""
    if isinstance(more.get("now"), ManualClock) and config.outage_ms == ServiceConfig().outage_ms:
        config = config._replace(heartbeat_seconds=3600.0, outage_ms=2**62)
    service = Service(data, url, config=config, **more)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@contextlib.asynccontextmanager
async def waiting_writer(service: Service) -> AsyncIterator[None]:
    """Inside, the writer waits: what is submitted meanwhile is one batch."""
    begun, go_on = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        begun.set()
        go_on.wait(PATIENCE)

    waited = asyncio.ensure_future(service.submit(wait))
    await waiting.until(begun.is_set)
    try:
        yield
    finally:
        asyncio.get_running_loop().call_soon(go_on.set)
        waited.add_done_callback(lambda done: done.exception())


async def move(service: Service, created: dict[str, Any], version: int, text: str, seat: int = 0) -> dict[str, Any]:
    """A move of the seat whose turn it would be, were nothing but moves made."""
    seat = seat or 1 + version % 2
    token = created["seats"][seat]
    return await service.act(created["match"], token, f"{seat}-{version}-{text}", version, Action("move"), text)


async def say(service: Service, created: dict[str, Any], text: str, seat: int = 1) -> dict[str, Any]:
    request = f"said-{text.replace(' ', '-')}"
    return await service.act(created["match"], created["seats"][seat], request, None, actions.say(text))


async def refused(waited: Awaitable[Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await waited
    return caught.value


async def until(service: Service, match: str, holds: Callable[[MatchView], bool]) -> MatchView:
    """The view of a match once a condition holds for it."""
    subscription = service.subscribe(match)
    try:
        while not holds(document := (await service.view(match)).document):
            await subscription.changed()
        return document
    finally:
        subscription.close()


def is_at(version: int) -> Callable[[MatchView], bool]:
    return lambda document: document["version"] == version


@contextlib.contextmanager
def opened(data: Path, url: str | None) -> Iterator[Database]:
    database = Database(data, url)
    try:
        yield database
    finally:
        database.close()


def save(connection: Connection, before: HostedMatch | None, after: HostedMatch) -> None:
    changes = store.ChangeSet()
    changes.add_events(before, after)
    changes.add_match(before, after)
    changes.write(connection)


def load(database: Database, match: str) -> HostedMatch:
    with database.reading() as connection:
        return store.load(connection, [match])[match]
