"""``ninefold backup`` and ``ninefold restore``."""

from __future__ import annotations

import argparse
from pathlib import Path

from platformdirs import user_data_path

from ninefold.core.messages import message, text
from ninefold.server.storage.backup import RowCounts, back_up, restore_from


def backup(given: argparse.Namespace) -> int:
    counts = back_up(given.file, _folder(given), given.database or None)
    print(text("backup.made", file=given.file, **_counted(counts)))
    return 0


def restore(given: argparse.Namespace) -> int:
    counts = restore_from(given.file, _folder(given), given.database or None)
    print(text("backup.restored", **_counted(counts)))
    return 0


def _folder(given: argparse.Namespace) -> Path:
    """The same as for ``ninefold serve``."""
    return Path(given.data) if given.data else user_data_path("ninefold")


def _counted(counts: RowCounts) -> dict[str, object]:
    return {
        "matches": message("backup.matches", count=counts["matches"]),
        "events": message("backup.events", count=counts["events"]),
    }
