"""``ninefold mcp``: the MCP server for hosts that start a command and speak to it through its standard streams."""

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

from ninefold.agents.backend import Backend, LocalBackend
from ninefold.agents.profile_keys import from_environment
from ninefold.agents.server_backend import ServerBackend
from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.server.storage.service import Service

MOST_STORES = 16  # one for each host that runs at the same time


def mcp(given: argparse.Namespace) -> int:
    if sys.stdin.isatty():
        print(text("mcp.terminal"), file=sys.stderr)
    asyncio.run(_serve(given))
    return 0


async def _serve(given: argparse.Namespace) -> None:
    from mcp.server.stdio import stdio_server

    from ninefold.agents.server import make_server

    async with _open_backend(given) as backend:
        server = make_server(backend)
        async with stdio_server(cast("Any", StdinLines())) as (read, write):
            await server.run(read, write, server.create_initialization_options())


class StdinLines:
    """Standard input line by line. It is read by a daemon thread, so that Ctrl-C ends the process at once."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="ninefold-input", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        while data := os.read(sys.stdin.fileno(), 65_536):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                self._put(line.decode(errors="replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line


@contextlib.asynccontextmanager
async def _open_backend(given: argparse.Namespace) -> AsyncIterator[Backend]:
    if given.server:
        with contextlib.closing(ServerBackend(given.server, from_environment())) as backend:
            yield backend
        return
    service = await _start_service(Path(given.data) if given.data else None)
    try:
        yield LocalBackend(service)
    finally:
        await service.stop()


async def _start_service(data: Path | None) -> Service:
    """A service of our own, in the given folder or in the first store that no other host uses."""
    stores = user_data_path("ninefold") / "mcp"
    for folder in [data] if data else [stores / str(number) for number in range(1, MOST_STORES + 1)]:
        service = Service(folder)
        try:
            await service.start()
        except Refusal as refusal:
            in_use = refusal
            if refusal.reason != "database_in_use":
                raise
        else:
            return service
    raise in_use
