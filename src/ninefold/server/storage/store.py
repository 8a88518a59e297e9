"""SQL for hosted matches: loading them, and writing what has changed. It knows no rules."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Table,
    bindparam,
    delete,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError

from ninefold.match.clock import ClockState, Outages, TimeControl, first_lag_quotas
from ninefold.match.log import continue_log, event_json, head_fields, read_log
from ninefold.match.match import Match
from ninefold.match.state import Setup
from ninefold.server.hosting.deadlines import next_deadline
from ninefold.server.hosting.model import HostedMatch, Responses, SeatHolder, Settings, StoredResponse
from ninefold.server.storage.schema import (
    DELETED_MATCHES,
    MATCH_TABLES,
    MATCHES,
    PRESENCE,
    REFUSED,
    SEAT_HOLDERS,
)

CHANNEL = "ninefold"
MOST_ATTENDED = 30_000  # SQLite takes a few more parameters than that

log: logging.Logger = logging.getLogger(__name__)

Rows = list[dict[str, Any]]


def load(
    connection: Connection, ids: Sequence[str], cached: Mapping[str, HostedMatch] = MappingProxyType({})
) -> dict[str, HostedMatch]:
    """The matches with these ids. One that cannot be read is logged and left out.

    Of the log of a cached match only the end is read, which continues it; everything else of it is read again. If that
    does not fit, the whole match is read.
    """
    if not ids:
        return {}
    older = {match: cached[match] for match in ids if match in cached and cached[match].match.events}
    events = _events(connection, {match: len(older[match].match.events) - 1 if match in older else 0 for match in ids})
    parts = [_by_match(connection, table, ids) for table in (SEAT_HOLDERS, REFUSED)]
    found, misfits = {}, []
    for row in connection.execute(_BY_ID, {"ids": ids}):
        stored, before = events.get(row.id, []), older.get(row.id)
        try:
            log_of_match = _continued(before, row, stored) if before else _whole(row, stored)
            found[row.id] = _hosted_match(row, log_of_match, *(part.get(row.id, []) for part in parts))
        except Exception as error:
            if before:
                misfits.append(row.id)
            else:
                log.error("match unreadable", exc_info=error, extra={"facts": {"match": row.id}})
    return found | load(connection, misfits)


class EventRow(NamedTuple):
    """The line of an event, and the request that led to it. Other events of the same request have none."""

    body: str
    seat: int | None
    request: str | None
    digest: str | None
    response: str | None


class StoredLog(NamedTuple):
    """The log of a match, and the responses that are stored with its events."""

    match: Match
    responses: Responses


def _events(connection: Connection, since: Mapping[str, int]) -> dict[str, list[EventRow]]:
    """The stored events of each match, from one on."""
    statement = with_pairs(connection, _EVENTS_SINCE, len(since))
    found: dict[str, list[EventRow]] = {}
    for match, *fields in connection.exec_driver_sql(statement, tuple(chain.from_iterable(since.items()))):
        found.setdefault(match, []).append(EventRow(*fields))
    return found


def with_pairs(connection: Connection, statement: str, count: int) -> str:
    """A statement with so many pairs of parameters in its braces, as the driver wants them."""
    return statement.format(", ".join([_PAIR[connection.dialect.paramstyle]] * count))


def _whole(row: Row[Any], events: Sequence[EventRow]) -> StoredLog:
    match = read_log("\n".join([row.head, *(event.body for event in events)]))
    return StoredLog(match, _with_responses(Responses(), events))


def _continued(cached: HostedMatch, row: Row[Any], events: Sequence[EventRow]) -> StoredLog:
    """A cached match with what followed, from its last event on. Raises an error unless it is an earlier state of the
    stored one: it may be of another match with the same id, or of a state that the database has lost."""
    match, (last, *following) = cached.match, events
    is_earlier = (
        cached.revision < row.revision
        and cached.created_at == row.created_at
        and _head_text(match.setup) == row.head
        and last.body == event_json(match.events[-1])
    )
    if not is_earlier or (continued := continue_log(match, [one.body for one in following])).version != row.version:
        raise ValueError("the cached match is not an earlier state of the stored one")
    return StoredLog(continued, _with_responses(cached.responses, following))


def _with_responses(known: Responses, events: Sequence[EventRow]) -> Responses:
    """The known responses and those of some events, in a new object: others may go on from the same cached match."""
    found = dict(known)
    for _, seat, request, digest, response in events:
        if seat is not None and request is not None and digest is not None and response is not None:
            found[seat, request] = StoredResponse(digest, response)
    return Responses({key: (number, response) for number, (key, response) in enumerate(found.items())})


def _by_match(connection: Connection, table: Table, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    found: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(_OF_MATCHES[table], {"ids": ids}):
        found.setdefault(row.match, []).append(row)
    return found


def _hosted_match(row: Row[Any], stored: StoredLog, seat_holders: Sequence[Any], refused: Sequence[Any]) -> HostedMatch:
    # Older matches did not say everything.
    settings = {"show_moves": True, "show_lines": True, "rated": False, **json.loads(row.settings)}
    clock = settings.pop("clock")
    first, second = (SeatHolder(*seat_holder[2:]) for seat_holder in seat_holders)
    return HostedMatch(
        row.id,
        stored.match,
        Settings(clock=TimeControl(*clock) if clock else None, **settings),
        (first, second),
        row.created_at,
        row.touched_at,
        _read_clock(row.clock, TimeControl(*clock)) if row.clock and clock else None,
        row.watch,
        row.rematch,
        row.lease_until,
        stored.responses,
        tuple((line.number, line.body) for line in refused),
        row.revision,
        row.due_at,
    )


def lock(connection: Connection, ids: Iterable[str]) -> dict[str, int]:
    """Lock matches for writing; returns their revisions. They are locked in one order, which avoids deadlocks."""
    return {row.id: row.revision for row in connection.execute(_LOCK, {"ids": sorted(ids)})}


def revisions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The revisions of those of these matches that are there."""
    return {row.id: row.revision for row in connection.execute(_REVISIONS, {"ids": ids})}


