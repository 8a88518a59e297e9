"""Kept matches in a database: loading them, and writing what has changed. It knows SQL and no rules."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, Row, Table, bindparam, delete, select, text, tuple_, update
from sqlalchemy.exc import DBAPIError

from ninefold.match.clock import ClockState, Outages, TimeControl
from ninefold.match.log import event_fields, head_fields, read_log
from ninefold.server.hosting.deadlines import next_deadline
from ninefold.server.hosting.model import HostedMatch, SeatHolder, Settings, StoredResponse
from ninefold.server.storage.schema import (
    ANSWERS,
    CHAIRS,
    EVENTS,
    MATCHES,
    META,
    OF_A_MATCH,
    OUTAGES,
    PRESENCE,
    REFUSED,
)

CHANNEL = "ninefold"

log = logging.getLogger(__name__)

Rows = list[dict[str, Any]]


def load(connection: Connection, ids: Sequence[str]) -> dict[str, HostedMatch]:
    """The matches with these ids, as they are kept. One that cannot be read is left out, and harms no other."""
    if not ids:
        return {}
    parts = {table: _by_match(connection, table, ids) for table in (EVENTS, CHAIRS, ANSWERS, REFUSED)}
    found = {}
    for row in connection.execute(_CHOSEN, {"ids": ids}):
        try:
            found[row.id] = _kept(row, *(parts[table].get(row.id, []) for table in (EVENTS, CHAIRS, ANSWERS, REFUSED)))
        except Exception as error:
            log.error("match %s cannot be read", row.id, exc_info=error)
    return found


def _by_match(connection: Connection, table: Table, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    found: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(_OF_MATCHES[table], {"ids": ids}):
        found.setdefault(row.match, []).append(row)
    return found


def _kept(
    row: Row[Any], events: Sequence[Any], seat_holders: Sequence[Any], answers: Sequence[Any], refused: Sequence[Any]
) -> HostedMatch:
    settings = {"show_moves": True, **json.loads(row.settings)}  # older matches did not say
    clock = settings.pop("clock")
    first, second = (SeatHolder(*seat_holder[2:]) for seat_holder in seat_holders)
    time = json.loads(row.clock) if row.clock else None
    return HostedMatch(
        row.id,
        read_log("\n".join([row.head, *(event.body for event in events)])),
        Settings(clock=TimeControl(*clock) if clock else None, **settings),
        (first, second),
        row.created_at,
        row.touched_at,
        ClockState((time[0], time[1]), time[2]) if time else None,
        row.watch,
        row.rematch,
        row.lease_until,
        {(answer.seat, answer.request): StoredResponse(answer.body, answer.text) for answer in answers},
        tuple((line.number, line.body) for line in refused),
        row.revision,
    )


def lock(connection: Connection, ids: Iterable[str]) -> dict[str, int]:
    """The revisions of matches; nobody else writes them now. Asked for in one order, so that nobody waits in a ring."""
    return {row.id: row.revision for row in connection.execute(_LOCKED, {"ids": sorted(ids)})}


def revision(connection: Connection, match: str) -> int | None:
    found = connection.execute(_REVISION, {"match": match}).first()
    return None if found is None else int(found.revision)


class Changes:
    """What a batch of writes has changed, written with one statement a table."""

    def __init__(self) -> None:
        self.new: Rows = []
        self.changed: Rows = []
        self.events: Rows = []
        self.new_chairs: Rows = []
        self.seat_holders: Rows = []
        self.answers: Rows = []
        self.refused: Rows = []
        self.outdated: Rows = []

    def log(self, before: HostedMatch | None, after: HostedMatch) -> None:
        """One write: its events, with what it left on the clocks."""
        known = len(before.match.events) if before else 0
        left = json.dumps(after.clock.left) if after.clock else None
        for index, event in enumerate(after.match.events[known:], known):
            body = json.dumps(event_fields(event), ensure_ascii=False)
            self.events.append({"match": after.id, "index": index, "at": event.at, "left": left, "body": body})

    def add(self, before: HostedMatch | None, after: HostedMatch, outages: Outages) -> None:
        """All writes to a match: everything but the events."""
        (self.changed if before else self.new).append(_match_row(after, outages))
        for seat, seat_holder in enumerate(after.seat_holders, 1):
            if before is None or seat_holder != before.seat_holders[seat - 1]:
                rows = self.seat_holders if before else self.new_chairs
                rows.append({"match": after.id, "seat": seat, **seat_holder._asdict()})
        for key, answer in after.responses.items() if before is None or after.responses is not before.responses else ():
            if before is None or key not in before.responses:
                self.answers.append({"match": after.id, "seat": key[0], "request": key[1], **answer._asdict()})
        oldest, newest = (before.refused[0][0], before.refused[-1][0]) if before and before.refused else (0, 0)
        self.refused += [{"match": after.id, "number": n, "body": body} for n, body in after.refused if n > newest]
        if after.refused and after.refused[0][0] > oldest > 0:
            self.outdated.append({"match": after.id, "number": after.refused[0][0]})

    def write(self, connection: Connection, tell: Sequence[str] = ()) -> None:
        """With PostgreSQL ``tell`` is told to the other workers, and all of it goes there and back at once."""
        with _pipeline(connection):
            self._write(connection)
            if tell:
                notify(connection, tell)

    def _write(self, connection: Connection) -> None:
        for statement, rows in (
            (_INSERT[MATCHES], self.new),
            (_INSERT[EVENTS], self.events),
            (_INSERT[ANSWERS], self.answers),
            (_INSERT[REFUSED], self.refused),
            (_INSERT[CHAIRS], self.new_chairs),
            (_UPDATE_MATCH, self.changed),
            (_UPDATE_CHAIR, self.seat_holders),
            (_TRIM_REFUSED, self.outdated),
        ):
            if rows:
                connection.execute(statement, rows if statement.is_insert else [_keyed(row) for row in rows])


@contextmanager
def _pipeline(connection: Connection) -> Iterator[None]:
    if connection.dialect.name != "postgresql":
        yield
        return
    driver: Any = connection.connection.driver_connection
    errors = connection.dialect.loaded_dbapi.Error
    try:
        with driver.pipeline():
            yield
    except errors as error:  # what went wrong is told at the end, and by the driver
        raise DBAPIError.instance(None, None, error, errors, dialect=connection.dialect) from None


def _keyed(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its values under second names too: a column that is set cannot lend its name to the condition."""
    return row | {f"the_{name}": row[name] for name in ("id", "match", "seat", "number") if name in row}


