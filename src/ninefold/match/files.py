"""Matches on disk: read whatever form a file has, write so that a crash never leaves half a game."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.match.log import raise_broken_line, read_log, rescue_log, write_log
from ninefold.match.match import Match, check_match
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
        raise_broken_line(data[: error.start].count(b"\n") + 1, "log.not_utf8")
    if not content.strip():
        raise Unreadable("broken_file.empty")
    if content.lstrip()[0] not in "{[":
        raise Unreadable("broken_file.neither")
    return read_record(content) if _is_record(data) else read_log(content)


def _is_record(data: bytes) -> bool:
    """A log is made of JSON objects; a record begins with a tag in brackets."""
    return not data.lstrip().startswith(b"{")


def load(path: str | PathLike[str]) -> Match:
    """The match in a file, which is a log or a record.

    >>> from ninefold import load
    >>> load("no such game.jsonl")
    Traceback (most recent call last):
        ...
    ninefold.core.errors.Unreadable: Cannot read 'no such game.jsonl': No such file or directory. Choose another file.
    """
    path = os.fspath(path)
    data = _read(path)
    try:
        return read_match(data)
    except Refusal as refusal:
        code = "too_long.in_file" if refusal.reason == "too_long" else "broken_file.in_file"
        if _can_rescue(data):
            code = "broken_file.rescue"
        raise Unreadable(code, file=quoted(path, 100), path=_in_shell(path), why=refusal.sentence) from None


class Rescue(NamedTuple):
    """The readable part of a file: a match, from so many events of its log, and what is wrong with the rest."""

    match: Match
    events: int
    wrong: Refusal | None = None


def rescue(path: str) -> Rescue:
    """The readable part of a log that was cut off or damaged."""
    data = _read(path)
    try:
        return _rescue(data)
    except Refusal as refusal:
        raise Unreadable("broken_file.no_rescue", file=quoted(path, 100), why=refusal.sentence) from None


def _rescue(data: bytes) -> Rescue:
    try:
        match = read_match(data)
        return Rescue(match, len(match.events))
    except Unreadable as refusal:
        if _is_record(data) or len(data) > LARGEST:
            raise
        return Rescue(*rescue_log(_readable(data)), refusal)


def _can_rescue(data: bytes) -> bool:
    try:
        return bool(_rescue(data))
    except Refusal:
        return False


def _readable(data: bytes) -> str:
    """The text up to the first byte that is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].decode("utf-8")


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Unreadable("no_such_file", file=quoted(path, 100), why=_why(error)) from None


def _in_shell(path: str) -> str:
    from shlex import quote

    return quote(path)


def check_new(path: str) -> None:
    """Refuse what could not be written, or would be lost by writing."""
    if not path or "\0" in path:
        raise NotAllowed("cannot_write.name", file=quoted(path, 100))
    if os.path.lexists(path):
        raise NotAllowed("file_exists", file=quoted(path, 100))
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(folder, os.W_OK):
        raise NotAllowed("cannot_write.folder", file=quoted(path, 100))


def save(path: str | PathLike[str], match: Match) -> None:
    """Write a match in the form that the file has, or that its name says: a record for ``.record``, else a log.

    >>> from tempfile import TemporaryDirectory
    >>> from ninefold import begin, load, save
    >>> with TemporaryDirectory() as folder:
    ...     save(f"{folder}/game.record", begin("classic").act(1, 4))
    ...     load(f"{folder}/game.record")
    <Match of classic: 5, O to act>
    """
    check_match(match)
    path = os.fspath(path)
    write_text(path, write_record(match) if _holds_record(path) else write_log(match))


def _holds_record(path: str) -> bool:
    """A file keeps the form it has; a new one is a record when its name says so, else a log."""
    try:
        with Path(path).open("rb") as file:
            return _is_record(file.read(LARGEST))
    except OSError:
        return path.endswith(RECORD_SUFFIX)


def write_text(path: str, content: str, *, secret: bool = False) -> None:
    """Write a file in one step, so that nobody ever reads half of it. Only its owner may read a ``secret`` one."""
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
