"""Moderation: reports of players about players, the operator's bans, and the filter of names.

Bans and filtered names are few and are kept in memory. The operator changes them in the database, also while a server
runs; every server looks for changes with its heartbeat.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Literal, NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.text import clean
from ninefold.server.hosting.admission import Bans, check_ban
from ninefold.server.hosting.deadlines import DAY_MS
from ninefold.server.hosting.seats import DELETED
from ninefold.server.storage import shared_state
from ninefold.server.storage.database import FILE, Database, unusable, writing_beside_a_server
from ninefold.server.storage.migrations import check_version
from ninefold.server.storage.schema import BANS, FILTERED_NAMES, REPORTS

ReportReason = Literal["name", "chat", "cheating", "other"]
KEPT_MS = 90 * DAY_MS  # how long a report is stored
SHORTEST_WORD, LONGEST_WORD = 3, 40  # of the filter of names
LONGEST_REASON = 200
MOST_LISTED = 500
_STAMP = "moderation"  # the key of the table meta that changes with every change of the operator
_PROFILE = re.compile(r"[0-9a-f]{32}")
# What people write instead of letters.
_LOOKALIKES = str.maketrans("0134578@$!|", "oieastbasil")


class Ban(NamedTuple):
    """Who may not play here: a profile, or an address, until a time (None: for ever)."""

    who: str
    at: int
    until: int | None
    reason: str


class PlayerReport(NamedTuple):
    """What a player has told the operator about the other one."""

    match: str
    seat: int
    at: int
    reporter: str
    reported: str
    name: str
    reason: str
    text: str
    resolved_at: int | None = None


class Moderation:
    """The bans and filtered names of a server, as it last read them."""

    def __init__(self) -> None:
        self._stamp: str | None = None
        self.bans: Bans = {}
        self._words: tuple[str, ...] = ()

    def refresh(self, connection: Connection) -> None:
        """Read the lists again if the operator has changed them."""
        stamp = shared_state.get_meta(connection, _STAMP) or ""
        if stamp != self._stamp:
            self.bans = {ban.who: ban.until for ban in bans(connection)}
            self._words = tuple(filtered_names(connection))
            self._stamp = stamp

    def check(self, who: str, now: int) -> None:
        """Refuse a profile or an address that is banned."""
        check_ban(self.bans, who, now)

    def check_name(self, name: str) -> None:
        """Refuse a name with a filtered word in it, however it is spelled."""
        plain = skeleton(name)
        if plain == DELETED or any(word in plain for word in self._words):
            raise NotAllowed("bad_name")


def skeleton(text: str) -> str:
    """The letters of a text, without accents, case, signs between them and digits that stand for letters.

    >>> skeleton("D.4.m-N  Ïts")
    'damnits'
    """
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_LOOKALIKES)
    return "".join(char for char in plain if char.isalpha())


# SQL, in the caller's transaction


def bans(connection: Connection) -> list[Ban]:
    return [Ban(*row) for row in connection.execute(BANS.select().order_by(BANS.c.at, BANS.c.who))]


def filtered_names(connection: Connection) -> list[str]:
    return list(connection.execute(select(FILTERED_NAMES.c.word).order_by(FILTERED_NAMES.c.word)).scalars())


def store_report(connection: Connection, report: PlayerReport) -> None:
    """Store a report. A player has one report about a match: another one replaces it."""
    where = (REPORTS.c.match == report.match, REPORTS.c.seat == report.seat)
    connection.execute(REPORTS.delete().where(*where))
    connection.execute(REPORTS.insert().values(**report._asdict()))


def reports(connection: Connection, *, resolved: bool = False) -> list[PlayerReport]:
    """The reports that wait for the operator, the oldest first; or all."""
    query = REPORTS.select() if resolved else REPORTS.select().where(REPORTS.c.resolved_at.is_(None))
    rows = connection.execute(query.order_by(REPORTS.c.at, REPORTS.c.match).limit(MOST_LISTED))
    return [PlayerReport._make(row) for row in rows]


def reports_by(connection: Connection, profile: str) -> list[PlayerReport]:
    return [
        PlayerReport._make(row) for row in connection.execute(REPORTS.select().where(REPORTS.c.reporter == profile))
    ]


def delete_old_reports(connection: Connection, now: int) -> None:
    connection.execute(REPORTS.delete().where(REPORTS.c.at < now - KEPT_MS))


# The operator

OperatorTransaction = Connection


@contextmanager
def moderating(data: Path, url: str | None = None) -> Iterator[Connection]:
    """A transaction of the operator, also beside a running server, which notices it within seconds."""
    if url is None and not (data / FILE).is_file():
        raise NotAllowed("no_database.folder", folder=quoted(str(data), 100))
    try:
        try:
            database = Database(data, url)
        except NotAllowed as refusal:
            if refusal.reason != "database_in_use":
                raise
            # These tables are not cached like matches: another process may change them.
            with writing_beside_a_server(data) as engine, engine.begin() as connection:
                check_version(connection)
                yield connection
            return
        with closing(database), database.writer.begin() as connection:
            check_version(connection)
            yield connection
    except DBAPIError as error:
        raise unusable(str(error.orig), None if url else data) from None


def _changed(connection: Connection) -> None:
    stamp = int(shared_state.get_meta(connection, _STAMP) or 0)
    shared_state.set_meta(connection, _STAMP, str(stamp + 1))


def read_who(text: str) -> str:
    """A profile, from its id or a link to it, or an address as limits know it: a network of IPv6."""
    word = text.strip().rpartition("/p/")[2].lower()
    if _PROFILE.fullmatch(word):
        return word
    word = word.removeprefix("::ffff:") if "." in word else word  # an IPv4 address, as some systems write it
    try:
        network = ip_network(f"{word}/64" if ":" in word and "/" not in word else word, strict=False)
    except ValueError:
        network = None
    if network is None or network.prefixlen != (32 if network.version == 4 else 64):
        raise Unreadable("not_a_ban", who=quoted(text, 60))
    return network.network_address.exploded[:19] if network.version == 6 else str(network.network_address)


def ban(connection: Connection, who: str, now: int, days: int | None, reason: str) -> Ban:
    """Ban a profile or an address. A ban that is there already is replaced."""
    made = Ban(read_who(who), now, days and now + days * DAY_MS, clean(reason)[:LONGEST_REASON])
    connection.execute(BANS.delete().where(BANS.c.who == made.who))
    connection.execute(BANS.insert().values(**made._asdict()))
    _changed(connection)
    return made


def unban(connection: Connection, who: str) -> str:
    found = read_who(who)
    if not connection.execute(BANS.delete().where(BANS.c.who == found)).rowcount:
        raise NotAllowed("no_such_ban", who=found)
    _changed(connection)
    return found


def add_filtered_names(connection: Connection, words: Sequence[str]) -> list[str]:
    """Filter names with these words. Returns the words as they are compared."""
    plain = [_filter_word(word) for word in words]
    insert = sql("INSERT INTO filtered_names (word) VALUES (:word) ON CONFLICT DO NOTHING")
    for word in plain:
        connection.execute(insert, {"word": word})
    _changed(connection)
    return plain


def remove_filtered_names(connection: Connection, words: Sequence[str]) -> list[str]:
    plain = [_filter_word(word) for word in words]
    for word in plain:
        if not connection.execute(FILTERED_NAMES.delete().where(FILTERED_NAMES.c.word == word)).rowcount:
            raise NotAllowed("no_such_word", word=quoted(word))
    _changed(connection)
    return plain


def _filter_word(word: str) -> str:
    plain = skeleton(word)
    if not SHORTEST_WORD <= len(plain) <= LONGEST_WORD:
        raise Unreadable("not_a_filter", word=quoted(word, 60), least=SHORTEST_WORD, most=LONGEST_WORD)
    return plain


def resolve(connection: Connection, matches: Sequence[str], now: int) -> int:
    """Mark all reports about these matches as dealt with. Returns how many there were."""
    count = 0
    for match in matches:
        open_reports = (REPORTS.c.match == match.rpartition("/m/")[2], REPORTS.c.resolved_at.is_(None))
        found = connection.execute(REPORTS.update().where(*open_reports).values(resolved_at=now)).rowcount
        if not found:
            raise NotAllowed("no_such_report", match=quoted(match, 60))
        count += found
    return count
