"""Migrations: frozen SQL that brings a database from each version to the next. Never change one that was released."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import Connection, inspect
from sqlalchemy import text as sql

from ninefold.core.errors import NotAllowed

_LOCK = 0x9F01D  # advisory lock of PostgreSQL, so that workers that start together migrate once


class Migration(NamedTuple):
    """Statements for both databases, and those that differ."""

    statements: tuple[str, ...]
    sqlite: tuple[str, ...] = ()
    postgresql: tuple[str, ...] = ()

    def run(self, connection: Connection) -> None:
        own = self.postgresql if connection.dialect.name == "postgresql" else self.sqlite
        for statement in (*self.statements, *own):
            connection.exec_driver_sql(statement)


_MATCHES = Migration(
    (
        """CREATE TABLE meta ("key" TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY ("key"))""",
        """CREATE TABLE matches (
            id TEXT NOT NULL, head TEXT NOT NULL, settings TEXT NOT NULL, status TEXT NOT NULL,
            private INTEGER NOT NULL, revision BIGINT NOT NULL, version BIGINT NOT NULL, created_at BIGINT NOT NULL,
            touched_at BIGINT NOT NULL, due_at BIGINT, computer INTEGER NOT NULL, lease_until BIGINT NOT NULL,
            clock TEXT, watch TEXT NOT NULL, rematch TEXT NOT NULL, PRIMARY KEY (id)
        )""",
        "CREATE INDEX matches_listed ON matches (status, private, created_at)",
        "CREATE INDEX matches_due ON matches (due_at)",
        "CREATE INDEX matches_computer ON matches (computer, lease_until)",
        """CREATE TABLE events (
            "match" TEXT NOT NULL, "index" INTEGER NOT NULL, at BIGINT NOT NULL, "left" TEXT, body TEXT NOT NULL,
            PRIMARY KEY ("match", "index")
        )""",
        """CREATE TABLE chairs (
            "match" TEXT NOT NULL, seat INTEGER NOT NULL, holder TEXT NOT NULL, token TEXT NOT NULL,
            invitation TEXT NOT NULL, code TEXT NOT NULL, code_until BIGINT NOT NULL, PRIMARY KEY ("match", seat)
        )""",
        """CREATE TABLE answers (
            "match" TEXT NOT NULL, seat INTEGER NOT NULL, request TEXT NOT NULL, body TEXT NOT NULL,
            text TEXT NOT NULL, PRIMARY KEY ("match", seat, request)
        )""",
    ),
    sqlite=("CREATE TABLE outages (began BIGINT NOT NULL, ended BIGINT NOT NULL, PRIMARY KEY (began))",),
    postgresql=("CREATE TABLE outages (began BIGSERIAL NOT NULL, ended BIGINT NOT NULL, PRIMARY KEY (began))",),
)
_AUDIT_AND_PRESENCE = Migration(
    (
        """CREATE TABLE refused (
            "match" TEXT NOT NULL, number BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY ("match", number)
        )""",
        """CREATE TABLE presence (
            "match" TEXT NOT NULL, worker TEXT NOT NULL, role TEXT NOT NULL, sockets INTEGER NOT NULL,
            seen_at BIGINT NOT NULL, PRIMARY KEY ("match", worker, role)
        )""",
    )
)

# A response says which event of its match was the first that it led to.
_MOVE_RESPONSES = """UPDATE events
    SET requested_by = answers.seat, request = answers.request, request_digest = answers.body, response = answers.text
    FROM answers WHERE events."match" = answers."match" AND events."index" = {}"""
_RESPONSES_WITH_EVENTS = Migration(
    (
        "ALTER TABLE events ADD COLUMN requested_by INTEGER",
        "ALTER TABLE events ADD COLUMN request TEXT",
        "ALTER TABLE events ADD COLUMN request_digest TEXT",
        "ALTER TABLE events ADD COLUMN response TEXT",
    ),
    sqlite=(_MOVE_RESPONSES.format("json_extract(answers.text, '$.index')"), "DROP TABLE answers"),
    postgresql=(_MOVE_RESPONSES.format("(answers.text::json->>'index')::integer"), "DROP TABLE answers"),
)

_PROFILES = Migration(
    (
        "ALTER TABLE chairs ADD COLUMN profile TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE chairs ADD COLUMN rating TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE profiles (
            id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, shared INTEGER NOT NULL,
            created_at BIGINT NOT NULL, PRIMARY KEY (id)
        )""",
        "CREATE INDEX profiles_created ON profiles (created_at)",
        """CREATE TABLE standings (
            profile TEXT NOT NULL, game TEXT NOT NULL, opponents TEXT NOT NULL, wins INTEGER NOT NULL,
            draws INTEGER NOT NULL, losses INTEGER NOT NULL, rated INTEGER NOT NULL, rating BIGINT NOT NULL,
            deviation BIGINT NOT NULL, volatility BIGINT NOT NULL, rated_at BIGINT NOT NULL,
            PRIMARY KEY (profile, game, opponents)
        )""",
        """CREATE TABLE played (
            "match" TEXT NOT NULL, profile TEXT NOT NULL, began_at BIGINT NOT NULL, ended_at BIGINT,
            score TEXT NOT NULL, rating_before BIGINT, rating_after BIGINT, PRIMARY KEY ("match", profile)
        )""",
        'CREATE INDEX played_listed ON played (profile, began_at, "match")',
        """CREATE TABLE blocks (
            profile TEXT NOT NULL, blocked TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (profile, blocked)
        )""",
        "CREATE INDEX blocks_blocked ON blocks (blocked)",
        """CREATE TABLE reports (
            "match" TEXT NOT NULL, seat INTEGER NOT NULL, at BIGINT NOT NULL, reporter TEXT NOT NULL,
            reported TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL, text TEXT NOT NULL, resolved_at BIGINT,
            PRIMARY KEY ("match", seat)
        )""",
        "CREATE INDEX reports_at ON reports (at)",
        """CREATE TABLE bans (
            who TEXT NOT NULL, at BIGINT NOT NULL, until BIGINT, reason TEXT NOT NULL, PRIMARY KEY (who)
        )""",
        "CREATE TABLE filtered_names (word TEXT NOT NULL, PRIMARY KEY (word))",
    )
)