# Made once: making a statement takes longer than carrying it out.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_CHOSEN = MATCHES.select().where(MATCHES.c.id.in_(_IDS))
_REVISIONS = select(MATCHES.c.id, MATCHES.c.revision).where(MATCHES.c.id.in_(_IDS))
_LOCKED = _REVISIONS.order_by(MATCHES.c.id).with_for_update()
_GONE = PRESENCE.delete().where(
    PRESENCE.c.match == bindparam("the_match"),
    PRESENCE.c.worker == bindparam("the_worker"),
    PRESENCE.c.role == bindparam("the_role"),
)
_NOTIFY = text("SELECT pg_notify(:channel, :told)")
_REVISION = select(MATCHES.c.revision).where(MATCHES.c.id == bindparam("match"))
_OF_MATCHES = {
    table: table.select().where(table.c.match.in_(_IDS)).order_by(*table.primary_key)
    for table in (EVENTS, CHAIRS, ANSWERS, REFUSED)
}
_INSERT = {table: table.insert() for table in (MATCHES, EVENTS, CHAIRS, ANSWERS, REFUSED)}
_UPDATE_MATCH = update(MATCHES).where(MATCHES.c.id == bindparam("the_id"))
_UPDATE_CHAIR = update(CHAIRS).where(CHAIRS.c.match == bindparam("the_match"), CHAIRS.c.seat == bindparam("the_seat"))
_TRIM_REFUSED = delete(REFUSED).where(
    REFUSED.c.match == bindparam("the_match"), REFUSED.c.number < bindparam("the_number")
)


def _match_row(hosted: HostedMatch, outages: Outages) -> dict[str, Any]:
    deadline = next_deadline(hosted, outages)
    return {
        "id": hosted.id,
        "head": json.dumps(head_fields(hosted.match.setup), ensure_ascii=False),
        "settings": json.dumps(hosted.settings._asdict()),
        "status": hosted.status,
        "private": int(hosted.settings.private),
        "revision": hosted.revision,
        "version": hosted.match.version,
        "created_at": hosted.created_at,
        "touched_at": hosted.touched_at,
        "due_at": deadline.at if deadline else None,
        "computer": hosted.computer_to_act,
        "lease_until": hosted.lease_until,
        "clock": json.dumps([*hosted.clock.left, hosted.clock.since]) if hosted.clock else None,
        "watch": hosted.watch,
        "rematch": hosted.rematch,
    }


def due_matches(connection: Connection, now: int, most: int) -> list[str]:
    chosen = select(MATCHES.c.id).where(MATCHES.c.due_at <= now).order_by(MATCHES.c.due_at).limit(most)
    return list(connection.execute(chosen).scalars())


def quarantine(connection: Connection, ids: Sequence[str]) -> None:
    """Nothing is due any more in matches that cannot be read: nobody could do it."""
    connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ids)).values(due_at=None, computer=0))


