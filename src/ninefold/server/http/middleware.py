"""Middleware: the access log with the headers of every response, then allowed names, rates and sizes of requests."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.server.hosting.errors import unexpected
from ninefold.server.http.config import Config, Limits, Rate
from ninefold.server.http.errors import KEPT, problem_response, respond, status_of
from ninefold.server.http.logs import log_error, log_info
from ninefold.server.http.prices import CHARGES, RECORDS, is_write, price
from ninefold.server.storage.config import CHARGE, REFUSED, REQUESTER, Charged, RefusedRequest

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from ninefold.server.http.metrics import Metrics

UNMATCHED = "unmatched"
# WebAssembly is compiled in pages and workers; nothing else is evaluated.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    b"content-security-policy": CONTENT_SECURITY_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
HEALTH = "/healthz"
BEYOND_LIMITS = (413, 429, 503)  # statuses of refusals that a mounted app tells its client
LOOKED_AT = 4  # times the limit: how much of a message to a mounted app is read, to tell which one was too large
PAUSE_SECONDS = 1.0  # at least, before a refusal, for an address that was refused too often
PAUSE_SPREAD = 1.0  # and at most so many seconds more
GOLDEN_RATIO = 0.618034  # its multiples spread evenly, however many they are


class AccessLog:
    """Outermost: one log line and one count for each request, and a response when something fails."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_headers(send)
        began, status = time.monotonic(), 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            socket = {"websocket.accept": 101, "websocket.close": status or 403}  # closed before it was accepted
            status = message["status"] if "status" in message else socket.get(message["type"], status)
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception as error:
            log_error("request failed", error, route=route_of(scope))
            if not status:
                await respond(unexpected(), scope, receive, send_and_note)
        finally:
            self._log(scope, status, time.monotonic() - began)

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope.get("method", "SOCKET"), route_of(scope)
        self.metrics.count_request(method, route, status)
        facts = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        if reason := scope.get("reason"):
            self.metrics.count_refusal(reason)
            facts["reason"] = reason
        log_info("request", **facts, address=scope["client"][0] if scope.get("client") else "")


def route_of(scope: Scope) -> str:
    """The path of the route, with placeholders: the log holds no ids of matches."""
    return str(getattr(scope.get("route"), "path", UNMATCHED))


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name, value) for name, value in HEADERS.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return send_with_headers


class TokenBuckets:
    """A token bucket for each address. Only the latest addresses are remembered."""

    rate: Rate
    most: int

    def __init__(self, rate: Rate, most: int, now: Callable[[], float]) -> None:
        self.rate, self.most, self.now = rate, most, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, address: str, cost: float = 1.0) -> float:
        """0 if it is allowed; else the seconds to wait. A cost above the burst takes the whole bucket."""
        cost, now = min(cost, self.rate.burst), self.now()
        left = self._left(address, now)
        allowed = left >= cost
        self._remember(address, left - cost if allowed else left, now)
        return 0.0 if allowed else (cost - left) / self.rate.per_second

    def spend(self, address: str, cost: float) -> float:
        """Take what has been used already, if need be into debt; returns the seconds until the debt is paid."""
        now = self.now()
        left = self._left(address, now) - cost
        self._remember(address, left, now)
        return 0.0 if left >= 0 else -left / self.rate.per_second

    def _left(self, address: str, now: float) -> float:
        """What is in the bucket of an address now; it is taken out."""
        per_second, burst = self.rate
        left, at = self._buckets.pop(address, (burst, now))
        left += (now - at) * per_second
        return min(burst, left)

    def _remember(self, address: str, left: float, now: float) -> None:
        self._buckets[address] = left, now
        if len(self._buckets) > self.most:
            self._buckets.popitem(last=False)


class RateLimiter:
    """The rates of requests and of messages through sockets."""

    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic) -> None:
        self._reads = TokenBuckets(limits.reads, limits.addresses, now)
        self._writes = TokenBuckets(limits.writes, limits.addresses, now)
        self._refusals = TokenBuckets(limits.writes, limits.addresses, now)
        self._pause = 0.0

    def check(self, address: str, *, write: bool, cost: float = 1.0) -> None:
        wait = (self._writes if write else self._reads).take(address, cost)
        if wait:
            seconds = math.ceil(wait)
            raise NotAllowed("too_many", seconds=seconds).with_details(retry_after=seconds)

    async def pay(self, address: str, cost: float) -> None:
        """Wait until an address may read so much: what goes on for long is paid as it goes on."""
        while wait := self._reads.take(address, cost):
            await asyncio.sleep(wait)

    def seconds_before_refusal(self, address: str) -> float:
        """The pause before a refusal: it costs the server time too, so an address that is refused too often is answered
        slowly. Pauses differ. Else requests that came together would all be refused together, while others wait."""
        if not self._refusals.take(address):
            return 0.0
        self._pause = (self._pause + GOLDEN_RATIO) % PAUSE_SPREAD
        return PAUSE_SECONDS + self._pause