_INDEXES_OF_PROFILES = Migration(
    (
        'CREATE INDEX played_running ON played (profile, began_at, "match") WHERE ended_at IS NULL',
        "CREATE INDEX chairs_profile ON chairs (profile) WHERE profile != ''",
        "CREATE INDEX reports_reporter ON reports (reporter)",
        "CREATE INDEX reports_reported ON reports (reported)",
    )
)

# Deletions of profiles that were interrupted are marked, as ``profiles.delete`` does it.
_TOMBSTONES = Migration(
    (
        """CREATE TABLE deleted ("match" TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY ("match"))""",
        "CREATE INDEX deleted_at ON deleted (at)",
        """INSERT INTO meta ("key", value) SELECT 'forget:' || profile, '' FROM (
            SELECT profile FROM played UNION SELECT profile FROM chairs WHERE profile != ''
        ) AS named WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE id = named.profile)""",
    )
)

# The first one makes version 1.
MIGRATIONS = (
    _MATCHES,
    _AUDIT_AND_PRESENCE,
    _RESPONSES_WITH_EVENTS,
    _PROFILES,
    _INDEXES_OF_PROFILES,
    _TOMBSTONES,
)
VERSION = len(MIGRATIONS)


def migrate(connection: Connection) -> None:
    """Bring the database to this version, in the caller's transaction. A newer one is refused."""
    if connection.dialect.name == "postgresql":
        for limit in ("statement_timeout", "lock_timeout"):
            connection.exec_driver_sql(f"SET LOCAL {limit} = 0")  # a migration takes as long as it takes
        connection.execute(sql("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    version = version_of(connection) or 0
    if version > VERSION:
        raise NotAllowed("newer_database")
    for migration in MIGRATIONS[version:]:
        migration.run(connection)
    if version == 0:
        _set_meta(connection, "secret", secrets.token_hex(32))
    _set_meta(connection, "version", str(VERSION))


def version_of(connection: Connection) -> int | None:
    """The version of a database; None if it is empty."""
    if not inspect(connection).has_table("meta"):
        return None
    found = connection.execute(sql("SELECT value FROM meta WHERE \"key\" = 'version'")).scalar()
    return int(found) if found else None


def check_version(connection: Connection) -> int:
    """The version of a database, if it is this one; a database of another version, or none, is refused."""
    version = version_of(connection)
    if version is None:
        raise NotAllowed("no_database.empty")
    if version != VERSION:
        raise NotAllowed("other_version.newer" if version > VERSION else "other_version.older")
    return version


def _set_meta(connection: Connection, key: str, value: str) -> None:
    connection.execute(sql('DELETE FROM meta WHERE "key" = :key'), {"key": key})
    connection.execute(sql('INSERT INTO meta ("key", value) VALUES (:key, :value)'), {"key": key, "value": value})