def orphaned(connection: Connection, now: int, most: int) -> list[str]:
    """Matches that wait for a computer whom nobody computes."""
    chosen = select(MATCHES.c.id).where(MATCHES.c.computer > 0, MATCHES.c.lease_until < now).limit(most)
    return list(connection.execute(chosen).scalars())


def end_leases(connection: Connection, ids: Sequence[str] | None = None) -> None:
    """Nobody computes any more in these matches, or in any."""
    which = MATCHES.c.computer > 0 if ids is None else MATCHES.c.id.in_(ids)
    connection.execute(update(MATCHES).where(which).values(lease_until=0, revision=MATCHES.c.revision + 1))


def listed(
    connection: Connection, status: str, before: tuple[int, str] | None, most: int
) -> Sequence[Row[Any, Any, Any]]:
    """Public matches, the newest first, or those that come after one: its time and its id, since many have one time."""
    order = (MATCHES.c.created_at, MATCHES.c.id)
    chosen = select(*order, MATCHES.c.revision).where(MATCHES.c.status == status, MATCHES.c.private == 0)
    if before:
        chosen = chosen.where(tuple_(*order) < before)
    return connection.execute(chosen.order_by(*(column.desc() for column in order)).limit(most)).all()


def counts(connection: Connection) -> dict[str, int]:
    """How many matches are open and live. The ended ones are too many to be counted often."""
    rows = connection.execute(
        text("SELECT status, count(*) FROM matches WHERE status IN ('open', 'live') GROUP BY status")
    )
    return {status: int(count) for status, count in rows}


def ended_before(connection: Connection, moment: int, most: int) -> list[str]:
    """Old matches; one that somebody writes to just now is left for later, so that nobody waits in a ring."""
    chosen = select(MATCHES.c.id).where(MATCHES.c.status == "ended", MATCHES.c.touched_at < moment).limit(most)
    return list(connection.execute(chosen.with_for_update(skip_locked=True)).scalars())


def forget(connection: Connection, ids: Sequence[str]) -> None:
    for table in OF_A_MATCH:
        connection.execute(table.delete().where(table.c.match.in_(ids)))
    connection.execute(MATCHES.delete().where(MATCHES.c.id.in_(ids)))


def going_on(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of some matches that have not ended."""
    chosen = select(MATCHES.c.id).where(MATCHES.c.id.in_(ids), MATCHES.c.status != "ended")
    return set(connection.execute(chosen).scalars())


def secret(connection: Connection) -> bytes:
    return bytes.fromhex(connection.execute(select(META.c.value).where(META.c.key == "secret")).scalar_one())


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Several workers do this at once: deleting and inserting would not do."""
    upsert = "INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = :value"
    connection.execute(text(upsert), {"key": key, "value": value})


def get_meta(connection: Connection, key: str) -> str | None:
    return connection.execute(select(META.c.value).where(META.c.key == key)).scalar()


def outages(connection: Connection) -> list[tuple[int, int]]:
    return [(row.began, row.ended) for row in connection.execute(OUTAGES.select().order_by(OUTAGES.c.began))]


def add_outage(connection: Connection, began: int, ended: int) -> None:
    upsert = (
        "INSERT INTO outages (began, ended) VALUES (:began, :ended) ON CONFLICT (began) DO UPDATE SET ended = :ended"
    )
    connection.execute(text(upsert), {"began": began, "ended": ended})


def forget_outages(connection: Connection, began: Sequence[int]) -> None:
    connection.execute(OUTAGES.delete().where(OUTAGES.c.began.in_(began)))


class PresenceRow(NamedTuple):
    """How many sockets a worker has open for a role."""

    match: str
    role: str
    worker: str
    sockets: int
    seen_at: int


def tell_presence(connection: Connection, there: Sequence[PresenceRow], *, tell: bool) -> None:
    """Write down who is there, and tell the other workers if it is news."""
    rows = [one._asdict() for one in there]
    connection.execute(_GONE, [{f"the_{name}": row[name] for name in ("match", "worker", "role")} for row in rows])
    connection.execute(PRESENCE.insert(), rows)
    if tell:
        notify(connection, [f"{one.match}:" for one in there])


def forget_presence(connection: Connection, before: int) -> None:
    """Workers that died have left it behind."""
    connection.execute(PRESENCE.delete().where(PRESENCE.c.seen_at < before))


def notify(connection: Connection, told: Sequence[str]) -> None:
    """Tell the other workers, once this is committed."""
    connection.execute(_NOTIFY, [{"channel": CHANNEL, "told": one} for one in told])


def presence(connection: Connection, match: str) -> list[Row[Any]]:
    return list(connection.execute(PRESENCE.select().where(PRESENCE.c.match == match)))
