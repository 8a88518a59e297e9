"""Journals of long work that can be resumed: a line that describes the work, then a line for each finished part.
The log of a tournament is such a journal."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.arena.schedule import GameResult, ScheduledGame
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.strict_json import read_json

Line = dict[str, Any]
_WINNERS = ("", "X", "O")


def resume(path: str, about: Mapping[str, object], kind: str) -> list[Line]:
    """The finished parts in a journal, which is created if it does not exist. The journal of other work is refused. A
    line that a crash cut short is dropped, and a line that is not a JSON object becomes an empty one."""
    try:
        with open(path, "ab+") as file:
            file.seek(0)
            data = file.read()
            whole = data.rpartition(b"\n")[0]
            if not whole:
                file.truncate(0)
                file.write(json.dumps(about).encode() + b"\n")
                return []
            if not data.endswith(b"\n"):  # otherwise a line that another process has written meanwhile would be lost
                file.truncate(len(whole) + 1)
    except OSError as error:
        raise NotAllowed("cannot_write.journal", file=quoted(path, 100), why=error.strerror) from None
    head, *lines = whole.decode(errors="replace").split("\n")
    if _read(head) != json.loads(json.dumps(about)):
        raise NotAllowed(f"another_game.{kind}", file=quoted(path, 100))
    return [_read(line) for line in lines]


def read(path: str) -> list[Line]:
    """All lines of a journal, which is not changed; an empty one for a line that is not a JSON object. A line that a
    crash cut short is left out. There is always a first line."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return [_read(line) for line in file.read().rpartition("\n")[0].split("\n")]


def append(path: str, line: Mapping[str, object]) -> None:
    """Write a finished part, and make sure that it is on the disk."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _read(line: str) -> Line:
    try:
        found = read_json(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def resume_tournament(path: str, about: Mapping[str, object], games: Sequence[ScheduledGame]) -> dict[int, GameResult]:
    """The games in the log of a tournament, by their numbers."""
    results: dict[int, GameResult] = {}
    for number, line in enumerate(resume(path, {"arena": about}, "tournament"), 2):
        result = _parse_result(line, games)
        if result is None:
            raise Unreadable("broken_file.tournament", file=quoted(path, 100), line=number)
        results[result.number] = result
    return results


def _parse_result(line: Line, games: Sequence[ScheduledGame]) -> GameResult | None:
    """The result in a line; None if it is not of one of these games."""
    try:
        result = GameResult(**line)
        is_known = type(result.number) is int and result.number >= 0 and games[result.number][4:6] == result[1:3]
        is_text = type(result.reason) is str and type(result.moves) is str
        return result if is_known and is_text and result.winner in _WINNERS and type(result.plies) is int else None
    except (TypeError, IndexError):
        return None
