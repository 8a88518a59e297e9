"""Deletion of matches by the operator, also while a server runs.

PostgreSQL is changed directly: workers check the revision of every match that they use. The server of a SQLite database
trusts its cache, so it is asked through the database to delete the matches itself.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, quoted
from ninefold.server.hosting import tokens
from ninefold.server.storage import store
from ninefold.server.storage.database import FILE, Database, unusable, writing_beside_a_server
from ninefold.server.storage.migrations import check_version
from ninefold.server.storage.schema import META
from ninefold.server.storage.shared_state import operator_time, set_meta

PATIENCE = 20.0  # seconds in which a running server has to delete matches
POLL_SECONDS = 0.05
_REQUEST = "delete:"  # before the id, as a key of the table meta


def delete_by_operator(
    links: Sequence[str],
    data: Path,
    url: str | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Delete matches, given by their ids or links: all of them, or none. Returns their ids."""
    ids = list(dict.fromkeys(_id_of(link) for link in links))
    if url is None and not (data / FILE).is_file():
        raise NotAllowed("no_database.folder", folder=quoted(str(data), 100))
    try:
        try:
            database = Database(data, url)
        except NotAllowed as refusal:
            if refusal.reason != "database_in_use":
                raise
            _ask_server(ids, data, clock, sleep)
            return ids
        with contextlib.closing(database), database.writer.begin() as connection:
            _check(connection, ids)
            store.lock(connection, ids)
            store.delete_matches(connection, ids, operator_time(connection))
            if database.is_postgres:
                store.notify(connection, [f"{match}:" for match in ids])
    except DBAPIError as error:
        raise unusable(str(error.orig), None if url else data) from None
    return ids


def _id_of(link: str) -> str:
    """The id of a match, from itself or from a link to it."""
    match = link.rpartition("/m/")[2].partition("#")[0].partition("?")[0]
    if not tokens.is_id(match):
        raise NotAllowed("no_such_match.operator", match=quoted(link, 60))
    return match


def _check(connection: Connection, ids: Sequence[str]) -> None:
    check_version(connection)
    for match in ids:
        if not store.revisions(connection, [match]):
            raise NotAllowed("no_such_match.operator", match=quoted(match))


def _ask_server(ids: Sequence[str], data: Path, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
    with writing_beside_a_server(data) as engine:
        with engine.begin() as connection:
            _check(connection, ids)
            for match in ids:
                set_meta(connection, _REQUEST + match, "")
        until = clock() + PATIENCE
        while True:
            with engine.begin() as connection:
                left = set(requested_deletions(connection)) & set(ids)
            if not left:
                return
            if clock() > until:
                raise NotAllowed("no_database.not_deleted", matches=", ".join(sorted(left)), seconds=int(PATIENCE))
            sleep(POLL_SECONDS)


# In the server


def requested_deletions(connection: Connection) -> list[str]:
    """The matches that the operator wants to be deleted."""
    keys = connection.execute(select(META.c.key).where(META.c.key.startswith(_REQUEST))).scalars()
    return [key.removeprefix(_REQUEST) for key in keys]


def delete_requested(connection: Connection, ids: Sequence[str], now: int) -> store.ChangedMatches:
    connection.execute(delete(META).where(META.c.key.in_([_REQUEST + match for match in ids])))
    return store.delete_matches(connection, ids, now)
