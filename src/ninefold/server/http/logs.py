"""Structured logs: JSON lines on the error stream, without tokens, secrets or query strings.

A thread writes them. If nobody reads the error stream, lines are dropped and counted, and requests go on.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TextIO

LOG = logging.getLogger("ninefold")
MOST_WAITING = 10_000  # lines
FLUSH_SECONDS = 1.0  # for what is not written when the server stops
DROPPED = "log lines dropped"
_ERROR_STREAM = 2
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


class LogQueue(logging.Handler):
    """Passes lines to a thread that writes them, and never waits for it."""

    def __init__(self, write: Callable[[str], object], most: int = MOST_WAITING) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.dropped: int = 0  # lines, since the start
        self._told = 0  # of them, in the log itself
        self._write = write
        self._waiting: queue.Queue[logging.LogRecord] = queue.Queue(most)
        threading.Thread(target=self._run, name="ninefold-log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._waiting.put_nowait(record)
        except queue.Full:
            self.dropped += 1

    def flush(self, seconds: float = FLUSH_SECONDS) -> None:
        """Wait a little until everything is written; the system may not take it."""
        until = time.monotonic() + seconds
        with self._waiting.all_tasks_done:
            while self._waiting.unfinished_tasks and (left := until - time.monotonic()) > 0:
                self._waiting.all_tasks_done.wait(left)

    def _run(self) -> None:
        while True:
            record = self._waiting.get()
            try:
                self._tell_dropped()
                self._write(self.format(record) + "\n")
            except Exception:
                self.dropped += 1
            finally:
                self._waiting.task_done()

    def _tell_dropped(self) -> None:
        """The stream is read again: say what is missing."""
        if lines := self.dropped - self._told:
            record = logging.makeLogRecord({"levelname": "WARNING", "msg": DROPPED, "facts": {"lines": lines}})
            self._write(self.format(record) + "\n")
            self._told += lines


def _write(line: str, stream: int = _ERROR_STREAM) -> None:
    """Without Python's buffer, whose lock would keep the process from exiting while the write waits."""
    rest = line.encode()
    while rest:
        rest = rest[os.write(stream, rest) :]


def say(*lines: str, stream: TextIO | None = None) -> None:
    """Print lines for people, and wait only a little if nobody reads the stream."""
    if (chosen := stream or sys.stdout) is None:  # the process was started without it
        return
    number, text = chosen.fileno(), "".join(f"{line}\n" for line in lines)

    def write() -> None:
        with contextlib.suppress(OSError):  # the reader has gone
            _write(text, number)

    thread = threading.Thread(target=write, name="ninefold-print", daemon=True)
    thread.start()
    thread.join(FLUSH_SECONDS)


def set_up(*, quiet: bool, write: Callable[[str], object] = _write) -> LogQueue:
    """Log to the error stream; if quiet, only warnings and errors."""
    handler = LogQueue(write)
    LOG.handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)
    logging.lastResort = handler  # for the loggers of libraries, which would write to the error stream themselves
    agents = logging.getLogger("mcp")
    agents.handlers, agents.propagate = [handler], False
    agents.setLevel(logging.WARNING)
    # uvicorn's own lines hold query strings, and a traceback for every garbage frame. Both are logged here.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = True
    return handler


def dropped_lines() -> int:
    """How many lines were dropped since the start."""
    return sum(handler.dropped for handler in LOG.handlers if isinstance(handler, LogQueue))


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
