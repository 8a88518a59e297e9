"""Agents for tests: the client of the MCP SDK, on a service in this process, on a server, or on a command."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import AsyncIterator, Awaitable, Mapping
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from ninefold.agents.arguments import LONGEST_WAIT
from ninefold.agents.backend import LocalBackend
from ninefold.agents.server import make_server
from ninefold.server.storage.service import Service
from tests.support.console import COMMAND

ADDRESS = "http://127.0.0.1:8090"
_numbers = itertools.count(1)


class Refused(Exception):
    """A tool refused a call."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__(document["reason"])
        self.reason, self.sentence, self.instead = (document[name] for name in ("reason", "sentence", "instead"))
        self.now: Mapping[str, Any] | None = document.get("now")


async def refused(call: Awaitable[object]) -> Refused:
    """The refusal of a call, which has to be refused."""
    try:
        answer = await call
    except Refused as refusal:
        return refusal
    raise AssertionError(f"it was not refused: {answer}")


class Agent:
    """An agent at a seat: it keeps its seat and the last result, and never uses a request twice."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seat = ""
        self.now: dict[str, Any] = {}

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        content = result.content[0]
        assert isinstance(content, TextContent)
        document: dict[str, Any] = json.loads(content.text)
        if result.is_error:
            raise Refused(document)
        assert document == result.structured_content
        return document

    async def create(self, game: str, **arguments: Any) -> str:
        """Start a match, and return the invitation to it."""
        await self._take_seat("create_match", game=game, **arguments)
        return str(self.now.get("invitation"))

    async def join(self, **arguments: Any) -> None:
        await self._take_seat("join", **arguments)

    async def _take_seat(self, tool: str, **arguments: Any) -> None:
        request = f"a-request-long-enough-{next(_numbers)}-{os.getpid()}"
        self.now = await self.call(tool, **{"request": request, **arguments})
        self.seat = self.now["seat"]

    async def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that writes, with the version that was seen last."""
        write = {"seat": self.seat, "version": self.now["version"], "request": f"r{next(_numbers)}", **arguments}
        self.now = await self.call(tool, **write)
        return self.now

    async def wait(self, seconds: int = LONGEST_WAIT) -> str:
        self.now = await self.call("wait", seat=self.seat, seconds=seconds)
        return str(self.now["asked"])

    @property
    def match(self) -> str:
        return self.seat.partition(".")[0]

    async def look(self) -> dict[str, Any]:
        """Everything that there is to know, as the shared board has it."""
        board: dict[str, Any] = (await self.call("board", seat=self.seat, full=True))["shared_board"]
        return board


@contextlib.asynccontextmanager
async def running_service(data: Path) -> AsyncIterator[Service]:
    service = Service(data)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@contextlib.asynccontextmanager
async def local_agent(data: Path, *, address: str = ADDRESS) -> AsyncIterator[Agent]:
    """An agent on a service in this process; other agents may use its client."""
    async with running_service(data) as service, Client(make_server(LocalBackend(service, address))) as client:
        yield Agent(client)


def stdio(home: Path, *arguments: str) -> StdioServerParameters:
    """``ninefold mcp`` as a host starts it, with a home folder of its own."""
    folders = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(home))
    return StdioServerParameters(command=COMMAND, args=["mcp", *arguments], env={**os.environ, **folders})
