"""What all connections of a process share: how many there are from an address, and how fast they come and send."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address, ip_network

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.server.http.config import KIB, Limits, Rate
from ninefold.server.http.middleware import TokenBuckets, network_of

SEND_BUFFER = 64 * KIB  # of the system, for one connection
PART = KIB  # bytes that are parsed at a time: at most 170 frames, or 56 requests
_NO_LINGER = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
MOST_SECONDS_FOR_OTHERS = 1.0
EXPLAINED = Rate(10, 20)  # refused connections of an address that are told why
FAULT_PRICE = 10.0  # new connections that a request which has to be refused unread counts as
Reporter = Callable[[Refusal, str], None]  # is told what was refused, and from where


class TransportLimits:
    """Counts connections, and meters the frames of sockets. ``proxy`` is a network whose connections are for others."""

    limits: Limits
    report: Reporter

    def __init__(
        self,
        limits: Limits,
        proxy: str = "",
        clock: Callable[[], float] = time.monotonic,
        report: Reporter = lambda *_: None,
    ) -> None:
        self.limits, self.clock, self.report = limits, clock, report
        self._is_proxy = _proxy_test(proxy)
        self._open: Counter[str] = Counter()
        self._count = 0
        self._connects = TokenBuckets(limits.connects, limits.addresses, clock)
        self._explained = TokenBuckets(EXPLAINED, limits.addresses, clock)
        self._frames = TokenBuckets(limits.frames_each, limits.addresses, clock)

    def connect(self, host: str) -> None:
        """Count a new connection; a refusal says that there are too many."""
        address = network_of(host)
        if not self._is_proxy(host):
            if self._connects.take(address):
                raise NotAllowed("too_many_connections")
            if self._open[address] >= self.limits.connections_each:
                raise NotAllowed("too_many_connections")
        if self._count >= self.limits.connections:
            raise NotAllowed("full")
        self._open[address] += 1
        self._count += 1

    def may_explain(self, host: str) -> bool:
        """True if a connection that was refused is told why. That takes longer than to close it."""
        return not self._explained.take(network_of(host))

    def punish(self, host: str) -> None:
        """A connection had to be closed because of what it sent."""
        if not self._is_proxy(host):
            self._connects.spend(network_of(host), FAULT_PRICE)

    def disconnect(self, host: str) -> None:
        address = network_of(host)
        self._count -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def meter(self) -> FrameMeter:
        """The meter of a new socket."""
        return FrameMeter(self.limits.frames, self._frames, self.clock)


class FrameMeter:
    """Tells how long a socket has to wait before more is read from it. Every frame costs 1, and every KiB 1 more."""

    def __init__(self, rate: Rate, all_of_address: TokenBuckets, clock: Callable[[], float]) -> None:
        self._own = TokenBuckets(rate, 1, clock)
        self._all_of_address = all_of_address

    def spend(self, frames: int, size: int, address: str | None) -> tuple[float, float]:
        """Pay for what was read. Returns the seconds to wait for this socket's own sake, and for its address.

        The address is None until the headers of a proxy are read. Because of others at its address, no socket waits
        long.
        """
        cost = frames + size / KIB
        others = 0.0 if address is None else self._all_of_address.spend(address, cost)
        return self._own.spend("", cost), min(others, MOST_SECONDS_FOR_OTHERS)


def _proxy_test(proxy: str) -> Callable[[str], bool]:
    if not proxy:
        return lambda _: False
    network = ip_network(proxy)

    @lru_cache(4096)
    def is_proxy(host: str) -> bool:
        try:
            return ip_address(host) in network
        except ValueError:
            return False

    return is_proxy


def abort(transport: asyncio.Transport) -> None:
    """Close without sending what is left."""
    if connection := transport.get_extra_info("socket"):
        with contextlib.suppress(OSError, ValueError):  # it may be closed already
            connection.setsockopt(*_NO_LINGER)
    transport.abort()