class ChangedMatches(list[str]):
    """The ids of matches that a task has changed or deleted: the writer, to which it returns them, drops them from the
    cache."""


class MatchNotStored(Exception):
    """A match that was to be changed is not in the database: nothing of its change may be acknowledged."""


class ChangeSet:
    """The rows that a batch of commands changes, written with one statement for each table.

    A move in a running match is an event, with the response, and four columns of the match, and touches no index of it.
    These rows are tuples for the driver; the others, which are few, go through SQLAlchemy.
    """

    def __init__(self) -> None:
        self.new_matches: Rows = []
        self.matches: Rows = []
        self.went_on: list[tuple[Any, ...]] = []  # matches of which nothing else has changed
        self.events: list[tuple[Any, ...]] = []
        self.new_seat_holders: Rows = []
        self.seat_holders: Rows = []
        self.refused: Rows = []
        self.trimmed: Rows = []

    def add_events(self, before: HostedMatch | None, after: HostedMatch) -> None:
        """The events of one command with the remaining times after it, and its response with the first of them."""
        known, answered = (len(before.match.events), len(before.responses)) if before else (0, 0)
        left = json.dumps(after.clock.left) if after.clock else None
        requests: list[tuple[object, ...]] = [(*key, *answer) for key, answer in after.responses.since(answered)]
        (request,) = requests or [_NO_REQUEST]
        for index, event in enumerate(after.match.events[known:], known):
            self.events.append((after.id, index, event.at, left, event_json(event), *request))
            request = _NO_REQUEST
        if request is not _NO_REQUEST:
            raise ValueError("a response without an event is stored nowhere")

    def add_match(self, before: HostedMatch | None, after: HostedMatch) -> None:
        """The changes of all commands to a match, without its events."""
        if before is None:
            self.new_matches.append(_match_row(after))
        elif _only_went_on(before, after):
            version = after.match.version
            self.went_on.append((after.revision, version, after.touched_at, _clock_text(after.clock), after.id))
        else:
            self.matches.append(_match_row(after))
        if before and after.seat_holders is before.seat_holders and after.refused is before.refused:
            return
        for seat, seat_holder in enumerate(after.seat_holders, 1):
            if before is None or seat_holder != before.seat_holders[seat - 1]:
                rows = self.seat_holders if before else self.new_seat_holders
                rows.append({"match": after.id, "seat": seat, **seat_holder._asdict()})
        oldest, newest = (before.refused[0][0], before.refused[-1][0]) if before and before.refused else (0, 0)
        self.refused += [{"match": after.id, "number": n, "body": body} for n, body in after.refused if n > newest]
        if after.refused and after.refused[0][0] > oldest > 0:
            self.trimmed.append({"match": after.id, "number": after.refused[0][0]})

    def write(self, connection: Connection, notifications: Sequence[str] = ()) -> None:
        """Write all rows, and notify the other workers. With PostgreSQL that is one round trip."""
        with _driver(connection) as cursor:
            self._write(connection, cursor)
            if notifications:
                notify(connection, notifications)

    def _write(self, connection: Connection, cursor: Any) -> None:
        for hot, tuples in ((_INSERT_EVENT, self.events), (_UPDATE_WENT_ON, self.went_on)):
            if tuples:
                cursor.executemany(hot[connection.dialect.paramstyle], tuples)
                if hot is _UPDATE_WENT_ON:
                    _check_stored(connection, cursor.rowcount, len(tuples))
        for statement, rows in (
            (_INSERT[MATCHES], self.new_matches),
            (_INSERT[REFUSED], self.refused),
            (_INSERT[SEAT_HOLDERS], self.new_seat_holders),
            (_UPDATE_MATCH, self.matches),
            (_UPDATE_SEAT_HOLDER, self.seat_holders),
            (_TRIM_REFUSED, self.trimmed),
        ):
            if rows:
                result = connection.execute(statement, rows if statement.is_insert else [_keyed(row) for row in rows])
                if statement is _UPDATE_MATCH:
                    _check_stored(connection, result.rowcount, len(rows))


