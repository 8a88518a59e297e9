"""Agents for tests: the SDK's own client, at a table in this process, at a server, or at a command."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from ninefold.agents.local_backend import Here
from ninefold.agents.server import make_server
from ninefold.server.storage.service import Service
from tests.support.console import COMMAND

ADDRESS = "http://127.0.0.1:8090"
_names = itertools.count(1)


class Refused(Exception):
    def __init__(self, answer: Mapping[str, Any]) -> None:
        super().__init__(answer["reason"])
        self.reason, self.sentence, self.instead = (answer[name] for name in ("reason", "sentence", "instead"))
        self.now: Mapping[str, Any] | None = answer["now"]


class Agent:
    """Somebody who plays: it keeps its seat, looks before it acts, and never uses a request twice."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seat = ""
        self.now: dict[str, Any] = {}

    async def call(self, tool: str, **given: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, given)
        text = result.content[0]
        assert isinstance(text, TextContent)
        answer: dict[str, Any] = json.loads(text.text)
        if result.is_error:
            raise Refused(answer)
        assert answer == result.structured_content
        return answer

    async def create(self, game: str, **given: Any) -> str:
        """Start a match; the invitation to it."""
        await self._sit("create_match", game=game, **given)
        return str(self.now["invitation"])

    async def join(self, **given: Any) -> None:
        await self._sit("join", **given)

    async def _sit(self, tool: str, **given: Any) -> None:
        self.now = await self.call(tool, request=f"a-request-long-enough-{next(_names)}-{os.getpid()}", **given)
        self.seat = self.now["seat"]

    async def do(self, tool: str, **given: Any) -> dict[str, Any]:
        """Write, in the version that was seen last."""
        given = {"seat": self.seat, "version": self.now["version"], "request": f"r{next(_names)}", **given}
        self.now = await self.call(tool, **given)
        return self.now

    async def wait(self, seconds: int = 20) -> str:
        self.now = await self.call("wait", seat=self.seat, seconds=seconds)
        return str(self.now["asked"])

    @property
    def match(self) -> str:
        return str(self.now["match"])


@contextlib.asynccontextmanager
async def service(data: Path) -> AsyncIterator[Service]:
    service = Service(data)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@contextlib.asynccontextmanager
async def table(data: Path, *, address: str = ADDRESS) -> AsyncIterator[Agent]:
    """An agent at a table in this process; others may sit down by the same client."""
    async with service(data) as hosted, Client(make_server(Here(hosted, address))) as client:
        yield Agent(client)


def stdio(home: Path, *arguments: str) -> StdioServerParameters:
    """``ninefold mcp``, as a host starts it, with nothing of this machine's own."""
    there = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(home))
    return StdioServerParameters(command=COMMAND, args=["mcp", *arguments], env={**os.environ, **there})
