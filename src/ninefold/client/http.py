"""Requests to a server over one connection. What broke on its way is sent again, word for word."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ninefold import __version__
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.text import clean

API = "/api/v1"
LATER = (429, 502, 503, 504)  # the server, or a proxy before it, asks to come back
UNREADABLE = (400, 413, 415, 422)
LARGEST = 8 * 1024 * 1024
SECONDS = 10.0  # for one answer
LONGEST_PAUSE = 2.0

Document = dict[str, Any]


class Reply(NamedTuple):
    status: int
    body: bytes
    wait: float = 0.0  # seconds, as the server wants it


def pauses() -> Iterator[float]:
    """Seconds between attempts: none at first, for a connection that was only idle; then longer and longer."""
    yield 0.0
    pause = 0.1
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)


class Calls:
    """``patience`` is how many seconds a call may be tried; ``on_trouble`` is told, once a call, that it takes long."""

    def __init__(self, address: str, *, patience: float, on_trouble: Callable[[], None]) -> None:
        self.address = address
        self.patience = patience
        self.on_trouble = on_trouble
        parts = urlsplit(address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.netloc, timeout=SECONDS)
        self._reached = False

    def get(self, path: str, token: str | None = None) -> Any:
        return self._read(self._ask("GET", path, token, None))

    def post(self, path: str, body: Mapping[str, object] | None = None, token: str | None = None) -> Document:
        found: Document = self._read(self._ask("POST", path, token, body))
        return found

    def text(self, path: str, token: str | None = None) -> str:
        return self._ask("GET", path, token, None).body.decode(errors="replace")

    def close(self) -> None:
        self._connection.close()

    def _ask(self, method: str, path: str, token: str | None, body: Mapping[str, object] | None) -> Reply:
        until = time.monotonic() + self.patience
        for attempt, pause in enumerate(pauses()):
            reply = self._once(method, path, token, body)
            if reply and reply.status not in LATER:
                break
            wait = max(pause, reply.wait if reply else 0.0)
            if time.monotonic() + wait > until or not self._reached:
                break
            if attempt == 1:
                self.on_trouble()
            time.sleep(wait)
        if reply is None:
            raise no_connection(self.address)
        if reply.status >= 400:
            raise refusal(reply.status, reply.body)
        return reply

    def _once(self, method: str, path: str, token: str | None, body: Mapping[str, object] | None) -> Reply | None:
        """One attempt; None when the connection broke."""
        headers = {"User-Agent": f"ninefold/{__version__}", "Accept": "application/json, */*"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, API + path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            data = response.read(LARGEST + 1)
        except (OSError, HTTPException):
            self._connection.close()
            return None
        self._reached = True
        if len(data) > LARGEST:
            self._connection.close()
            raise Unreadable("not_a_server", f"{quoted(self.address, 60)} answers without an end.", "Ask another.")
        wait = response.headers.get("Retry-After", "")
        return Reply(response.status, data, float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 4 else 0.0)

    def _read(self, reply: Reply) -> Any:
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            raise Unreadable(
                "not_a_server", f"{quoted(self.address, 60)} does not answer like Ninefold.", "Ask another server."
            ) from None


def refusal(status: int, body: bytes | Document) -> Refusal:
    """What a server refuses, in the words of the core."""
    try:
        document = body if isinstance(body, dict) else json.loads(body)
        reason, sentence, instead = (clean(str(document[name])) for name in ("reason", "detail", "instead"))
    except (ValueError, RecursionError, LookupError, TypeError):
        reason, sentence, instead = "refused", f"The server refuses this ({status}).", ""
    return (Unreadable if status in UNREADABLE else NotAllowed)(reason, sentence, instead)


def no_connection(address: str) -> NotAllowed:
    return NotAllowed("no_connection", f"The server at {address} cannot be reached.", "Is it running?")
