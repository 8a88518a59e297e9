"""``ninefold backup``, ``ninefold restore`` and ``ninefold delete``."""

from __future__ import annotations

import argparse

from ninefold.core.messages import message, text
from ninefold.server.http.config import data_folder
from ninefold.server.storage.backup import RowCounts, back_up, restore_from
from ninefold.server.storage.deletion import delete_by_operator


def backup(given: argparse.Namespace) -> int:
    counts = back_up(given.file, data_folder(given.data), given.database or None)
    print(text("backup.made", file=given.file, **_counted(counts)))
    return 0


def restore(given: argparse.Namespace) -> int:
    counts = restore_from(given.file, data_folder(given.data), given.database or None)
    print(text("backup.restored", **_counted(counts)))
    return 0


def delete(given: argparse.Namespace) -> int:
    deleted = delete_by_operator(given.match, data_folder(given.data), given.database or None)
    print(text("deleted", matches=", ".join(deleted)))
    return 0


def _counted(counts: RowCounts) -> dict[str, object]:
    return {
        "matches": message("backup.matches", count=counts["matches"]),
        "events": message("backup.events", count=counts["events"]),
    }
