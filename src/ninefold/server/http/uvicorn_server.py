"""Running the app: uvicorn, with manners for slow clients and for leaving."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.server.http import logs
from ninefold.server.http.app import create_app
from ninefold.server.http.config import STOP_SECONDS, Config
from ninefold.server.http.sender import ABORT

if TYPE_CHECKING:
    from fastapi import FastAPI

HEAD_SECONDS = 15.0
READ_SECONDS = 30.0  # in which something of what waits to be sent has to be read
SEND_BUFFER = 64 * 1024  # of the system, for one socket
WRITE_BUFFER = 16 * 1024  # of ours: what is beyond it makes a sender wait
# A full collection walks over every match in memory while everybody waits, and finds next to nothing: they are tuples.
SELDOM = (10_000, 20, 1_000_000)
TURN_SECONDS = 0.0005  # the writing thread waits for its turn after every statement
FULLY = 3_000  # ticks of a tenth of a second: what sockets leave behind is collected then
_NO_FAREWELL = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class HttpProtocol(HttpToolsProtocol):
    """Waits for ever neither for the head of a request nor for an answer to be read."""

    _head: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        answered = self.cycle is None or self.cycle.response_complete
        if answered and self._head is None and self.transport.get_protocol() is self:
            self._await_head()  # whatever that was, it has to become a request

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._await_reader()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_watching()

    def timeout_keep_alive_handler(self) -> None:
        self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_watching()
        if self._answering:
            self._answering.disconnected = True  # uvicorn tells only the request that came last
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _await_head(self) -> None:
        self._head = self.loop.call_later(HEAD_SECONDS, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._head:
            self._head.cancel()
            self._head = None

    def _hang_up(self) -> None:
        """Once the last answer has been read."""
        self.transport.close()
        self._await_reader()

    def _await_reader(self) -> None:
        self._stop_watching()
        if unread := self.transport.get_write_buffer_size():
            self._reader = self.loop.call_later(READ_SECONDS, self._check_reader, unread)

    def _check_reader(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._await_reader()
        else:
            cut(self.transport)

    def _stop_watching(self) -> None:
        if self._reader:
            self._reader.cancel()
            self._reader = None


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
        cut(self.transport)


def cut(transport: asyncio.Transport) -> None:
    """Close without sending what is left: nobody would read it."""
    with contextlib.suppress(OSError, ValueError):  # it may be closed already
        transport.get_extra_info("socket").setsockopt(*_NO_FAREWELL)
    transport.abort()


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

    async def on_tick(self, counter: int) -> bool:
        if counter % FULLY == FULLY - 1:
            gc.collect()
        return await super().on_tick(counter)

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
    gc.freeze()
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(TURN_SECONDS)
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
        raise NotAllowed("unexpected.start") from None
