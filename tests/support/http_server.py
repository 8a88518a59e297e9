"""A real server on a free port of this machine, in a thread, and what tests say to it."""

from __future__ import annotations

import contextlib
import json
import logging
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from websockets.sync.client import ClientConnection, connect

from ninefold.agents.mount import Mount
from ninefold.server.http.config import Bounds, Config, Rate
from ninefold.server.http.logs import LOG, Lines
from ninefold.server.http.serve import names_of
from ninefold.server.http.uvicorn_server import Server
from ninefold.server.storage.service import Service
from tests.support.server_process import launched

API = "/api/v1"
PLENTY = Bounds(reads=Rate(1e9, 1e9), writes=Rate(1e9, 1e9))  # for tests of something else


def _agents(service: Service, config: Config) -> Mount:
    return Mount(service, config.address, config.hosts, config.origins)


MOUNTS = (("/mcp", _agents),)  # as `ninefold serve` has them


class Running(NamedTuple):
    port: int
    http: httpx.Client
    leave: Callable[[], None]

    def post(self, path: str, body: object = None, token: str | None = None) -> httpx.Response:
        return self.http.post(API + path, json=body, headers=bearer(token))

    def get(self, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        return self.http.get(API + path, headers=bearer(token) | headers)

    def create(self, game: str = "classic", *players: str, **more: Any) -> dict[str, Any]:
        seats = [{"player": player} for player in players or ("human", "human")]
        answer = self.post("/matches", {"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    def move(self, match: str, token: str, version: int, move: str | list[int]) -> httpx.Response:
        body = {"request": f"r{time.monotonic_ns()}", "version": version, "action": {"kind": "move", "move": move}}
        return self.post(f"/matches/{match}/actions", body, token)

    def socket(self, match: str, query: str = "", **more: Any) -> Talking:
        url = f"ws://127.0.0.1:{self.port}{API}/matches/{match}/socket{query}"
        return Talking(connect(url, compression=None, ping_interval=None, close_timeout=2, **more).__enter__())

    def welcome(self, match: str, token: str | None = None, after: int | None = None) -> tuple[Talking, dict[str, Any]]:
        """A socket that has said hello, and how it was welcomed."""
        talking = self.socket(match)
        hello = {"type": "hello"} | ({"token": token} if token else {}) | ({} if after is None else {"after": after})
        talking.say(hello)
        return talking, talking.hear("welcome")


class Talking:
    """A socket from the client's side."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def say(self, message: object) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, *types: str, seconds: float = 5.0) -> dict[str, Any]:
        """The next message of one of these types; others are passed over."""
        until = time.monotonic() + seconds
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(timeout=max(0.01, until - time.monotonic())))
            if not types or message["type"] in types:
                return message

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.say(message)
        return self.hear("answer", "refused")

    def code(self, seconds: float = 5.0) -> int:
        """With what code the server closes; messages before that are passed over."""
        from websockets.exceptions import ConnectionClosed

        until = time.monotonic() + seconds
        try:
            while True:
                self.connection.recv(timeout=max(0.01, until - time.monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def close(self) -> None:
        self.connection.__exit__(None, None, None)

    def __enter__(self) -> Talking:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def act(request: str, version: int | None, **action: object) -> dict[str, Any]:
    """The message that acts."""
    return {"type": "act", "request": request, "action": action} | ({} if version is None else {"version": version})


class Errors(logging.Handler):
    """Everything that went wrong inside, whatever the client was told."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []
        LOG.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(Lines().format(record))


@contextlib.contextmanager
def running(data: Path, bounds: Bounds = PLENTY, **more: Any) -> Iterator[Running]:
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    names = names_of("", port)
    started = threading.Event()
    errors = Errors()
    given = {"mounts": MOUNTS, **more}
    config = Config(data, hosts=names.hosts, origins=names.origins, bounds=bounds, address=names.links[-1], **given)
    server = Server(config, started.set)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        assert started.wait(20), "The server did not start."
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
            yield Running(port, http, server.leave)
    finally:
        server.leave()
        thread.join(15)
        listener.close()
        LOG.removeHandler(errors)
    assert not thread.is_alive()
    assert errors.seen == [], "\n".join(errors.seen)


class Process(NamedTuple):
    """``ninefold serve`` as people run it."""

    process: subprocess.Popen[str]
    server: Running

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Its exit code, and everything it said on both streams."""
        self.process.send_signal(sign)
        said, logged = self.process.communicate(timeout=20)
        return self.process.returncode, said, logged


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[Process]:
    process, url = launched("--port", "0", *arguments, log=subprocess.PIPE)
    with process:
        try:
            with httpx.Client(base_url=url, timeout=20) as http:
                yield Process(process, Running(int(url.rpartition(":")[2]), http, process.terminate))
        finally:
            process.kill()
