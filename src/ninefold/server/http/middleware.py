"""The guard in front of the app: who may come, from where, how often and with how much."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.server.http.config import Bounds, Config, Rate
from ninefold.server.http.errors import answer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MATCHES, RECORDS, ANALYSIS = "/api/v1/matches", "/api/v1/records", "/api/v1/analysis"
# A match is kept for long, and there are only so many; the others take the processor, not only the disk.
_COSTS = {MATCHES: 10.0, RECORDS: 5.0, ANALYSIS: 5.0}
NEW_MATCH = "ninefold.new_match"  # where a mounted door says that a match is wanted
_READS = ("GET", "HEAD", "OPTIONS")


class Limiter:
    """A bucket of tokens for each address. The table is bounded: who was not seen for longest is forgotten."""

    def __init__(self, rate: Rate, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.most, self.now = rate, most, now
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> float:
        """0 when it may be done; else the seconds to wait. What costs more than there ever is takes all of it."""
        cost, now = min(cost, self.rate.burst), self.now()
        left, at = self.buckets.pop(address, (self.rate.burst, now))
        left = min(self.rate.burst, left + (now - at) * self.rate.per_second)
        allowed = left >= cost
        self.buckets[address] = (left - cost if allowed else left), now
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)
        return 0.0 if allowed else (cost - left) / self.rate.per_second


class Gate:
    """The rates, for requests and for what comes through sockets alike."""

    def __init__(self, bounds: Bounds) -> None:
        self.reads = Limiter(bounds.reads, bounds.addresses)
        self.writes = Limiter(bounds.writes, bounds.addresses)

    def check(self, address: str, *, write: bool, cost: float = 1.0) -> None:
        wait = (self.writes if write else self.reads).take(address, cost)
        if wait:
            seconds = math.ceil(wait)
            raise NotAllowed("too_many", seconds=seconds).with_details(retry_after=seconds)


def address_of(scope: Scope) -> str:
    """Whom the limits are for. Everybody has a whole /64 of IPv6 addresses, so that counts as one."""
    client = scope.get("client")
    return _counted_as(client[0] if client else "")


@lru_cache(4096)
def _counted_as(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else address.exploded[:19]
    return str(address)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


class Guard:
    def __init__(self, app: ASGIApp, config: Config, gate: Gate) -> None:
        self.app, self.config, self.gate = app, config, gate
        self.mounted = {path for path, _ in config.mounts}
        self.sockets: Counter[str] = Counter()  # and requests at mounted doors, which may stay as long

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        stays = scope["type"] == "websocket" or scope["path"] in self.mounted
        try:
            self._check_names(scope)
            self._check_rate(scope)
            if scope["type"] == "http":
                receive = _replay(await self._body(scope, receive), receive)
            if stays:
                self._check_sockets(scope)
        except Refusal as refusal:
            await answer(refusal, scope, receive, send)
            return
        if scope["path"] in self.mounted:
            scope.setdefault("extensions", {})[NEW_MATCH] = partial(self._check_new_match, address_of(scope))
        await (self._socket if stays else self.app)(scope, receive, send)

    def _check_names(self, scope: Scope) -> None:
        """A page of another site, or a name that was made to point here, must not speak for the reader's browser."""
        hosts = [host.lower() for host in _values(scope, b"host")]
        if len(hosts) != 1 or hosts[0] not in self.config.hosts:
            raise NotAllowed("foreign_host")
        if any(origin.lower() not in self.config.origins for origin in _values(scope, b"origin")):
            raise NotAllowed("foreign_origin")

    def _check_rate(self, scope: Scope) -> None:
        write = scope.get("method", "GET") not in _READS
        self.gate.check(address_of(scope), write=write, cost=_COSTS.get(scope["path"], 1.0) if write else 1.0)

    def _check_new_match(self, address: str) -> None:
        """A match that is asked for at another door costs what it costs everywhere: more than the request alone."""
        self.gate.check(address, write=True, cost=_COSTS[MATCHES] - 1.0)

    def _check_sockets(self, scope: Scope) -> None:
        bounds = self.config.bounds
        if self.sockets[address_of(scope)] >= bounds.sockets_each:
            raise NotAllowed("too_many_sockets")
        if self.sockets.total() >= bounds.sockets:
            raise NotAllowed("full")

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        self.sockets[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, before anything looks at it."""
        most = self.config.bounds.record if scope["path"] == RECORDS else self.config.bounds.body
        if any(len(length) > 9 or int(length) > most for length in _values(scope, b"content-length")):
            raise _too_large(most)
        body = bytearray()
        try:
            async with asyncio.timeout(self.config.bounds.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Unreadable("not_json.cut")
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise _too_large(most)
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            raise NotAllowed("too_slow") from None


def _too_large(most: int) -> Unreadable:
    return Unreadable("too_large", most=most // 1024)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Hands out a body that has been read already, then what comes after it."""
    pending = [body]

    async def replay() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return replay
