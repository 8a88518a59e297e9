"""Folders that a leaderboard is written to. Files of others are never overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from ninefold.agents.leaderboard.html import INDEX_SCRIPT, MATCH_SCRIPT, STYLE
from ninefold.core.errors import NotAllowed, quoted

DATA_FILE = "leaderboard.json"
TABLES = ("agents", "pairs", "matches", "turns")
OURS: dict[str, Sequence[str]] = {
    "html": ("index.html", STYLE, MATCH_SCRIPT, INDEX_SCRIPT, DATA_FILE, "matches"),
    "csv": tuple(f"{name}.csv" for name in TABLES),
    "parquet": tuple(f"{name}.parquet" for name in TABLES),
    "inspect": ("*_ninefold-*_*.json",),
    "dataset": ("README.md", "data"),
}  # the files of each export


def prepare(name: str, kind: str) -> Path:
    """A folder that is new or empty, or has an earlier export of the same kind, which is removed."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.iterdir()):
            if not any(fnmatch(file.name, pattern) for pattern in OURS[kind]) or _is_foreign(file, kind):
                raise NotAllowed("cannot_write.other_files", folder=quoted(name, 100), file=quoted(file.name, 60))
        _remove_pages(folder, kind)
    except OSError as error:
        raise NotAllowed("cannot_write.board", folder=quoted(name, 100), why=error.strerror) from None
    return folder


def _is_foreign(file: Path, kind: str) -> bool:
    """True for a file that has the name of ours and was not written by us: another README, or another page."""
    if kind == "dataset" and file.name == "README.md":
        return "Written by ninefold" not in file.read_text(encoding="utf-8", errors="replace")
    if kind == "html" and file.name == "index.html":
        return 'content="ninefold ' not in file.read_text(encoding="utf-8", errors="replace")
    return False


def _remove_pages(folder: Path, kind: str) -> None:
    """Pages and logs of matches that are no longer in the leaderboard must not stay behind."""
    patterns = {"html": "matches/*.html", "inspect": OURS["inspect"][0]}
    for file in folder.glob(patterns[kind]) if kind in patterns else ():
        file.unlink()
