"""What the server says about itself: JSON lines on the error stream, without tokens, secrets or query strings."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime

LOG = logging.getLogger("ninefold")
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,}")


class Lines(logging.Formatter):
    """A record as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        facts = dict(getattr(record, "facts", {}))
        if record.exc_info and record.exc_info[1]:
            facts |= _told(record.exc_info[1])
        return json.dumps(line | facts)


def set_up(quiet: bool) -> None:
    """Log to the error stream; when quiet, only what went wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    LOG.handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)
    guest = logging.getLogger("mcp")  # where agents are let in
    guest.handlers, guest.propagate = [handler], False
    guest.setLevel(logging.WARNING)
    # Its own lines repeat query strings, and one garbage frame makes a page of traceback. We log both ourselves.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = True


def say(event: str, **facts: object) -> None:
    LOG.info(event, extra={"facts": facts})


def warn(event: str, **facts: object) -> None:
    LOG.warning(event, extra={"facts": facts})


def say_error(event: str, error: BaseException, **facts: object) -> None:
    LOG.error(event, extra={"facts": {**facts, **_told(error)}})


def _told(error: BaseException) -> dict[str, str]:
    """An error nobody expected: its words without anything that could be a secret, and where it happened."""
    what = f"{type(error).__name__}: {_SECRET.sub('***', str(error))[:500]}"
    return {"error": what, "where": "".join(traceback.format_tb(error.__traceback__)[-12:])}
