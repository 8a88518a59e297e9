"""The tables of this version. ``migrations.py`` creates them; names of tables and columns are frozen."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text

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
    Column("computer", Integer, nullable=False),  # the seat of a computer that is to act, or 0
    Column("lease_until", BigInteger, nullable=False),
    Column("clock", Text),  # the remaining times, by side, and since when one runs
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
    Column("left", Text),  # both remaining times after the event
    Column("body", Text, nullable=False),  # the line of the log
)

SEAT_HOLDERS = Table(
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

RESPONSES = Table(
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

MATCH_TABLES = (EVENTS, SEAT_HOLDERS, RESPONSES, REFUSED, PRESENCE)
