"""SQL for profiles: names and kinds, results and ratings, the matches they play in, and the profiles they block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    tuple_,
    union,
)
from sqlalchemy import text as sql

from ninefold.arena.glicko2 import GlickoRating
from ninefold.core.errors import Refusal
from ninefold.match.log import read_log
from ninefold.match.state import Setup
from ninefold.server.hosting.deadlines import DAY_MS
from ninefold.server.hosting.model import HolderKind, HostedMatch, Status
from ninefold.server.hosting.profiles import (
    PlayedEnd,
    Profile,
    ProfileKind,
    ProfileStanding,
    Score,
    StandingKey,
    end_of_match,
)
from ninefold.server.hosting.seats import DELETED
from ninefold.server.storage.schema import (
    BLOCKS,
    MATCHES,
    META,
    PLAYED_MATCHES,
    PROFILES,
    REPORTS,
    SEAT_HOLDERS,
    STANDINGS,
)
from ninefold.server.storage.shared_state import set_meta
from ninefold.server.storage.store import with_pairs

MILLION = 1_000_000  # ratings are stored in millionths
MOST_PAIRS = 200  # of profiles in one statement: SQLite before 3.32 takes 999 parameters, and a pair is four
UNUSED_MS = 30 * DAY_MS  # after which a profile that has played nothing is deleted

StoredChange = tuple[HostedMatch | None, HostedMatch]

_UPSERT = (
    "INSERT INTO profiles (id, name, kind, shared, created_at) VALUES (:id, :name, :kind, :shared, :created_at)"
    " ON CONFLICT (id) DO UPDATE SET name = :name, shared = :shared"
)
_INSERT_PLAYED = sql(
    "INSERT INTO played (\"match\", profile, began_at, score) VALUES (:match, :profile, :began_at, '')"
    " ON CONFLICT DO NOTHING"
)
_INSERT_BLOCK = sql("INSERT INTO blocks (profile, blocked, at) VALUES (:profile, :blocked, :at) ON CONFLICT DO NOTHING")
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
# Not ``(profile, blocked) IN (VALUES ...)``, for which SQLite reads the whole table.
_BLOCKS_BETWEEN = (
    "SELECT profile, blocked FROM blocks JOIN (VALUES {}) AS pairs"
    " ON profile = pairs.column1 AND blocked = pairs.column2"
)
_BY_ID = select(PROFILES.c.id, PROFILES.c.kind).where(PROFILES.c.id.in_(_IDS)).order_by(PROFILES.c.id)
_LOCK = _BY_ID.with_for_update(key_share=True)
_LOCK_EXISTENCE = _BY_ID.with_for_update(read=True, key_share=True)  # it waits for a deletion, and not for ``_LOCK``
_LOCK_FOR_DELETION = _BY_ID.with_for_update(skip_locked=True)  # it leaves out what ``_LOCK_EXISTENCE`` has locked
_IS_DELETED = ~exists().where(PROFILES.c.id == bindparam("deleted"))
_FORGET = "forget:"  # before the id of a deleted profile that matches still name, as a key of the table meta
_ENDED_AT = select(PLAYED_MATCHES.c.match, PLAYED_MATCHES.c.profile, PLAYED_MATCHES.c.ended_at).where(
    PLAYED_MATCHES.c.match.in_(_IDS)
)
_HOLDERS = (
    select(SEAT_HOLDERS.c.match, SEAT_HOLDERS.c.holder, SEAT_HOLDERS.c.profile)
    .where(SEAT_HOLDERS.c.match.in_(_IDS))
    .order_by(*SEAT_HOLDERS.primary_key)
)
_HEADS = select(MATCHES.c.id, MATCHES.c.head, MATCHES.c.status, MATCHES.c.private).where(MATCHES.c.id.in_(_IDS))


# In the transactions of the writer


def existing(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Those of these profiles that are there, and stay there until this transaction has ended."""
    return {row.id for row in connection.execute(_LOCK_EXISTENCE, {"ids": sorted(ids)})}