def _check_stored(connection: Connection, updated: int, wanted: int) -> None:
    """SQLite's matches are trusted to be as they are cached; PostgreSQL's are locked before they are changed."""
    if connection.dialect.name == "sqlite" and updated != wanted:
        raise MatchNotStored(f"{updated} of {wanted} matches are stored")


@contextmanager
def _driver(connection: Connection) -> Iterator[Any]:
    """A cursor of the driver itself, with PostgreSQL in a pipeline. Errors are those of SQLAlchemy all the same."""
    driver: Any = connection.connection.driver_connection
    errors = connection.dialect.loaded_dbapi.Error
    try:
        with driver.pipeline() if connection.dialect.name == "postgresql" else nullcontext():
            yield driver.cursor()
    except errors as error:
        raise DBAPIError.instance(None, None, error, errors, dialect=connection.dialect) from None


def _keyed(row: dict[str, Any]) -> dict[str, Any]:
    """The row with its key under other names too: a name that is set cannot be used in the condition."""
    return row | {f"the_{name}": row[name] for name in ("id", "match", "seat", "number") if name in row}


def _for_drivers(statement: str) -> dict[str, str]:
    """A statement as each driver wants its parameters. The drivers prepare it once."""
    return {"qmark": statement, "pyformat": statement.replace("?", "%s")}


