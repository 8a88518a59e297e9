"""``ninefold moderate``: what the operator of a server does about players: reports, bans, and the filter of names."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from ninefold.core.messages import text
from ninefold.server.http.config import data_folder
from ninefold.server.storage import moderation
from ninefold.server.storage.moderation import OperatorTransaction, PlayerReport
from ninefold.server.storage.shared_state import operator_time


def reports(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        found = moderation.reports(connection, resolved=given.all)
    return _print([_report(report) for report in found], "reports")


def resolve(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        count = moderation.resolve(connection, given.match, operator_time(connection))
    print(text("moderate.resolved", count=count))
    return 0


def ban(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        made = moderation.ban(connection, given.who, operator_time(connection), given.days, given.reason)
    print(text("moderate.banned", who=made.who, until=_until(made.until)))
    return 0


def unban(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        who = moderation.unban(connection, given.who)
    print(text("moderate.unbanned", who=who))
    return 0


def bans(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        found = moderation.bans(connection)
    lines = [
        text(
            "moderate.ban",
            who=ban.who,
            at=_moment(ban.at),
            until=_until(ban.until),
            reason=text("moderate.ban.reason", reason=ban.reason) if ban.reason else "",
        )
        for ban in found
    ]
    return _print(lines, "bans")


def names(given: argparse.Namespace) -> int:
    with _moderating(given) as connection:
        added = moderation.add_filtered_names(connection, given.add) if given.add else []
        removed = moderation.remove_filtered_names(connection, given.remove) if given.remove else []
        found = moderation.filtered_names(connection)
    for code, words in (("moderate.added", added), ("moderate.removed", removed)):
        if words:
            print(text(code, words=", ".join(words)))
    return 0 if added or removed else _print(found, "names")


def _moderating(given: argparse.Namespace) -> AbstractContextManager[OperatorTransaction]:
    return moderation.moderating(data_folder(given.data), given.database or None)


def _print(lines: list[str], what: str) -> int:
    print("\n".join(lines) if lines else text(f"moderate.none.{what}"))
    return 0


def _report(report: PlayerReport) -> str:
    said = text("moderate.report.text", text=report.text) if report.text else ""
    return text(
        "moderate.report",
        at=_moment(report.at),
        match=report.match,
        reason=report.reason,
        name=report.name or text("moderate.no_name"),
        reported=report.reported or text("moderate.no_profile"),
        seat=report.seat,
        reporter=report.reporter or text("moderate.no_profile"),
        text=said + (text("moderate.report.resolved") if report.resolved_at else ""),
    )


def _until(until: int | None) -> str:
    return text("moderate.for_ever") if until is None else text("moderate.until", at=_moment(until))


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
