"""Running the app: uvicorn, with manners for slow clients and for leaving."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ninefold.core import Refusal
from ninefold.service.problems import Problem
from ninefold.web import logs
from ninefold.web.app import create_app
from ninefold.web.config import Config
from ninefold.web.line import ABORT

if TYPE_CHECKING:
    from fastapi import FastAPI

HEAD_SECONDS = 15.0
STOP_SECONDS = 3
SEND_BUFFER = 64 * 1024  # of the system, for one socket
WRITE_BUFFER = 16 * 1024  # of ours: what is beyond it makes a sender wait
_NO_FAREWELL = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class HttpProtocol(HttpToolsProtocol):
    """Does not wait for ever for the head of a request."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._head = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._head:
            self._head.cancel()
            self._head = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """Notices early that the other end does not read, and lets the app cut it off."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=WRITE_BUFFER)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), ABORT: self._cut}
        self.scope["extensions"] = extensions
        await super().run_asgi()

    def keepalive_timeout(self) -> None:
        """Who does not answer is not there: a farewell would wait until the system gives up."""
        self._cut()

    def _cut(self) -> None:
        """Close without sending what is left: nobody would read it."""
        with contextlib.suppress(OSError, ValueError):  # it may be closed already
            self.transport.get_extra_info("socket").setsockopt(*_NO_FAREWELL)
        self.transport.abort()


class Server(uvicorn.Server):
    """Says when it is there, and tells its sockets before it leaves."""

    def __init__(self, config: Config, started: Callable[[], None] = lambda: None) -> None:
        self.app: FastAPI = create_app(config)
        self._tell = started
        super().__init__(_settings(config, self.app))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # who comes now is for another worker, or for later
        await self.app.state.sockets.stop()
        for mounted in self.app.state.mounted.values():
            await mounted.stop()
        await super().shutdown(sockets)

    def leave(self, *_: object) -> None:
        self.should_exit = True


def _settings(config: Config, app: FastAPI) -> uvicorn.Config:
    proxy: dict[str, Any] = {"forwarded_allow_ips": config.proxy} if config.proxy else {}
    return uvicorn.Config(
        app,
        lifespan="on",
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=config.bounds.message,
        ws_per_message_deflate=False,
        ws_ping_interval=config.bounds.ping_seconds,
        ws_ping_timeout=config.bounds.pong_seconds,
        proxy_headers=bool(config.proxy),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        **proxy,
    )


def run(config: Config, listener: socket.socket, started: Callable[[], None], watch: Callable[[Server], None]) -> None:
    """Serve until a signal comes. A server that cannot start says why, as a refusal."""
    logs.set_up(config.quiet)
    server = Server(config, started)
    for sign in (signal.SIGINT, signal.SIGTERM):
        # uvicorn takes these over while it runs, and raises them again at the end: nobody should die of that.
        signal.signal(sign, server.leave)
    watch(server)
    try:
        server.run([listener])
    except SystemExit:
        failure = getattr(server.app.state, "failure", None)
        if isinstance(failure, Refusal):
            raise failure from None
        raise Problem(500, "unexpected", "The server could not start; the log says why.") from None
