"""``ninefold mcp``: agents whose host starts a command and speaks to it through its standard streams."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from platformdirs import user_data_path

from ninefold.agents.here import Here
from ninefold.agents.table import Table
from ninefold.agents.there import There
from ninefold.core import Refusal
from ninefold.service.service import Service

MOST_STORES = 16  # of hosts that run at a time


def mcp(given: argparse.Namespace) -> int:
    asyncio.run(_serve(given))
    return 0


async def _serve(given: argparse.Namespace) -> None:
    from mcp.server.stdio import stdio_server

    from ninefold.agents.server import make_server

    async with _table(given) as table:
        server = make_server(table)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


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
