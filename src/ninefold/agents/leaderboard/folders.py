"""Folders that a leaderboard is written to. Files of others are never overwritten."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from ninefold.agents.leaderboard.html import INDEX_SCRIPT, MATCH_SCRIPT, STYLE
from ninefold.core.errors import NotAllowed, quoted

UNFINISHED = "unfinished-leaderboard"  # a folder, while an export is written
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
    """A folder that is new or empty, or has an earlier export of the same kind. Nothing in it is changed yet."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.iterdir()):
            if not any(fnmatch(file.name, pattern) for pattern in (*OURS[kind], UNFINISHED)) or _is_foreign(file, kind):
                raise NotAllowed("cannot_write.other_files", folder=quoted(name, 100), file=quoted(file.name, 60))
    except OSError as error:
        raise NotAllowed("cannot_write.board", folder=quoted(name, 100), why=error.strerror) from None
    return folder


@contextmanager
def replacing(folder: Path, kind: str) -> Iterator[Path]:
    """A folder to write an export into, which takes the place of the earlier one at the end. If anything stops the
    writing, the earlier one stays as it was."""
    fresh = folder / UNFINISHED
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        yield fresh
        _take_over(fresh, folder, kind)
    except OSError as error:
        raise NotAllowed("cannot_write.board", folder=quoted(str(folder), 100), why=error.strerror) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _take_over(fresh: Path, folder: Path, kind: str) -> None:
    """Move new files over old ones, the first page last; then remove the pages and logs of matches that are not in the
    leaderboard any more."""
    files = [file.relative_to(fresh) for file in fresh.rglob("*") if file.is_file()]
    for file in sorted(files, key=lambda file: file.name == "index.html"):
        (folder / file).parent.mkdir(exist_ok=True)
        (fresh / file).replace(folder / file)
    for old in _pages(folder, kind) - {folder / file for file in files}:
        old.unlink()


def _is_foreign(file: Path, kind: str) -> bool:
    """True for a file that has the name of ours and was not written by us: another README, or another page."""
    if kind == "dataset" and file.name == "README.md":
        return "Written by ninefold" not in file.read_text(encoding="utf-8", errors="replace")
    if kind == "html" and file.name == "index.html":
        return 'content="ninefold ' not in file.read_text(encoding="utf-8", errors="replace")
    return False


def _pages(folder: Path, kind: str) -> set[Path]:
    """The pages or logs of single matches."""
    patterns = {"html": "matches/*.html", "inspect": OURS["inspect"][0]}
    return set(folder.glob(patterns[kind])) if kind in patterns else set()
