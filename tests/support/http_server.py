"""A real server on a free port of this machine, in a thread, and clients for tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ninefold.agents.mount import Mount
from ninefold.server.http.config import Config, Limits, Rate
from ninefold.server.http.logs import LOG, JsonFormatter
from ninefold.server.http.serve import server_names
from ninefold.server.http.uvicorn_server import HttpServer
from ninefold.server.storage.service import Service
from tests.support.server_process import launched
from tests.support.waiting import PATIENCE

API = "/api/v1"
# For tests of something else: no rates, and more time than a client of a busy machine needs.
NO_RATES = Limits(
    head_seconds=PATIENCE, body_seconds=PATIENCE, read_seconds=PATIENCE, hello_seconds=PATIENCE, send_seconds=PATIENCE,
    ping_seconds=PATIENCE, pong_seconds=PATIENCE, reads=Rate(1e9, 1e9), writes=Rate(1e9, 1e9),
)  # fmt: skip
_REQUEST_IDS = itertools.count()


def _agents(service: Service, config: Config) -> Mount:
    return Mount(service, config.address, config.hosts, config.origins)


MOUNTS = (("/mcp", _agents),)  # as `ninefold serve` has them


class Running(NamedTuple):
    port: int
    http: httpx.Client
    stop: Callable[[], None]
    drain: Callable[[], None] = lambda: None

    def post(self, path: str, body: object = None, token: str | None = None) -> httpx.Response:
        return self.http.post(API + path, json=body, headers=bearer(token))

    def get(self, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        return self.http.get(API + path, headers=bearer(token) | headers)

    def create(self, game: str = "classic", *players: str, **more: Any) -> dict[str, Any]:
        seats = [{"player": player} for player in players or ("human", "human")]
        response = self.post("/matches", {"game": game, "seats": seats, **more})
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    def move(self, match: str, token: str, version: int, move: str | list[int]) -> httpx.Response:
        action = {"kind": "move", "move": move}
        body = {"request": f"r{next(_REQUEST_IDS)}", "version": version, "action": action}
        return self.post(f"/matches/{match}/actions", body, token)

    def socket(self, match: str, query: str = "", **more: Any) -> SocketClient:
        url = f"ws://127.0.0.1:{self.port}{API}/matches/{match}/socket{query}"
        options: dict[str, Any] = {"compression": None, "ping_interval": None, "close_timeout": 2, **more}
        return SocketClient(connect(url, open_timeout=PATIENCE, **options).__enter__())

    def welcome(
        self, match: str, token: str | None = None, after: int | None = None, *, view: bool = True
    ) -> tuple[SocketClient, dict[str, Any]]:
        """A socket that has said hello, and its welcome."""
        client = self.socket(match)
        known: dict[str, Any] = {"token": token} if token else {}
        known |= {} if after is None else {"after": after}
        client.send({"type": "hello", "view": view} | known)
        return client, client.receive("welcome")


class SocketClient:
    """The client's end of a socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._unread: deque[dict[str, Any]] = deque()

    def send(self, message: object) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; others are skipped."""
        until = time.monotonic() + PATIENCE
        while True:
            message = self._unread.popleft() if self._unread else self._read(until)
            if not types or message["type"] in types:
                return message

    def _read(self, until: float) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=max(0.01, until - time.monotonic())))
        return message

    def receive_events(self) -> dict[str, Any]:
        """The next message with events; messages that only bring a new view are skipped."""
        while not (message := self.receive("events"))["events"]:
            pass
        return message

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """The response. What comes before it can still be received: PostgreSQL's notification may bring the events of
        an action before it is answered."""
        self.send(message)
        until = time.monotonic() + PATIENCE
        while (response := self._read(until))["type"] not in ("answer", "refused"):
            self._unread.append(response)
        return response

    def close_code(self) -> int:
        """The code with which the server closes; messages before that are skipped."""
        until = time.monotonic() + PATIENCE
        try:
            while True:
                self.connection.recv(timeout=max(0.01, until - time.monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def close(self) -> None:
        self.connection.__exit__(None, None, None)

    def __enter__(self) -> SocketClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def act(request: str, version: int | None, **action: object) -> dict[str, Any]:
    """The message that acts."""
    return {"type": "act", "request": request, "action": action} | ({} if version is None else {"version": version})


class ErrorLog(logging.Handler):
    """Everything that the server logs as an error, whatever the client was sent."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []
        LOG.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(JsonFormatter().format(record))


def _serve(server: HttpServer, listener: socket.socket, loop: asyncio.AbstractEventLoop | None) -> None:
    if loop is None:
        server.run([listener])
        return
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(server.serve([listener]))


@contextlib.contextmanager
def running(
    data: Path,
    limits: Limits = NO_RATES,
    clock: Callable[[], float] = time.monotonic,
    loop: asyncio.AbstractEventLoop | None = None,
    now: Callable[[], int] | None = None,
    **more: Any,
) -> Iterator[Running]:
    """A server with some limits. ``clock`` measures the rates, in seconds, and ``now`` is the clock of the matches;
    ``loop`` is run instead of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    names = server_names("", port)
    started = threading.Event()
    errors = ErrorLog()
    given = {"mounts": MOUNTS, **more}
    config = Config(data, hosts=names.hosts, origins=names.origins, limits=limits, address=names.links[-1], **given)
    server = HttpServer(config, started.set, clock, now)
    thread = threading.Thread(target=_serve, args=(server, listener, loop))
    thread.start()
    try:
        assert started.wait(PATIENCE), "The server did not start."
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http:
            yield Running(port, http, server.stop, server.drain)
    finally:
        server.stop()
        thread.join(PATIENCE)
        listener.close()
        LOG.removeHandler(errors)
    assert not thread.is_alive()
    assert errors.seen == [], "\n".join(errors.seen)


class Process(NamedTuple):
    """``ninefold serve`` as people run it."""

    process: subprocess.Popen[str]
    server: Running

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Its exit code, and everything that it printed on both streams."""
        self.process.send_signal(sign)
        printed, logged = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, printed, logged


@contextlib.contextmanager
def serving(*arguments: str, log: int = subprocess.PIPE) -> Iterator[Process]:
    process, url = launched("--port", "0", *arguments, log=log)
    with process:
        try:
            with httpx.Client(base_url=url, timeout=PATIENCE) as http:
                yield Process(process, Running(int(url.rpartition(":")[2]), http, process.terminate))
        finally:
            process.kill()
