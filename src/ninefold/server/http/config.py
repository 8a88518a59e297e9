"""The configuration of a server: plain values with the only defaults. Importing it loads no other package."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ninefold.server.storage.config import ServiceConfig

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

    from ninefold.server.storage.service import Service

KIB = 1024
HOST, PORT, WORKERS = "127.0.0.1", 8090, 1
STOP_SECONDS = 3  # for running requests when the server stops
SPARE_FILES = 200  # that a server needs beside its connections: the database, pipes, the browser client
RESTART_SIGNAL = getattr(signal, "SIGUSR1", None)  # not SIGHUP, which a terminal sends when it is closed
RECORD = 1024 * KIB  # bytes of a request with a record; match.files limits the record itself


class Rate(NamedTuple):
    """A token bucket: requests per second on average, and the largest burst."""

    per_second: float
    burst: float


def data_folder(given: str | None) -> Path:
    """The folder where matches are stored: the given one, or this person's."""
    from pathlib import Path

    from platformdirs import user_data_path

    return Path(given) if given else user_data_path("ninefold")


def rates(writes: float) -> tuple[Rate, Rate]:
    """The rates of writes and of reads from one address, by the number of writes a second."""
    return Rate(writes, 4 * writes), Rate(4 * writes, 8 * writes)


_WRITES, _READS = rates(50)


class Limits(NamedTuple):
    """Limits on what comes from outside."""

    head: int = 32 * KIB  # bytes of a request line and headers; also of what frames the chunks of a body
    headers: int = 100
    url: int = 8 * KIB
    head_seconds: float = 15.0  # for the whole head of a request to arrive
    body_seconds: float = 15.0  # for the whole body
    read_seconds: float = 30.0  # in which a client has to read some of its response
    body: int = 16 * KIB
    record: int = RECORD
    writes: Rate = _WRITES
    reads: Rate = _READS
    addresses: int = 10_000  # whose rates are remembered
    sockets: int = 10_000
    sockets_each: int = 100  # from one address
    requests: int = 2_000  # connections beside the sockets
    requests_each: int = 100  # from one address
    message: int = 16 * KIB
    flood_seconds: float = 10.0  # for which a socket may send faster than it is read
    bad_messages: int = 10  # in a row
    hello_seconds: float = 10.0
    send_seconds: float = 10.0
    beat_seconds: float = 15.0
    ping_seconds: float = 15.0  # between two pings
    pong_seconds: float = 15.0  # for the answer to a ping
    analyses: int = 2  # and reports and records that are computed at a time
    analyses_waiting: int = 32

    def within(self, files: int) -> Limits:
        """These limits with no more connections than a process can have that may open so many files."""
        most = max(4, files - SPARE_FILES)
        requests = min(self.requests, most // 4)
        return self._replace(requests=requests, sockets=min(self.sockets, most - requests))

    @property
    def connections(self) -> int:
        """Of both kinds: what a connection is for is known only when its first request has come."""
        return self.sockets + self.requests

    @property
    def connections_each(self) -> int:
        """From one address."""
        return self.sockets_each + self.requests_each

    @property
    def connects(self) -> Rate:
        """New connections from one address."""
        return self.writes

    @property
    def frames(self) -> Rate:
        """Of one socket."""
        return Rate(self.reads.per_second / 2, self.reads.burst / 2)

    @property
    def frames_each(self) -> Rate:
        """Of all sockets from one address."""
        return Rate(self.reads.per_second * 2, self.reads.burst * 2)


class MountedApp(Protocol):
    """Another front end to the same matches, for agents: an ASGI app behind the same middleware."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    async def stop(self) -> None:
        """End requests that would never end; may be called twice."""
        ...


Mounts = tuple[tuple[str, "Callable[[Service, Config], MountedApp]"], ...]  # by path


class Config(NamedTuple):
    data: Path
    database: str = ""  # URL of PostgreSQL; empty for SQLite in the data folder
    hosts: frozenset[str] = frozenset()  # allowed values of the Host header: name:port
    origins: frozenset[str] = frozenset()  # allowed values of the Origin header
    limits: Limits = Limits()
    service: ServiceConfig = ServiceConfig()
    metrics: tuple[str, int] | None = None  # where to serve metrics
    traces: str = ""  # where to send OpenTelemetry traces, by OTLP over HTTP
    proxy: str = ""  # whose X-Forwarded-For is trusted
    quiet: bool = False
    workers: int = WORKERS
    address: str = ""  # how links to this server begin
    mounts: Mounts = ()
    plain_modules: bool = False  # serve the browser client as it is written, even if its bundle is there
