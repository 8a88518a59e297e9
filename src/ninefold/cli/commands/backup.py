"""``ninefold backup`` and ``ninefold restore``."""

from __future__ import annotations

import argparse
from pathlib import Path

from platformdirs import user_data_path

from ninefold.server.storage.backup import Counts, back_up, restore_from


def backup(given: argparse.Namespace) -> int:
    counts = back_up(given.file, _folder(given), given.database or None)
    print(f"In {given.file}: {_told(counts)}.")
    return 0


def restore(given: argparse.Namespace) -> int:
    counts = restore_from(given.file, _folder(given), given.database or None)
    print(f"Restored: {_told(counts)}.")
    return 0


def _folder(given: argparse.Namespace) -> Path:
    """As `ninefold serve` has it."""
    return Path(given.data) if given.data else user_data_path("ninefold")


def _told(counts: Counts) -> str:
    matches, events = counts["matches"], counts["events"]
    return f"{matches:,} match{'es' if matches != 1 else ''} with {events:,} event{'s' if events != 1 else ''}"
