"""Bugs that are planted on purpose: the simulation has to find them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING
from unittest import mock

from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import scheduler, service, store, writer
from ninefold.server.storage.reader import MatchCache
from tests.support.simulation.disk import SimulatedConnection
from tests.support.simulation.simulation import Planted
from tests.support.simulation.world import SimulatedThread

if TYPE_CHECKING:
    from sqlalchemy import Connection


@contextmanager
def acknowledged_before_commit() -> Iterator[None]:
    """The writer goes on, and answers, while its transaction is committed in the background."""
    commit = SimulatedConnection.commit

    def commit_later(connection: SimulatedConnection) -> None:
        with suppress(sqlite3.Error):
            commit(connection)

    def begin_to_commit(self: SimulatedConnection) -> None:
        thread = self.disk.world.thread
        if self.is_writing and thread and thread.name == "ninefold-writer":
            SimulatedThread(self.disk.world, lambda: commit_later(self), "commits").start()
        else:
            commit(self)

    with mock.patch.object(SimulatedConnection, "commit", begin_to_commit):
        yield


class ForgetfulCache(MatchCache):
    """Takes any revision for the latest."""

    def put(self, hosted: HostedMatch, *_: object) -> None:
        self.drop([hosted.id])
        super().put(hosted)


@contextmanager
def cache_without_revision() -> Iterator[None]:
    """A slow reader puts the state that it has read over a newer one."""
    with mock.patch.object(service, "MatchCache", ForgetfulCache):
        yield


@contextmanager
def outage_charged() -> Iterator[None]:
    """The server does not notice that it was away."""
    record = scheduler.record_heartbeat

    def record_without_outage(connection: Connection, now: int, _: int) -> list[tuple[int, int]]:
        return record(connection, now, 10**15)

    with mock.patch.object(scheduler, "record_heartbeat", record_without_outage):
        yield


@contextmanager
def deleted_later() -> Iterator[None]:
    """A deleted match stays in the cache until the event loop hears of it, and nobody looks whether it is stored."""
    on_delete = service.Service._on_delete

    def drop_now(self: service.Service, matches: list[str]) -> None:
        self.cache.drop(matches)
        on_delete(self, matches)

    with (
        mock.patch.object(writer, "_deleted_by", return_value=[]),
        mock.patch.object(store, "_check_stored"),
        mock.patch.object(service.Service, "_on_delete", drop_now),
    ):
        yield


PLANTED: dict[str, Planted] = {
    "": nullcontext,
    "acknowledged-before-commit": acknowledged_before_commit,
    "cache-without-revision": cache_without_revision,
    "deleted-later": deleted_later,
    "outage-charged": outage_charged,
}
