"""The backends of the tools for agents: matches of this process, or of a server."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from ninefold.agents.backend import Backend, LocalBackend
from ninefold.agents.server_backend import ServerBackend
from ninefold.server.storage.config import ServiceConfig
from tests.support import http_server
from tests.support.agents_at_play import ADDRESS
from tests.support.clocks import ManualClock
from tests.support.hosted_matches import serving

NO_OUTAGES = ServiceConfig(heartbeat_seconds=3600.0, outage_ms=2**62)  # when the clock is moved by hand


@contextlib.asynccontextmanager
async def backend(kind: str, data: Path, clock: ManualClock | None = None) -> AsyncIterator[Backend]:
    """Matches of this process ("local"), or of a server that a command is connected to."""
    if kind == "local":
        async with serving(data, now=clock) as service:
            yield LocalBackend(service, ADDRESS)
        return
    config = NO_OUTAGES if clock else ServiceConfig()
    with (
        http_server.running(data, now=clock, service=config) as server,
        contextlib.closing(ServerBackend(f"http://127.0.0.1:{server.port}")) as served,
    ):
        yield served
