"""Numbers for Prometheus, as plain text, on an address of their own."""

from __future__ import annotations

import asyncio
import contextlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "SOCKET")
_LONGEST_HEAD = 8192
_OF_SERVICE = (
    ("moves", "ninefold_moves_total", "counter", "Moves that were made."),
    ("writes_waiting", "ninefold_writes_waiting", "gauge", "Writes that wait for the database."),
    ("engines_busy", "ninefold_engine_queue", "gauge", "Moves that the computer has to compute."),
)


class Metrics:
    """What this process has counted since it started."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.refusals: Counter[str] = Counter()
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0
        self.sockets = 0

    def request(self, method: str, route: str, status: int) -> None:
        self.requests[method if method in _METHODS else "other", route, status] += 1

    def refused(self, reason: str) -> None:
        self.refusals[reason] += 1

    def acted(self, seconds: float) -> None:
        """How long an action took, refused or not."""
        self.buckets[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds

    def text(self, health: Mapping[str, Any]) -> str:
        return "".join(f"{line}\n" for line in [*self._counted(), *self._latency(), *_kept(health)])

    def _counted(self) -> Iterator[str]:
        yield from _head("ninefold_http_requests_total", "counter", "Requests by route and status.")
        for (method, route, status), count in sorted(self.requests.items()):
            labels = f'method="{method}",route="{_escape(route)}",status="{status}"'
            yield f"ninefold_http_requests_total{{{labels}}} {count}"
        yield from _head("ninefold_refusals_total", "counter", "Refusals by their reason.")
        for reason, count in sorted(self.refusals.items()):
            yield f'ninefold_refusals_total{{reason="{_escape(reason)}"}} {count}'
        yield from _head("ninefold_sockets_open", "gauge", "Sockets that are open now.")
        yield f"ninefold_sockets_open {self.sockets}"

    def _latency(self) -> Iterator[str]:
        name, total = "ninefold_action_seconds", 0
        yield from _head(name, "histogram", "How long actions took, from the request to the answer.")
        for bound, count in zip((*BUCKETS, "+Inf"), self.buckets, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.seconds:.6f}"
        yield f"{name}_count {total}"


def _kept(health: Mapping[str, Any]) -> Iterator[str]:
    """What the service says about itself."""
    yield from _head("ninefold_matches", "gauge", "Matches by status.")
    for status, count in sorted(health["matches"].items()):
        yield f'ninefold_matches{{status="{_escape(status)}"}} {count}'
    for field, name, kind, help in _OF_SERVICE:
        yield from _head(name, kind, help)
        yield f"{name} {health[field]}"


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


async def serve(host: str, port: int, text: Callable[[], str]) -> asyncio.Server:
    """A small server that knows one page."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(5):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_page(head, text))
                await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, host, port, limit=_LONGEST_HEAD)


def _page(head: bytes, text: Callable[[], str]) -> bytes:
    found = head.startswith((b"GET /metrics ", b"GET / "))
    body = text().encode() if found else b"Metrics are at /metrics.\n"
    status = "200 OK" if found else "404 Not Found"
    lines = (
        f"HTTP/1.1 {status}", "Content-Type: text/plain; version=0.0.4; charset=utf-8",
        f"Content-Length: {len(body)}", "Connection: close", "", "",
    )  # fmt: skip
    return "\r\n".join(lines).encode() + body
