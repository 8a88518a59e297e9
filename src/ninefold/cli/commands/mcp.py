"""``ninefold mcp``: agents whose host starts a command and speaks to it through its standard streams."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self, cast

from platformdirs import user_data_path

from ninefold.agents.backend import Table
from ninefold.agents.local_backend import Here
from ninefold.agents.server_backend import There
from ninefold.core.errors import Refusal
from ninefold.server.storage.service import Service

MOST_STORES = 16  # of hosts that run at a time
HINT = """\
This command is for the host of an agent, which speaks the Model Context Protocol to it.
docs/agents.md has the settings of hosts. To play yourself: ninefold play. Ctrl-C leaves."""


def mcp(given: argparse.Namespace) -> int:
    if sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    asyncio.run(_serve(given))
    return 0


async def _serve(given: argparse.Namespace) -> None:
    from mcp.server.stdio import stdio_server

    from ninefold.agents.server import make_server

    async with _table(given) as table:
        server = make_server(table)
        async with stdio_server(cast("Any", Lines())) as (read, write):
            await server.run(read, write, server.create_initialization_options())


class Lines:
    """What the host writes, line by line. A thread reads it that nobody has to wait for, so that Ctrl-C ends us."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="ninefold-input", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        while found := os.read(sys.stdin.fileno(), 65_536):
            *whole, rest = (rest + found).split(b"\n")
            for line in whole:
                self._tell(line.decode(errors="replace"))
        self._tell(None)

    def _tell(self, line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens
            self._loop.call_soon_threadsafe(self._heard.put_nowait, line)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        line = await self._heard.get()
        if line is None:
            raise StopAsyncIteration
        return line


@contextlib.asynccontextmanager
async def _table(given: argparse.Namespace) -> AsyncIterator[Table]:
    if given.server:
        there = There(given.server)
        try:
            yield there
        finally:
            there.close()
        return
    service = await _own_service(Path(given.data) if given.data else None)
    try:
        yield Here(service)
    finally:
        await service.stop()


async def _own_service(data: Path | None) -> Service:
    """Matches of one's own. Every host that runs has a store for itself: the first one that is free."""
    homes = user_data_path("ninefold") / "mcp"
    for folder in [data] if data else [homes / str(number) for number in range(1, MOST_STORES + 1)]:
        service = Service(folder)
        try:
            await service.start()
        except Refusal as refusal:
            taken = refusal
            if refusal.reason != "database_in_use":
                raise
        else:
            return service
    raise taken
