"""Running the app with uvicorn: time limits for slow clients, and a graceful stop.

The protocols override methods of uvicorn, so pyproject.toml bounds its version.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.server.http import logs
from ninefold.server.http.app import create_app
from ninefold.server.http.config import RESTART_SIGNAL, STOP_SECONDS, Config, Limits
from ninefold.server.http.draining import Draining
from ninefold.server.http.tracing import TracedApp
from ninefold.server.http.websocket import ABORT

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp

SEND_BUFFER = 64 * 1024  # of the system, for one connection
WRITE_BUFFER = 16 * 1024  # of this process: beyond it a sender waits
# A full garbage collection visits every match in memory, blocks everything, and finds next to nothing: they are tuples.
GC_THRESHOLD = (10_000, 20, 1_000_000)
SWITCH_SECONDS = 0.0005  # between threads: the writer waits for its turn after every statement
GC_TICKS = 3_000  # of a tenth of a second, between full collections of what sockets leave behind
_NO_LINGER = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class HttpProtocol(HttpToolsProtocol):
    """Limits the time for the head of a request to arrive, and for a response to be read."""

    limits = Limits()

    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None
    _current_cycle: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        answered = self.cycle is None or self.cycle.response_complete
        if answered and self._head_timer is None and self.transport.get_protocol() is self:
            self._await_head()  # these bytes have to become a request

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head_timer is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        self._cancel_head_timer()
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
        self._cancel_read_timer()

    def timeout_keep_alive_handler(self) -> None:
        self._hang_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_head_timer()
        self._cancel_read_timer()
        if self._current_cycle:
            self._current_cycle.disconnected = True  # uvicorn only marks the latest request
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._current_cycle = cycle
        super()._start_asgi_task(cycle, app)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self._hang_up)

    def _cancel_head_timer(self) -> None:
        if self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None

    def _hang_up(self) -> None:
        """Close the connection when the last response has been read."""
        self.transport.close()
        self._await_reader()

    def _await_reader(self) -> None:
        self._cancel_read_timer()
        if unread := self.transport.get_write_buffer_size():
            self._read_timer = self.loop.call_later(self.limits.read_seconds, self._check_reader, unread)

    def _check_reader(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._await_reader()
        else:
            abort(self.transport)

    def _cancel_read_timer(self) -> None:
        if self._read_timer:
            self._read_timer.cancel()
            self._read_timer = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """Makes senders wait early for a client that does not read, and lets the app abort the connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=WRITE_BUFFER)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = {**(self.scope["extensions"] or {}), ABORT: self._abort}
        self.scope["extensions"] = extensions
        await super().run_asgi()

    def keepalive_timeout(self) -> None:
        """A client that does not answer has gone: a close frame would wait until the system gives up."""
        self._abort()

    def _abort(self) -> None:
        abort(self.transport)


def abort(transport: asyncio.Transport) -> None:
    """Close without sending what is left."""
    if connection := transport.get_extra_info("socket"):
        with contextlib.suppress(OSError, ValueError):  # it may be closed already
            connection.setsockopt(*_NO_LINGER)
    transport.abort()


class HttpServer(uvicorn.Server):
    """Calls ``on_start`` when it listens and ``on_beat`` several times a second, and tells its sockets before it stops.
    ``clock`` measures the rates, ``now`` the time of matches."""

    def __init__(
        self,
        config: Config,
        on_start: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] | None = None,
        on_beat: Callable[[], None] = lambda: None,
    ) -> None:
        self.app: FastAPI = create_app(config, clock, now)
        tracing = self.app.state.tracing
        self.draining = Draining(TracedApp(self.app, tracing) if tracing else self.app)
        self._on_start = on_start
        self._on_beat = on_beat
        self.on_shutdown: Callable[[], None] = lambda: None
        super().__init__(_settings(config, self.draining))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.on_shutdown()
        for server in self.servers:
            server.close()  # new connections go to other workers
        await self.app.state.sockets.stop()
        for mounted in self.app.state.mounted.values():
            await mounted.stop()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        if counter % GC_TICKS == GC_TICKS - 1:
            gc.collect()
        self._on_beat()
        if self.draining.has_begun and self._is_drained():
            self.stop()
        return await super().on_tick(counter)

    def _is_drained(self) -> bool:
        """True if no client can lose a request, or if the clients have had their time. Sockets are told at the end."""
        for server in self.servers:
            server.close()  # the listening socket is also held by the successor, or by the supervisor
        requests = [one for one in self.server_state.connections if isinstance(one, HttpProtocol)]
        return not requests or self.draining.is_late

    def drain(self, *_: object) -> None:
        """Stop when every connection has had its last response, for a successor at the same listening socket."""
        self.draining.begin()

    def stop(self, *_: object) -> None:
        self.should_exit = True


def _settings(config: Config, app: ASGIApp) -> uvicorn.Config:
    proxy: dict[str, Any] = {"forwarded_allow_ips": config.proxy} if config.proxy else {}
    return uvicorn.Config(
        app,
        lifespan="on",
        http=type("LimitedHttpProtocol", (HttpProtocol,), {"limits": config.limits}),
        ws=SocketProtocol,
        ws_max_size=config.limits.message,
        ws_per_message_deflate=False,
        ws_ping_interval=config.limits.ping_seconds,
        ws_ping_timeout=config.limits.pong_seconds,
        proxy_headers=bool(config.proxy),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        **proxy,
    )


def run(
    config: Config,
    listener: socket.socket,
    on_start: Callable[[], None],
    prepare: Callable[[HttpServer], None] = lambda _: None,
    on_beat: Callable[[], None] = lambda: None,
) -> bool:
    """Serve until a signal comes; True if it was the one for a restart, and the server was drained. If the server
    cannot start, the reason is raised as a refusal."""
    logs.set_up(quiet=config.quiet)
    server = HttpServer(config, on_start, on_beat=on_beat)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
    sys.setswitchinterval(SWITCH_SECONDS)
    for sign in (signal.SIGINT, signal.SIGTERM):
        # uvicorn handles these while it runs, and raises them again at the end: that must not kill the process.
        signal.signal(sign, server.stop)
    if RESTART_SIGNAL:
        signal.signal(RESTART_SIGNAL, server.drain)
    prepare(server)
    try:
        server.run([listener])
    except SystemExit:
        failure = getattr(server.app.state, "failure", None)
        if isinstance(failure, Refusal):
            raise failure from None
        raise NotAllowed("unexpected.start") from None
    return server.draining.has_begun
