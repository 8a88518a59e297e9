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
    # Since version 3: the request that led to the event, and to those that follow it without one.
    Column("requested_by", Integer),  # the seat
    Column("request", Text),  # the idempotency key
    Column("request_digest", Text),
    Column("response", Text),
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
    Column("profile", Text, nullable=False, server_default=""),  # since version 4
    Column("rating", Text, nullable=False, server_default=""),
)
Index(  # since version 5: few seats are those of profiles
    "chairs_profile",
    SEAT_HOLDERS.c.profile,
    sqlite_where=SEAT_HOLDERS.c.profile != "", postgresql_where=SEAT_HOLDERS.c.profile != "",
)  # fmt: skip

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

# Since version 4. A profile's id is derived from its key, which is stored nowhere. Ratings are in millionths: whole
# numbers are the same in both databases and in backups.
PROFILES = Table(
    "profiles",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),  # person or agent
    Column("shared", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("profiles_created", "created_at"),
)
STANDINGS = Table(
    "standings",
    METADATA,
    Column("profile", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("opponents", Text, primary_key=True),  # people, agents or computers
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("rated", Integer, nullable=False),  # of these games
    Column("rating", BigInteger, nullable=False),
    Column("deviation", BigInteger, nullable=False),
    Column("volatility", BigInteger, nullable=False),
    Column("rated_at", BigInteger, nullable=False),
)
PLAYED_MATCHES = Table(
    "played",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("profile", Text, primary_key=True),
    Column("began_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("score", Text, nullable=False),  # win, draw, loss or none; empty while it is played
    Column("rating_before", BigInteger),
    Column("rating_after", BigInteger),
    Index("played_listed", "profile", "began_at", "match"),
)
# Since version 5. Somebody's running matches are few among those that have ended.
Index(
    "played_running",
    PLAYED_MATCHES.c.profile, PLAYED_MATCHES.c.began_at, PLAYED_MATCHES.c.match,
    sqlite_where=PLAYED_MATCHES.c.ended_at.is_(None), postgresql_where=PLAYED_MATCHES.c.ended_at.is_(None),
)  # fmt: skip
BLOCKS = Table(
    "blocks",
    METADATA,
    Column("profile", Text, primary_key=True),
    Column("blocked", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("blocks_blocked", "blocked"),
)
REPORTS = Table(
    "reports",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),  # of the player who reports the other one
    Column("at", BigInteger, nullable=False),
    Column("reporter", Text, nullable=False),  # profiles, or empty
    Column("reported", Text, nullable=False),
    Column("name", Text, nullable=False),  # of the player who is reported
    Column("reason", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("resolved_at", BigInteger),
    Index("reports_at", "at"),
    Index("reports_reporter", "reporter"),  # since version 5, as the next one
    Index("reports_reported", "reported"),
)
BANS = Table(
    "bans",
    METADATA,
    Column("who", Text, primary_key=True),  # a profile or an address
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("reason", Text, nullable=False),
)
FILTERED_NAMES = Table("filtered_names", METADATA, Column("word", Text, primary_key=True))

# Since version 6: tombstones, so that a request that is repeated late does not create a deleted match again.
DELETED_MATCHES = Table(
    "deleted",
    METADATA,
    Column("match", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("deleted_at", "at"),
)

MATCH_TABLES = (EVENTS, SEAT_HOLDERS, REFUSED, PRESENCE, PLAYED_MATCHES)