def record(connection: Connection, changes: Sequence[StoredChange], now: int) -> None:
    """Store what changes of matches mean for the profiles in them: who plays, what ended, and the new ratings. It is
    part of the transaction that stores the matches."""
    joined = [row for before, after in changes for row in _joined(before, after, now)]
    if joined:
        connection.execute(_INSERT_PLAYED, joined)
    ended = {
        after.id: after for before, after in changes if after.match.result and not (before and before.match.result)
    }
    if ended:
        _end(connection, ended, now)


def _joined(before: HostedMatch | None, after: HostedMatch, now: int) -> list[dict[str, Any]]:
    """The rows of those who have taken a seat with a profile. A seat that is only reserved is not theirs yet."""
    if before and before.seat_holders is after.seat_holders:
        return []
    known = _playing(before) if before else set()
    return [{"match": after.id, "profile": profile, "began_at": now} for profile in sorted(_playing(after) - known)]


def _playing(hosted: HostedMatch) -> set[str]:
    return {holder.profile for holder in hosted.seat_holders if holder.profile and holder.holder != "open"}


def _end(connection: Connection, ended: dict[str, HostedMatch], now: int) -> None:
    """Rate matches that have ended. One that was rated before is not rated again, whatever else has gone wrong."""
    # After the matches, and in one order: workers cannot deadlock.
    ids = sorted({holder.profile for hosted in ended.values() for holder in hosted.seat_holders if holder.profile})
    kinds: dict[str, ProfileKind] = {row.id: row.kind for row in connection.execute(_LOCK, {"ids": ids})}
    ended_at = {(row.match, row.profile): row.ended_at for row in connection.execute(_ENDED_AT, {"ids": list(ended)})}
    known = standings_of(connection, list(kinds))
    standings = dict(known)
    ends: list[PlayedEnd] = []
    for match, hosted in ended.items():
        # Who never accepted a rematch has no row, and no part in its end.
        playing = {holder.profile for holder in hosted.seat_holders if (match, holder.profile) in ended_at}
        if all(ended_at[match, profile] is None for profile in playing):
            of_playing = {profile: kind for profile, kind in kinds.items() if profile in playing}
            ends += end_of_match(hosted, of_playing, standings, now)
    changed = {key: standing for key, standing in standings.items() if standing is not known.get(key)}
    _store_standings(connection, changed)
    for end in ends:
        connection.execute(
            PLAYED_MATCHES.update()
            .where(PLAYED_MATCHES.c.match == end.match, PLAYED_MATCHES.c.profile == end.profile)
            .values(ended_at=now, score=end.score, rating_before=_points(end.before), rating_after=_points(end.after))
        )


def _points(rating: GlickoRating | None) -> int | None:
    return None if rating is None else round(rating.rating * MILLION)


def standings_of(connection: Connection, profiles: Sequence[str]) -> dict[StandingKey, ProfileStanding]:
    rows = connection.execute(
        STANDINGS.select().where(STANDINGS.c.profile.in_(profiles)).order_by(*STANDINGS.primary_key)
    )
    return {(row.profile, row.game, row.opponents): _standing(row) for row in rows}


def _standing(row: Row[Any]) -> ProfileStanding:
    rating = GlickoRating(row.rating / MILLION, row.deviation / MILLION, row.volatility / MILLION)
    return ProfileStanding(row.wins, row.draws, row.losses, row.rated, rating, row.rated_at)


def _store_standings(connection: Connection, standings: dict[StandingKey, ProfileStanding]) -> None:
    for (profile, game, opponents), standing in standings.items():
        rating, deviation, volatility = (round(value * MILLION) for value in standing.rating)
        key = {"profile": profile, "game": game, "opponents": opponents}
        connection.execute(STANDINGS.delete().where(and_(*(STANDINGS.c[name] == value for name, value in key.items()))))
        connection.execute(
            STANDINGS.insert().values(
                **key, wins=standing.wins, draws=standing.draws, losses=standing.losses, rated=standing.rated,
                rating=rating, deviation=deviation, volatility=volatility, rated_at=standing.rated_at,
            )
        )  # fmt: skip


