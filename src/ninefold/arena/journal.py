"""A journal of long work: a line that says what work it is, then a line for each part that is done."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.strict_json import read_json

Line = dict[str, Any]


def resume(path: str, about: Mapping[str, object], what: str) -> list[Line]:
    """The parts that a journal holds; it is begun if there is none. One of other work is refused. A line that a crash
    cut short is lost, and one that is no JSON object is empty."""
    try:
        with open(path, "a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            whole = file.read().rpartition("\n")[0]
            if not whole:
                file.truncate(0)
                file.write(json.dumps(about) + "\n")
                return []
            os.truncate(path, len(whole.encode()) + 1)
    except OSError as error:
        raise NotAllowed("cannot_write", f"Cannot keep a log in {quoted(path, 100)}: {error.strerror}.") from None
    head, *lines = whole.split("\n")
    if _read(head) != json.loads(json.dumps(about)):
        raise NotAllowed("another_game", f"{quoted(path, 100)} is not the log of this {what}.", "Name another file.")
    return [_read(line) for line in lines]


def append(path: str, line: Mapping[str, object]) -> None:
    """A part is done, and stays done."""
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
