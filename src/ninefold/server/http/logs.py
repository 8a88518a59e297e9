"""Structured logs: JSON lines on the error stream, without tokens, secrets or query strings."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO

LOG = logging.getLogger("ninefold")
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,}")


class JsonFormatter(logging.Formatter):
    """A log record as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        fields |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1]:
            fields |= _error_facts(record.exc_info[1])
        return json.dumps(fields)


def set_up(*, quiet: bool, stream: TextIO | None = None) -> None:
    """Log to a stream, the error stream by default; if quiet, only warnings and errors."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    LOG.handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)
    agents = logging.getLogger("mcp")
    agents.handlers, agents.propagate = [handler], False
    agents.setLevel(logging.WARNING)
    # uvicorn's own lines hold query strings, and a traceback for every garbage frame. Both are logged here.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = True


def log_info(event: str, **facts: object) -> None:
    LOG.info(event, extra={"facts": facts})


def log_warning(event: str, **facts: object) -> None:
    LOG.warning(event, extra={"facts": facts})


def log_error(event: str, error: BaseException, **facts: object) -> None:
    LOG.error(event, extra={"facts": {**facts, **_error_facts(error)}})


def _error_facts(error: BaseException) -> dict[str, str]:
    """The text of an unexpected error without what could be a secret, and its traceback."""
    text = f"{type(error).__name__}: {_SECRET.sub('***', str(error))[:500]}"
    return {"error": text, "where": "".join(traceback.format_tb(error.__traceback__)[-12:])}
