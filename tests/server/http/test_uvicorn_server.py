"""How long a connection waits for a client that reads slowly or not at all, with timers that fire by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

from ninefold.server.http.config import Config
from ninefold.server.http.uvicorn_server import HttpProtocol, HttpServer


class Timers:
    """The part of an event loop that starts timers."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, call: Callable[..., None], *arguments: object) -> Any:
        timer = (seconds, lambda: call(*arguments))
        self.waiting.append(timer)

        class Handle:
            def cancel(_) -> None:  # noqa: N805 - of the timer, not of the timers
                if timer in self.waiting:
                    self.waiting.remove(timer)

        return Handle()

    def fire(self, seconds: float) -> None:
        """Fire the timer that waits so long."""
        (timer,) = [timer for timer in self.waiting if timer[0] == seconds]
        self.waiting.remove(timer)
        timer[1]()


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.unread = 1000  # bytes that the client has not read
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        pass


@pytest.fixture
def timers() -> Timers:
    return Timers()


@pytest.fixture
def transport() -> Transport:
    return Transport()


@pytest.fixture
def connection(tmp_path: Path, timers: Timers, transport: Transport) -> HttpProtocol:
    loop: Any = timers
    made = HttpProtocol(HttpServer(Config(tmp_path)).config, ServerState(), {}, loop)
    made.connection_made(transport)
    return made


def test_a_client_that_reads_slowly_is_waited_for(
    connection: HttpProtocol, timers: Timers, transport: Transport
) -> None:
    connection.pause_writing()
    for _ in range(3):
        transport.unread -= 1
        timers.fire(connection.limits.read_seconds)
        assert not transport.aborted
    connection.resume_writing()
    assert connection.limits.read_seconds not in [seconds for seconds, _ in timers.waiting]


def test_a_client_that_does_not_read_is_disconnected(
    connection: HttpProtocol, timers: Timers, transport: Transport
) -> None:
    connection.pause_writing()
    timers.fire(connection.limits.read_seconds)
    assert transport.aborted
