"""Bugs that are planted on purpose: the simulation has to find them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING
from unittest import mock

from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import profiles, scheduler, service, store, writer
from ninefold.server.storage.reader import MatchCache
from ninefold.server.storage.schema import PLAYED_MATCHES
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
        mock.patch.object(writer, "_changed_by", return_value=[]),
        mock.patch.object(store, "_check_stored"),
        mock.patch.object(service.Service, "_on_delete", drop_now),
    ):
        yield


@contextmanager
def created_again() -> Iterator[None]:
    """Nobody looks whether a match was deleted before it is created."""
    with mock.patch.object(store, "deleted_of", return_value=set()):
        yield


@contextmanager
def rated_again() -> Iterator[None]:
    """Whatever happens to a match that has ended ends it again, and nobody looks whether it was counted."""
    record = profiles.record

    def record_ends(connection: Connection, changes: Sequence[profiles.StoredChange], now: int) -> None:
        ended = [after.id for _, after in changes if after.match.result]
        connection.execute(PLAYED_MATCHES.update().where(PLAYED_MATCHES.c.match.in_(ended)).values(ended_at=None))
        record(connection, [(None, after) if after.match.result else (before, after) for before, after in changes], now)

    with mock.patch.object(profiles, "record", record_ends):
        yield


PLANTED: dict[str, Planted] = {
    "": nullcontext,
    "acknowledged-before-commit": acknowledged_before_commit,
    "cache-without-revision": cache_without_revision,
    "created-again": created_again,
    "deleted-later": deleted_later,
    "outage-charged": outage_charged,
    "rated-again": rated_again,
}
