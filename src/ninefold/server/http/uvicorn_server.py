"""Running the app with uvicorn: its settings, garbage collection, and a graceful stop."""

from __future__ import annotations

import contextlib
import gc
import signal
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.server.http import logs
from ninefold.server.http.app import create_app
from ninefold.server.http.config import RESTART_SIGNAL, STOP_SECONDS, Config
from ninefold.server.http.draining import Draining
from ninefold.server.http.errors import status_of
from ninefold.server.http.http_protocol import HttpProtocol
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import UNMATCHED
from ninefold.server.http.socket_protocol import SocketProtocol
from ninefold.server.http.tracing import TracedApp
from ninefold.server.http.transport_limits import TransportLimits

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp

# A full garbage collection visits every match in memory, stops everything (benchmarks.pauses measures it), and finds
# nothing: matches are tuples, and connections break their cycles at their end. None is made while anybody is connected.
# Nor is one of the middle generation, which would visit every event a second time: a tenth of the cost of a move.
GC_THRESHOLD = (5_000, 1_000_000, 1_000_000)
MOST_FILES = 65_536
SWITCH_SECONDS = 0.0005  # between threads: the writer waits for its turn after every statement
GC_TICKS = 3_000  # of a tenth of a second, between full collections of what nobody has thought of


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
        self.draining: Draining = Draining(TracedApp(self.app, tracing) if tracing else self.app)
        self._on_start = on_start
        self._on_beat = on_beat
        self.on_shutdown: Callable[[], None] = lambda: None
        self._should_collect = False
        self._was_ended = False
        shared = TransportLimits(config.limits, config.proxy, clock, partial(_report, self.app.state.metrics))
        super().__init__(_settings(config, self.draining, shared))

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
        self._should_collect |= counter % GC_TICKS == GC_TICKS - 1
        if self._should_collect and not self.server_state.connections:
            self._should_collect = False
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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal ends the server, also one that is drained for a successor."""
        self._was_ended = True
        super().handle_exit(sig, frame)

    @property
    def is_to_restart(self) -> bool:
        """True if the server was drained for a successor, and no signal has come that ends both."""
        return self.draining.has_begun and not self._was_ended


def _report(metrics: Metrics, refusal: Refusal, host: str) -> None:
    """Count and log what was refused before the app saw it."""
    status = status_of(refusal)
    metrics.count_request("", UNMATCHED, status)
    metrics.count_refusal(refusal.reason)
    logs.log_info("request", method="", route=UNMATCHED, status=status, reason=refusal.reason, address=host)


def _settings(config: Config, app: ASGIApp, shared: TransportLimits) -> uvicorn.Config:
    proxy: dict[str, Any] = {"forwarded_allow_ips": config.proxy} if config.proxy else {}
    return uvicorn.Config(
        app,
        lifespan="on",
        http=type("LimitedHttpProtocol", (HttpProtocol,), {"shared": shared}),
        ws=type("LimitedSocketProtocol", (SocketProtocol,), {"shared": shared}),
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
) -> HttpServer:
    """Serve until a signal comes; the server that is returned tells whether it is to restart. If it cannot start, the
    reason is raised as a refusal."""
    logs.set_up(quiet=config.quiet)
    server = HttpServer(config._replace(limits=config.limits.within(_open_files())), on_start, on_beat=on_beat)
    gc.freeze()
    gc.enable()
    gc.set_threshold(*GC_THRESHOLD)
    sys.setswitchinterval(SWITCH_SECONDS)
    for sign in (signal.SIGINT, signal.SIGTERM):
        # uvicorn handles these while it runs, and raises them again at the end: that must not kill the process.
        signal.signal(sign, server.handle_exit)
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
    return server


def _open_files() -> int:
    """How many files this process may open, as many as it is allowed to allow itself."""
    try:
        import resource
    except ImportError:  # on Windows
        return MOST_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            return wanted
        return allowed
    return wanted
