"""What a server is told before it starts. Plain values, so that they can be handed to other processes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from ninefold.server.storage.service import Service

KIB = 1024
STOP_SECONDS = 3  # that requests have to end in when the server stops


class Rate(NamedTuple):
    """So many in a second, and so many at once after a quiet time."""

    per_second: float
    burst: float


class Bounds(NamedTuple):
    """Limits on what comes from outside."""

    body: int = 16 * KIB
    record: int = 1024 * KIB
    body_seconds: float = 15.0  # for the whole body of a request to arrive
    reads: Rate = Rate(200, 400)
    writes: Rate = Rate(50, 200)
    addresses: int = 10_000  # that are remembered for the rates
    sockets: int = 10_000
    sockets_each: int = 100  # from one address
    spectators: int = 200  # of one match, in one process
    message: int = 16 * KIB
    bad_messages: int = 10  # in a row
    hello_seconds: float = 10.0
    send_seconds: float = 10.0
    beat_seconds: float = 15.0
    ping_seconds: float = 15.0  # between two that ask whether a socket is alive
    pong_seconds: float = 15.0  # that it has to answer in
    thinkers: int = 2  # analyses and files that are read at a time
    waiting: int = 32  # for those


class Mounted(Protocol):
    """Another door to the same matches, for agents: an ASGI app behind the same guard."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    async def stop(self) -> None:
        """End what never ends by itself; may be called twice."""
        ...


Mounts = tuple[tuple[str, "Callable[[Service, Config], Mounted]"], ...]  # by their paths


class Config(NamedTuple):
    data: Path
    database: str = ""  # its address; empty for SQLite in the folder of the data
    hosts: frozenset[str] = frozenset()  # that may stand in the header Host: name:port
    origins: frozenset[str] = frozenset()  # that browsers may come from
    bounds: Bounds = Bounds()
    metrics: tuple[str, int] | None = None
    proxy: str = ""  # whose X-Forwarded-For is believed
    keep_days: int = 0  # that an ended match is kept; 0 for ever
    matches: int = 50_000  # open and live
    cached: int = 10_000  # matches in memory
    engines: int = 1  # moves that are computed at a time
    quiet: bool = False
    workers: int = 1
    address: str = ""  # how links to this server begin
    mounts: Mounts = ()