# Profiles


def find(connection: Connection, ids: Sequence[str]) -> dict[str, Profile]:
    rows = connection.execute(PROFILES.select().where(PROFILES.c.id.in_(ids)))
    return {row.id: Profile(row.id, row.name, row.kind, bool(row.shared), row.created_at) for row in rows}


def save(connection: Connection, profile: Profile) -> None:
    """Create a profile, or give it another name. Its kind stays. Matches that still name it, name it again; the mark of
    its deletion is dropped by ``unmark_forgotten``."""
    connection.execute(sql(_UPSERT), {**profile._asdict(), "shared": int(profile.shared)})


def delete(connection: Connection, profile: str) -> None:
    """Delete a profile, its standings and blocks. Its name is replaced next, in the matches that ``orphans`` finds; it
    is marked until then."""
    connection.execute(PROFILES.delete().where(PROFILES.c.id == profile))
    connection.execute(STANDINGS.delete().where(STANDINGS.c.profile == profile))
    connection.execute(BLOCKS.delete().where(or_(BLOCKS.c.profile == profile, BLOCKS.c.blocked == profile)))
    connection.execute(REPORTS.update().where(REPORTS.c.reporter == profile).values(reporter=""))
    connection.execute(REPORTS.update().where(REPORTS.c.reported == profile).values(reported="", name=DELETED))
    if orphans(connection, profile, 1):
        set_meta(connection, _FORGET + profile, "")


def marked_deleted(connection: Connection) -> list[str]:
    """Profiles that were deleted, and that matches may still name."""
    keys = connection.execute(select(META.c.key).where(META.c.key.startswith(_FORGET))).scalars()
    return [key.removeprefix(_FORGET) for key in keys]


def unmark_forgotten(connection: Connection, profile: str) -> None:
    """Drop the mark of a deleted profile, unless matches name it: it may have been made and deleted again meanwhile."""
    mark = META.c.key == _FORGET + profile
    # A deletion that another worker has begun holds the mark, and is waited for; or it waits, and marks it anew.
    is_marked = connection.execute(select(META.c.key).where(mark).with_for_update()).first()
    if is_marked and not orphans(connection, profile, 1):
        connection.execute(META.delete().where(mark))


class PlayedRow(NamedTuple):
    """A row of the matches of a profile."""

    match: str
    profile: str
    began_at: int
    ended_at: int | None
    score: Score | Literal[""]
    rating_before: int | None
    rating_after: int | None


def played(
    connection: Connection, profile: str, before: tuple[int, str] | None, most: int, *, running: bool = False
) -> list[PlayedRow]:
    """The matches of a profile, the newest first; ``before`` is the time and the id of the last one before the page."""
    order = (PLAYED_MATCHES.c.began_at, PLAYED_MATCHES.c.match)
    query = PLAYED_MATCHES.select().where(PLAYED_MATCHES.c.profile == profile)
    if running:
        query = query.where(PLAYED_MATCHES.c.ended_at.is_(None))
    if before:
        query = query.where(tuple_(*order) < before)
    rows = connection.execute(query.order_by(*(column.desc() for column in order)).limit(most))
    return [PlayedRow(*row) for row in rows]


def played_match(connection: Connection, profile: str, match: str) -> PlayedRow | None:
    query = PLAYED_MATCHES.select().where(PLAYED_MATCHES.c.match == match, PLAYED_MATCHES.c.profile == profile)
    row = connection.execute(query).first()
    return PlayedRow(*row) if row else None


class PlayedSetup(NamedTuple):
    """What the first line of a match and its seats say: all that a list of matches shows, without any event."""

    setup: Setup
    status: Status
    private: bool
    holders: tuple[tuple[HolderKind, str], ...]  # of both seats, with their profiles


def setups(connection: Connection, matches: Sequence[str]) -> dict[str, PlayedSetup]:
    """Those of these matches that can be read."""
    holders: dict[str, list[tuple[HolderKind, str]]] = {}
    for row in connection.execute(_HOLDERS, {"ids": matches}):
        holders.setdefault(row.match, []).append((row.holder, row.profile))
    found = {}
    for match, head, status, private in connection.execute(_HEADS, {"ids": matches}):
        with suppress(Refusal):  # reading the match itself gives the reason
            found[match] = PlayedSetup(read_log(head).setup, status, bool(private), tuple(holders.get(match, ())))
    return found


