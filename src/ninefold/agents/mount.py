"""The door for agents in a web server. The SDK takes a second to import: it comes with the first who knocks."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from ninefold.server.hosting.errors import unavailable

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Receive, Scope, Send

    from ninefold.server.storage.service import Service

PATIENCE = 0.5  # seconds, for answers that are on their way when the server stops
FOR_PEOPLE = """\
This is the door for agents: they speak the Model Context Protocol here.
Tell the host of an agent this address: {address}{path}
People play at {address}/
docs/agents.md has the settings of hosts.
"""


class Mount:
    """An ASGI app. ``hosts`` and ``origins`` are those the server goes by; ``alone``: no other process serves too."""

    def __init__(
        self, service: Service, address: str, hosts: frozenset[str], origins: frozenset[str], *, alone: bool = True
    ) -> None:
        self.service, self.address, self.hosts, self.origins, self.alone = service, address, hosts, origins, alone
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._running: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._inside: set[asyncio.Task[object]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._stopping.is_set():
            raise unavailable()
        if _comes_by_browser(scope):
            await self._tell_people(scope, receive, send)
            return
        if self._manager is None:
            self._manager = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._manager))
        if task := asyncio.current_task():
            self._inside.add(task)
            task.add_done_callback(self._inside.discard)
        manager = await asyncio.shield(self._manager)
        # The parser leaves blanks behind a value, and the SDK compares some of them letter by letter.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await manager.handle_request(scope, receive, send)

    async def _tell_people(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.responses import PlainTextResponse

        told = FOR_PEOPLE.format(address=self.address.rstrip("/"), path=scope["path"])
        await PlainTextResponse(told, HTTPStatus.NOT_ACCEPTABLE)(scope, receive, send)

    async def stop(self) -> None:
        """Answer what has been asked, then end what never ends by itself."""
        await self._drain()
        self._stopping.set()
        if self._running:
            await asyncio.wait([self._running])
        await self._drain()
        for task in self._inside:
            task.cancel()

    async def _drain(self) -> None:
        if self._inside:
            await asyncio.wait(self._inside, timeout=PATIENCE)

    async def _run(self, manager: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        try:
            made = await asyncio.to_thread(self._make)
            async with made.run():
                manager.set_result(made)
                await self._stopping.wait()
        except Exception as error:
            if manager.done():
                raise
            manager.set_exception(error)

    def _make(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from ninefold.agents.local_backend import Here
        from ninefold.agents.server import make_server

        return StreamableHTTPSessionManager(
            make_server(Here(self.service, self.address)),
            security_settings=TransportSecuritySettings(
                allowed_hosts=sorted(self.hosts), allowed_origins=sorted(self.origins)
            ),
            stateless=not self.alone,  # a session lives in one process, and the next request may come to another
        )


def _comes_by_browser(scope: Scope) -> bool:
    """Agents read a stream here, and nobody else can."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept")
    return scope["method"] in ("GET", "HEAD") and b"text/event-stream" not in accepted