_NO_REQUEST = (None, None, None, None)
_INSERT_EVENT = _for_drivers(
    'INSERT INTO events ("match", "index", at, "left", body, requested_by, request, request_digest, response)'
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE_WENT_ON = _for_drivers("UPDATE matches SET revision = ?, version = ?, touched_at = ?, clock = ? WHERE id = ?")
# Both databases call the columns of VALUES so.
_EVENTS_SINCE = (
    'SELECT "match", body, requested_by, request, request_digest, response'
    " FROM events JOIN (VALUES {}) AS since"
    ' ON "match" = since.column1 AND "index" >= since.column2 ORDER BY "match", "index"'
)
_PAIR = _for_drivers("(?, ?)")

# Built once: building a statement takes longer than executing it.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_BY_ID = MATCHES.select().where(MATCHES.c.id.in_(_IDS))
_REVISIONS = select(MATCHES.c.id, MATCHES.c.revision).where(MATCHES.c.id.in_(_IDS))
_LOCK = _REVISIONS.order_by(MATCHES.c.id).with_for_update()
_END_LEASES = update(MATCHES).values(lease_until=0, revision=MATCHES.c.revision + 1)
_NOTIFY = sql("SELECT pg_notify(:channel, :payload)")
_TOMBSTONES = select(DELETED_MATCHES.c.match).where(DELETED_MATCHES.c.match.in_(_IDS))
_INSERT_TOMBSTONE = sql(
    'INSERT INTO deleted ("match", at) VALUES (:match, :at) ON CONFLICT ("match") DO UPDATE SET at = :at'
)
_OF_MATCHES = {
    table: table.select().where(table.c.match.in_(_IDS)).order_by(*table.primary_key)
    for table in (SEAT_HOLDERS, REFUSED)
}
_INSERT = {table: table.insert() for table in (MATCHES, SEAT_HOLDERS, REFUSED)}
_UPDATE_MATCH = update(MATCHES).where(MATCHES.c.id == bindparam("the_id"))
_UPDATE_SEAT_HOLDER = update(SEAT_HOLDERS).where(
    SEAT_HOLDERS.c.match == bindparam("the_match"), SEAT_HOLDERS.c.seat == bindparam("the_seat")
)
_TRIM_REFUSED = delete(REFUSED).where(
    REFUSED.c.match == bindparam("the_match"), REFUSED.c.number < bindparam("the_number")
)


def due_at(hosted: HostedMatch, now: int, outages: Outages) -> int | None:
    """When the scheduler is to look at a match: by its next deadline, and early rather than late.

    Nearly every move puts a deadline off. What is stored stays as long as that is not too late, and not so early that
    the scheduler would look for nothing before half of the time is over: most moves then touch no index.
    """
    deadline = next_deadline(hosted, outages)
    if deadline is None:
        return None
    stored = hosted.due_at
    is_useful = stored is not None and stored <= deadline.at and 2 * (stored - now) >= deadline.at - now
    return stored if is_useful else deadline.at


def _only_went_on(before: HostedMatch, after: HostedMatch) -> bool:
    """True if nothing has changed but the log, the clocks and what is counted."""
    return (
        before.due_at == after.due_at
        and before.lease_until == after.lease_until
        and before.match.setup is after.match.setup
        and before.rematch == after.rematch
        and before.status == after.status
        and before.computer_to_act == after.computer_to_act
        and before.settings is after.settings
        and before.watch == after.watch
    )


def _clock_text(clock: ClockState | None) -> str | None:
    return json.dumps([*clock.left, clock.since, *clock.lag_quotas]) if clock else None


def _read_clock(text: str, control: TimeControl) -> ClockState:
    x, o, since, *quotas = json.loads(text)
    one, two = quotas or first_lag_quotas(control)  # older matches had none
    return ClockState((x, o), since, (one, two))


def _head_text(setup: Setup) -> str:
    return json.dumps(head_fields(setup), ensure_ascii=False)


def _match_row(hosted: HostedMatch) -> dict[str, Any]:
    return {
        "id": hosted.id,
        "head": _head_text(hosted.match.setup),
        "settings": json.dumps(hosted.settings._asdict()),
        "status": hosted.status,
        "private": int(hosted.settings.private),
        "revision": hosted.revision,
        "version": hosted.match.version,
        "created_at": hosted.created_at,
        "touched_at": hosted.touched_at,
        "due_at": hosted.due_at,
        "computer": hosted.computer_to_act,
        "lease_until": hosted.lease_until,
        "clock": _clock_text(hosted.clock),
        "watch": hosted.watch,
        "rematch": hosted.rematch,
    }


def due_matches(connection: Connection, now: int, most: int) -> list[str]:
    query = select(MATCHES.c.id).where(MATCHES.c.due_at <= now).order_by(MATCHES.c.due_at).limit(most)
    return list(connection.execute(query).scalars())


def quarantine(connection: Connection, ids: Sequence[str]) -> None:
    """Remove the deadlines and bots of matches that cannot be read."""
    connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ids)).values(due_at=None, computer=0))


def expired_leases(connection: Connection, now: int, most: int) -> list[str]:
    """Matches that wait for a computer's action that no worker computes."""
    query = select(MATCHES.c.id).where(MATCHES.c.computer > 0, MATCHES.c.lease_until < now).limit(most)
    return list(connection.execute(query).scalars())


def end_leases(connection: Connection, ids: Sequence[str]) -> ChangedMatches:
    """End the leases of these matches."""
    connection.execute(_END_LEASES.where(MATCHES.c.id.in_(ids)))
    return ChangedMatches(ids)


def end_all_leases(connection: Connection) -> None:
    connection.execute(_END_LEASES.where(MATCHES.c.computer > 0))


