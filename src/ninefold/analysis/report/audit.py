"""The audit of refused attempts, which the server stores beside a log: a JSON object for each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ninefold.analysis.report.endings import RefusedAttempt
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.strict_json import read_json
from ninefold.core.text import clean

AUDIT_SUFFIX = ".refused"  # of the file beside the log that it belongs to


class Audit(NamedTuple):
    """The latest refusals; ``forgotten`` older ones were too many to be stored."""

    refused: tuple[RefusedAttempt, ...] = ()
    forgotten: int = 0


def audit_of(stored: Sequence[tuple[int, str]]) -> Audit:
    """The audit of a stored match: its lines are numbered from 1, and the first ones may be missing."""
    return Audit(tuple(_refused(line) for _, line in stored), stored[0][0] - 1 if stored else 0)


def read_audit(text: str) -> Audit:
    """The audit in a file: a line with the number of forgotten refusals, then a line for each refusal."""
    head, *lines = text.splitlines() or [""]
    forgotten = _object(head).get("forgotten")
    if type(forgotten) is not int or forgotten < 0:
        raise _broken()
    return Audit(tuple(_refused(line) for line in lines if line), forgotten)


def read_audit_beside(file: Path) -> Audit:
    """The audit in the file beside a log; an empty one if there is no such file."""
    beside = file.with_suffix(AUDIT_SUFFIX)
    if beside == file or not beside.is_file():
        return Audit()
    try:
        return read_audit(beside.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise Unreadable("no_such_file.audit", file=quoted(str(beside), 100)) from None
    except Refusal as refusal:
        raise Unreadable("broken_file.in_file", file=quoted(str(beside), 100), why=refusal) from None


def write_audit(stored: Sequence[tuple[int, str]]) -> str:
    head = json.dumps({"forgotten": stored[0][0] - 1 if stored else 0})
    return "".join(f"{line}\n" for line in (head, *(line for _, line in stored)))


def _refused(line: str) -> RefusedAttempt:
    fields = _object(line)
    seat, action, reason, version, at = (fields.get(name) for name in RefusedAttempt._fields)
    if type(seat) is not int or seat not in (1, 2) or not isinstance(action, str) or not isinstance(reason, str):
        raise _broken()
    return RefusedAttempt(seat, clean(action), clean(reason), _whole(version), _whole(at))


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _object(line: str) -> Mapping[str, object]:
    try:
        found = read_json(line)
    except ValueError:
        raise _broken() from None
    if not isinstance(found, dict):
        raise _broken()
    return found


def _broken() -> Unreadable:
    return Unreadable("broken_file.audit")
