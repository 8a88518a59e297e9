"""The tables, and how a database of an older version becomes one of this version."""

from __future__ import annotations

import secrets

from sqlalchemy import BigInteger, Column, Connection, Index, Integer, MetaData, Table, Text, inspect, text

from ninefold.core.errors import NotAllowed

METADATA = MetaData()

META = Table("meta", METADATA, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("head", Text, nullable=False),  # the first line of the log
    Column("settings", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("private", Integer, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("touched_at", BigInteger, nullable=False),
    Column("due_at", BigInteger),
    Column("computer", Integer, nullable=False),  # the seat of a computer that has to act, or 0
    Column("lease_until", BigInteger, nullable=False),
    Column("clock", Text),  # what is left, by side, and since when it runs
    Column("watch", Text, nullable=False),
    Column("rematch", Text, nullable=False),
    Index("matches_listed", "status", "private", "created_at"),
    Index("matches_due", "due_at"),
    Index("matches_computer", "computer", "lease_until"),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("index", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("left", Text),  # both remaining times after it
    Column("body", Text, nullable=False),  # its line of the log
)

CHAIRS = Table(
    "chairs",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("token", Text, nullable=False),
    Column("invitation", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("code_until", BigInteger, nullable=False),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("request", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("text", Text, nullable=False),
)

OUTAGES = Table(
    "outages", METADATA, Column("began", BigInteger, primary_key=True), Column("ended", BigInteger, nullable=False)
)

# Since version 2.
REFUSED = Table(
    "refused",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("body", Text, nullable=False),
)
PRESENCE = Table(
    "presence",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("worker", Text, primary_key=True),
    Column("role", Text, primary_key=True),
    Column("sockets", Integer, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)

OF_A_MATCH = (EVENTS, CHAIRS, ANSWERS, REFUSED, PRESENCE)


def _first(connection: Connection) -> None:
    METADATA.create_all(connection, [META, MATCHES, EVENTS, CHAIRS, ANSWERS, OUTAGES])
    connection.execute(META.insert().values(key="secret", value=secrets.token_hex(32)))


def _audit_and_presence(connection: Connection) -> None:
    METADATA.create_all(connection, [REFUSED, PRESENCE])


MIGRATIONS = (_first, _audit_and_presence)  # each brings a database one version further
_LOCK = 0x9F01D  # of the migration, so that workers that start together do it once


def migrate(connection: Connection) -> None:
    """Bring the database to this version, in the caller's transaction. A newer one is refused."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise NotAllowed("newer_database")
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(META.delete().where(META.c.key == "version"))
    connection.execute(META.insert().values(key="version", value=str(len(MIGRATIONS))))


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table("meta"):
        return 0
    found = connection.execute(META.select().where(META.c.key == "version")).first()
    return int(found.value) if found else 0
