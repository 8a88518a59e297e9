"""Matches on disk: read whatever form a file has, write so that a crash never leaves half a game."""

from __future__ import annotations

import os
from pathlib import Path

from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import text
from ninefold.match.log import broken, read_log, write_log
from ninefold.match.match import Match
from ninefold.match.record import read_record, write_record

LARGEST = 1_000_000
RECORD_SUFFIX = ".record"


def read_match(data: bytes) -> Match:
    """The match in the bytes of a log or of a record."""
    if len(data) > LARGEST:
        raise Unreadable("too_long.file", most=LARGEST)
    try:
        content = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        broken(data[: error.start].count(b"\n") + 1, "log.not_utf8")
    if not content.strip():
        raise Unreadable("broken_file.empty")
    if content.lstrip()[0] not in "{[":
        raise Unreadable("broken_file.neither")
    return read_record(content) if _is_record(data) else read_log(content)


def _is_record(data: bytes) -> bool:
    """A log is made of JSON objects; a record begins with a tag in brackets."""
    return not data.lstrip().startswith(b"{")


def load(path: str) -> Match:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Unreadable("no_such_file", file=quoted(path, 100), why=_why(error)) from None
    try:
        return read_match(data)
    except Refusal as refusal:
        sentence = text("file.wrong", file=quoted(path, 100), why=refusal.sentence)
        raise Unreadable.told(refusal.reason, sentence, refusal.instead) from None


def check_new(path: str) -> None:
    """Refuse what could not be written, or would be lost by writing."""
    if not path or "\0" in path:
        raise NotAllowed("cannot_write.name", file=quoted(path, 100))
    if os.path.lexists(path):
        raise NotAllowed("file_exists", file=quoted(path, 100))
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(folder, os.W_OK):
        raise NotAllowed("cannot_write.folder", file=quoted(path, 100))


def save(path: str, match: Match) -> None:
    """Write a match; half a file is never seen."""
    write_text(path, write_record(match) if _holds_record(path) else write_log(match))


def _holds_record(path: str) -> bool:
    """A file keeps the form it has; a new one is a record when its name says so, else a log."""
    try:
        with Path(path).open("rb") as file:
            return _is_record(file.read(LARGEST))
    except OSError:
        return path.endswith(RECORD_SUFFIX)


def write_text(path: str, content: str, *, secret: bool = False) -> None:
    """Half a file is never seen; a secret one by nobody else, at no time."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise NotAllowed("cannot_write.not_a_file", file=quoted(path, 100))
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.touch(0o600 if secret else 0o666)
        with draft.open("w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except (OSError, ValueError) as error:
        raise NotAllowed("cannot_write", file=quoted(path, 100), why=_why(error)) from None
    finally:
        draft.unlink(missing_ok=True)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
