"""SQL for what workers share besides matches: meta values, outages of the server, and presence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, select
from sqlalchemy import text as sql

from ninefold.server.storage.schema import META, OUTAGES, PRESENCE
from ninefold.server.storage.steady_clock import MOST_AHEAD_MS
from ninefold.server.storage.store import notify as notify_workers

_DELETE_PRESENCE = PRESENCE.delete().where(
    PRESENCE.c.match == bindparam("the_match"),
    PRESENCE.c.worker == bindparam("the_worker"),
    PRESENCE.c.role == bindparam("the_role"),
)


def secret(connection: Connection) -> bytes:
    return bytes.fromhex(connection.execute(select(META.c.value).where(META.c.key == "secret")).scalar_one())


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Insert or update in one statement: several workers do this at the same time."""
    upsert = "INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = :value"
    connection.execute(sql(upsert), {"key": key, "value": value})


def get_meta(connection: Connection, key: str) -> str | None:
    return connection.execute(select(META.c.value).where(META.c.key == key)).scalar()


def alive_at(connection: Connection) -> int | None:
    """When a server last stored that it runs."""
    stored = get_meta(connection, "alive_at")
    return None if stored is None else int(stored)


def database_time(connection: Connection) -> int:
    """The time of PostgreSQL's clock, in milliseconds: workers on several machines go by one clock."""
    return int(connection.execute(sql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")).scalar_one())


def operator_time(connection: Connection) -> int:
    """The time for a command of the operator, by the clock of the servers of this database."""
    if connection.dialect.name == "postgresql":
        return database_time(connection)
    now, stored = time.time_ns() // 1_000_000, alive_at(connection) or 0
    return stored if now < stored <= now + MOST_AHEAD_MS else now


def outages(connection: Connection) -> list[tuple[int, int]]:
    return [(row.began, row.ended) for row in connection.execute(OUTAGES.select().order_by(OUTAGES.c.began))]


def add_outage(connection: Connection, began: int, ended: int) -> None:
    upsert = (
        "INSERT INTO outages (began, ended) VALUES (:began, :ended) ON CONFLICT (began) DO UPDATE SET ended = :ended"
    )
    connection.execute(sql(upsert), {"began": began, "ended": ended})


def delete_outages(connection: Connection, began: Sequence[int]) -> None:
    connection.execute(OUTAGES.delete().where(OUTAGES.c.began.in_(began)))


class PresenceRow(NamedTuple):
    """How many sockets a worker has open for a role."""

    match: str
    role: str
    worker: str
    sockets: int
    seen_at: int


def write_presence(connection: Connection, presence: Sequence[PresenceRow], *, notify: bool) -> None:
    """Store who is connected to a worker, and notify the other workers if that has changed."""
    rows = [one._asdict() for one in presence]
    connection.execute(
        _DELETE_PRESENCE, [{f"the_{name}": row[name] for name in ("match", "worker", "role")} for row in rows]
    )
    connection.execute(PRESENCE.insert(), rows)
    if notify:
        notify_workers(connection, [f"{one.match}:" for one in presence])


def delete_presence(connection: Connection, before: int) -> None:
    """Delete what workers that died have left behind."""
    connection.execute(PRESENCE.delete().where(PRESENCE.c.seen_at < before))


def presence(connection: Connection, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    """Who is at these matches, at which worker."""
    found: dict[str, list[Row[Any]]] = {match: [] for match in ids}
    for row in connection.execute(_PRESENCE, {"ids": ids}):
        found[row.match].append(row)
    return found


_PRESENCE = PRESENCE.select().where(PRESENCE.c.match.in_(bindparam("ids", expanding=True)))