class Attendance(NamedTuple):
    """The matches that somebody is at: those of this worker, those that were created since a time, and since when the
    rows of other workers count if there are any."""

    here: Sequence[str]
    created_since: int
    since: int | None = None


EVERYWHERE = Attendance((), created_since=0)  # all matches, also those that nobody is at


def public_matches(
    connection: Connection, status: str, attendance: Attendance, before: tuple[int, str] | None, most: int
) -> Sequence[Row[Any, Any, Any]]:
    """Public matches that somebody is at, the newest first; ``before`` is the time and the id of the last one of the
    page before. Seats that are reserved in a rematch are open to nobody else."""
    order = (MATCHES.c.created_at, MATCHES.c.id)
    query = select(*order, MATCHES.c.revision).where(MATCHES.c.status == status, MATCHES.c.private == 0)
    is_attended: ColumnElement[bool] = or_(
        MATCHES.c.id.in_(attendance.here[-MOST_ATTENDED:]), MATCHES.c.created_at > attendance.created_since
    )
    if attendance.since is not None:
        elsewhere = select(PRESENCE.c.match).where(PRESENCE.c.sockets > 0, PRESENCE.c.seen_at > attendance.since)
        is_attended = or_(is_attended, MATCHES.c.id.in_(elsewhere))
    query = query.where(is_attended)
    if status == "open":
        reserved = select(SEAT_HOLDERS.c.match).where(SEAT_HOLDERS.c.match == MATCHES.c.id)
        query = query.where(~reserved.where(SEAT_HOLDERS.c.holder == "open", SEAT_HOLDERS.c.token != "").exists())
    if before:
        query = query.where(tuple_(*order) < before)
    return connection.execute(query.order_by(*(column.desc() for column in order)).limit(most)).all()


def count_by_status(connection: Connection) -> dict[str, int]:
    """How many matches are open and live. The ended ones are too many to count often."""
    rows = connection.execute(
        sql("SELECT status, count(*) FROM matches WHERE status IN ('open', 'live') GROUP BY status")
    )
    return {status: int(count) for status, count in rows}


def ended_before(connection: Connection, at: int, most: int) -> list[str]:
    """Matches that ended before a time, without those that are locked by another worker."""
    query = select(MATCHES.c.id).where(MATCHES.c.status == "ended", MATCHES.c.touched_at < at).limit(most)
    return list(connection.execute(query.with_for_update(skip_locked=True)).scalars())


def delete_matches(connection: Connection, ids: Sequence[str], now: int) -> ChangedMatches:
    """Delete matches, and leave a tombstone of each."""
    for table in MATCH_TABLES:
        connection.execute(table.delete().where(table.c.match.in_(ids)))
    connection.execute(MATCHES.delete().where(MATCHES.c.id.in_(ids)))
    if ids:
        connection.execute(_INSERT_TOMBSTONE, [{"match": match, "at": now} for match in ids])
    return ChangedMatches(ids)


def deleted_of(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of these matches that have a tombstone."""
    return set(connection.execute(_TOMBSTONES, {"ids": ids}).scalars())


def drop_tombstones(connection: Connection, before: int, most: int) -> int:
    """Drop tombstones of matches that were deleted before a time. Returns how many there were."""
    old = select(DELETED_MATCHES.c.match).where(DELETED_MATCHES.c.at < before).limit(most)
    return connection.execute(DELETED_MATCHES.delete().where(DELETED_MATCHES.c.match.in_(old))).rowcount


def unfinished(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of these matches that have not ended."""
    query = select(MATCHES.c.id).where(MATCHES.c.id.in_(ids), MATCHES.c.status != "ended")
    return set(connection.execute(query).scalars())


def notify(connection: Connection, payloads: Sequence[str]) -> None:
    """Notify the other workers when this is committed."""
    connection.execute(_NOTIFY, [{"channel": CHANNEL, "payload": one} for one in payloads])


def notification_of(hosted: HostedMatch) -> str:
    """What other workers are told of a match that was written."""
    return f"{hosted.id}:{hosted.revision}"


def read_notification(payload: str) -> tuple[str, int | None]:
    """The match of a notification, and its revision; None if something else has changed, or it was deleted."""
    match, _, revision = payload.partition(":")
    return match, int(revision) if revision.isdecimal() else None
