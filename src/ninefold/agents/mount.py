"""The MCP endpoint of a web server. The SDK takes a second to import, so it is imported by the first request."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from ninefold.agents.limits import call_in, note_refused, parse_message, response_to
from ninefold.core.messages import text
from ninefold.server.hosting.errors import unavailable
from ninefold.server.storage.config import REFUSED, RefusedRequest

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Receive, Scope, Send

    from ninefold.server.storage.service import Service

DRAIN_S = 0.5  # for responses that are on their way when the server stops


class Mount:
    """An ASGI app. ``hosts`` and ``origins`` are those that the server accepts; ``alone`` is True for one worker."""

    service: Service
    address: str
    hosts: frozenset[str]
    origins: frozenset[str]
    alone: bool

    def __init__(
        self, service: Service, address: str, hosts: frozenset[str], origins: frozenset[str], *, alone: bool = True
    ) -> None:
        self.service, self.address, self.hosts, self.origins, self.alone = service, address, hosts, origins, alone
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._running: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._calls: set[asyncio.Task[object]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if refused := scope.get("extensions", {}).get(REFUSED):
            await self._refuse(refused, scope, receive, send)
            return
        if self._stopping.is_set():
            raise unavailable()
        if _is_browser(scope):
            await self._explain(scope, receive, send)
            return
        if self._manager is None:
            self._manager = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._manager))
        if task := asyncio.current_task():
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)
        manager = await asyncio.shield(self._manager)
        # The HTTP parser leaves blanks after a value, and the SDK compares some values exactly.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await manager.handle_request(scope, receive, send)

    async def _refuse(self, refused: RefusedRequest, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that the middleware has refused. This does without the SDK: there may be many of them."""
        from starlette.responses import JSONResponse

        body = (await receive()).get("body", b"")
        message = parse_message(body) if body else None
        await note_refused(self.service, refused, call_in(message))
        response = response_to(refused, message)
        await JSONResponse(response.document, response.status, dict(refused.headers))(scope, receive, send)

    async def _explain(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.responses import PlainTextResponse

        # Not a problem document of server.http, which agents do not import: a person reads this.
        page = text("mcp.browser", address=self.address.rstrip("/"), path=scope["path"])
        await PlainTextResponse(page, HTTPStatus.NOT_ACCEPTABLE)(scope, receive, send)

    async def stop(self) -> None:
        """Let running calls finish, then end the streams, which have no end of their own."""
        await self._drain()
        self._stopping.set()
        if self._running:
            await asyncio.wait([self._running])
        await self._drain()
        for task in self._calls:
            task.cancel()

    async def _drain(self) -> None:
        if self._calls:
            await asyncio.wait(self._calls, timeout=DRAIN_S)

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

        from ninefold.agents.backend import LocalBackend
        from ninefold.agents.server import make_server

        return StreamableHTTPSessionManager(
            make_server(LocalBackend(self.service, self.address)),
            security_settings=TransportSecuritySettings(
                allowed_hosts=sorted(self.hosts), allowed_origins=sorted(self.origins)
            ),
            stateless=not self.alone,  # the next request may reach another process, and a session lives in one
        )


def _is_browser(scope: Scope) -> bool:
    """True if the client does not accept an event stream, as every agent does."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept")
    return scope["method"] in ("GET", "HEAD") and b"text/event-stream" not in accepted