def address_of(scope: Scope) -> str:
    """The address that limits are for. A /64 of IPv6 is one address: everybody has a whole one."""
    client = scope.get("client")
    return network_of(client[0] if client else "")


@lru_cache(4096)
def network_of(host: str) -> str:
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


class RequestLimits:
    """Refuses foreign names, and requests and sockets beyond the limits."""

    app: ASGIApp
    config: Config
    rate_limiter: RateLimiter

    def __init__(self, app: ASGIApp, config: Config, rate_limiter: RateLimiter) -> None:
        self.app, self.config, self.rate_limiter = app, config, rate_limiter
        self.mounted: set[str] = {path for path, _ in config.mounts}
        self.connections: Counter[str] = Counter()  # sockets, and requests to mounted apps, which may last as long

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        lasts = scope["type"] == "websocket" or scope["path"] in self.mounted
        body: bytes | None = None
        try:
            self._check_rate(scope)
            self._check_names(scope)
            if scope["type"] == "http":
                body = await self._body(scope, receive)
                receive = replay(_whole(body), receive)
                self._check_size(scope, body)
            if lasts:
                self._check_connections(scope)
        except Refusal as refusal:
            if seconds := self.rate_limiter.seconds_before_refusal(address_of(scope)):
                await asyncio.sleep(seconds)
            await self._refuse(refusal, scope, receive, send, body)
            return
        REQUESTER.set(address_of(scope))
        if scope["path"] in self.mounted:
            scope.setdefault("extensions", {})[CHARGE] = partial(self._charge, address_of(scope))
        await (self._count_connection if lasts else self.app)(scope, receive, send)

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send, body: bytes | None) -> None:
        """Refuse a request. A mounted app tells its client in its own protocol what is beyond a limit: it gets the body
        if that is not too large to be looked at."""
        posted = scope["path"] in self.mounted and scope.get("method") == "POST"
        if not posted or status_of(refusal) not in BEYOND_LIMITS:
            await respond(refusal, scope, receive, send)
            return
        if body is None and refusal.reason != "too_large":
            with contextlib.suppress(Refusal):
                body = await self._body(scope, receive)
        scope["reason"] = refusal.reason  # for the log
        headers = {name: value for name, value in problem_response(refusal).headers.items() if name in KEPT}
        scope.setdefault("extensions", {})[REFUSED] = RefusedRequest(refusal, status_of(refusal), headers)
        await self.app(scope, replay(_whole(body or b""), receive), send)

    def _check_names(self, scope: Scope) -> None:
        """Pages of other sites, also under a name that resolves to this machine, must not use the reader's browser.
        Health is no secret: a probe asks for it at the address of the machine."""
        hosts = [host.lower() for host in _values(scope, b"host")]
        if len(hosts) != 1 or (hosts[0] not in self.config.hosts and scope["path"] != HEALTH):
            raise NotAllowed("foreign_host")
        if any(origin.lower() not in self.config.origins for origin in _values(scope, b"origin")):
            raise NotAllowed("foreign_origin")

    def _check_rate(self, scope: Scope) -> None:
        self.rate_limiter.check(address_of(scope), write=is_write(scope), cost=price(scope))

    def _charge(self, address: str, what: Charged) -> None:
        """What costs more than a request costs the same through a mounted app."""
        self.rate_limiter.check(address, write=True, cost=CHARGES[what])

    def _check_connections(self, scope: Scope) -> None:
        limits = self.config.limits
        if self.connections[address_of(scope)] >= limits.sockets_each:
            raise NotAllowed("too_many_sockets")
        if self.connections.total() >= limits.sockets:
            raise NotAllowed("full")

    async def _count_connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        self.connections[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.connections[address] -= 1
            if not self.connections[address]:
                del self.connections[address]

    def _check_size(self, scope: Scope, body: bytes) -> None:
        """Messages to mounted apps are read somewhat further than they are accepted, to tell which one is refused."""
        if scope["path"] in self.mounted and len(body) > self.config.limits.body:
            raise _too_large(self.config.limits.body)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, before anything else sees it."""
        limits = self.config.limits
        most = limits.record if scope["path"] == RECORDS else limits.body
        if scope["path"] in self.mounted:
            most *= LOOKED_AT
        if any(len(length) > 9 or int(length) > most for length in _values(scope, b"content-length")):
            raise _too_large(self.config.limits.body if scope["path"] in self.mounted else most)
        body = bytearray()
        try:
            async with asyncio.timeout(limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Unreadable("not_json.cut")
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise _too_large(self.config.limits.body if scope["path"] in self.mounted else most)
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            raise NotAllowed("too_slow") from None


def _whole(body: bytes) -> Message:
    return {"type": "http.request", "body": body, "more_body": False}


def _too_large(most: int) -> Unreadable:
    return Unreadable("too_large", most=most // 1024)


def replay(message: Message, receive: Receive) -> Receive:
    """A ``receive`` that starts with a message that has been read already."""
    pending = [message]

    async def receive_again() -> Message:
        return pending.pop() if pending else await receive()

    return receive_again