def orphans(connection: Connection, profile: str, most: int) -> list[str]:
    """Matches that name a deleted profile; none if it was made again. A seat that is reserved in a rematch names one
    too, before its profile plays."""
    parts = [
        select(names.c.match)
        .where(names.c.profile != "", names.c.profile == profile, _IS_DELETED)
        .limit(most)
        .subquery()
        for names in (PLAYED_MATCHES, SEAT_HOLDERS)
    ]
    query = union(*map(select, parts)).limit(most)
    return list(connection.execute(query, {"deleted": profile}).scalars())


def forget_orphans(connection: Connection, matches: Iterable[str], profile: str) -> None:
    """The matches no longer name this profile, unless it was made again; those that cannot be read are changed here
    too."""
    for match in matches:
        for names, changed in (
            (PLAYED_MATCHES, PLAYED_MATCHES.delete()),
            (SEAT_HOLDERS, SEAT_HOLDERS.update().values(profile="", rating="")),
        ):
            which = changed.where(names.c.match == match, names.c.profile == profile, _IS_DELETED)
            connection.execute(which, {"deleted": profile})


def unused(connection: Connection, now: int, most: int) -> list[str]:
    """Profiles that have never played, and were made long ago."""
    return list(connection.execute(_unused(now).limit(most)).scalars())


def delete_unused(connection: Connection, now: int, ids: Sequence[str]) -> None:
    """Delete those of these profiles that still have not played. Those that take a seat at this moment are left to the
    next housekeeping: two that wait for each other's profiles would be a deadlock."""
    locked = list(connection.execute(_LOCK_FOR_DELETION, {"ids": ids}).scalars())
    for profile in list(connection.execute(_unused(now).where(PROFILES.c.id.in_(locked))).scalars()):
        delete(connection, profile)


def _unused(now: int) -> Select[Any]:
    def has_rows(table: Table) -> Any:
        return select(table.c.profile).where(table.c.profile == PROFILES.c.id).exists()

    return select(PROFILES.c.id).where(
        PROFILES.c.created_at < now - UNUSED_MS, ~has_rows(PLAYED_MATCHES), ~has_rows(STANDINGS)
    )


# Blocks


def block(connection: Connection, profile: str, blocked: str, now: int) -> None:
    connection.execute(_INSERT_BLOCK, {"profile": profile, "blocked": blocked, "at": now})


def unblock(connection: Connection, profile: str, blocked: str) -> None:
    connection.execute(BLOCKS.delete().where(BLOCKS.c.profile == profile, BLOCKS.c.blocked == blocked))


def count_blocks(connection: Connection, profile: str) -> int:
    return connection.execute(select(func.count()).where(BLOCKS.c.profile == profile)).scalar_one()


def blocks_of(connection: Connection, profile: str) -> list[Row[Any]]:
    """Whom a profile blocks, with their names, the newest first."""
    query = select(BLOCKS.c.blocked, BLOCKS.c.at, PROFILES.c.name).join(PROFILES, PROFILES.c.id == BLOCKS.c.blocked)
    return list(connection.execute(query.where(BLOCKS.c.profile == profile).order_by(BLOCKS.c.at.desc())))


def blocks_between(connection: Connection, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The blocks within these pairs of profiles, in either direction; in each the first blocks the second."""
    found: list[tuple[str, str]] = []
    for first in range(0, len(pairs), MOST_PAIRS):
        ways = [way for one, other in pairs[first : first + MOST_PAIRS] for way in ((one, other), (other, one))]
        statement = with_pairs(connection, _BLOCKS_BETWEEN, len(ways))
        rows = connection.exec_driver_sql(statement, tuple(chain.from_iterable(ways)))
        found += [(row.profile, row.blocked) for row in rows]
    return found
