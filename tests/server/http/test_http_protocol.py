"""Connections of clients that send too much, too slowly or garbage, with timers that fire by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from uvicorn.server import ServerState

from ninefold.server.http.config import KIB, Config, Limits, Rate
from ninefold.server.http.http_protocol import PIPELINE_SECONDS, HttpProtocol
from ninefold.server.http.socket_protocol import SocketProtocol
from ninefold.server.http.transport_limits import PART, TransportLimits
from ninefold.server.http.uvicorn_server import HttpServer
from tests.support.clocks import ManualSeconds
from tests.support.raw_socket import CONTINUATION, PING, PONG, TEXT, frame, upgrade

UPGRADE = b"GET /api/v1/matches/a/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
CHUNKED = b"POST /api/v1/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
LARGE = 64 * KIB


class Timers:
    """The part of an event loop that starts timers. Tasks do not run."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.tasks = 0

    def call_later(self, seconds: float, call: Callable[..., None], *arguments: object) -> Any:
        timer = (seconds, lambda: call(*arguments))
        self.waiting.append(timer)

        class Handle:
            def cancel(_) -> None:  # noqa: N805 - of the timer, not of the timers
                if timer in self.waiting:
                    self.waiting.remove(timer)

        return Handle()

    def call_soon(self, call: Callable[[], None]) -> None:
        call()

    def create_task(self, work: Coroutine[Any, Any, None]) -> Any:
        work.close()
        self.tasks += 1
        return mock.Mock()

    def fire(self, seconds: float) -> None:
        """Fire the timer that waits so long."""
        (timer,) = [timer for timer in self.waiting if timer[0] == seconds]
        self.waiting.remove(timer)
        timer[1]()


class Transport(asyncio.Transport):
    protocol: asyncio.Protocol

    def __init__(self) -> None:
        super().__init__()
        self.unread = 1000  # bytes that the client has not read
        self.written = b""
        self.is_reading_now = True
        self.has_ended = False  # True if the client is told that nothing more comes
        self.aborted = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_protocol(self) -> Any:
        return self.protocol

    def is_closing(self) -> bool:
        return self.aborted

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.has_ended = True

    def write(self, data: Any) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return self.unread

    def close(self) -> None:
        self.aborted = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        self.is_reading_now = False

    def resume_reading(self) -> None:
        self.is_reading_now = True

    def refusal(self) -> tuple[int, str]:
        """The status and the code of the refusal that was written."""
        head, _, body = self.written.partition(b"\r\n\r\n")
        assert b"content-type: application/problem+json" in head
        assert b"connection: close" in head
        assert self.has_ended
        return int(head.split()[1]), json.loads(body)["code"]


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
    made.shared = TransportLimits(Limits())
    transport.protocol = made
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


def test_a_head_that_comes_too_slowly_is_refused(
    connection: HttpProtocol, timers: Timers, transport: Transport
) -> None:
    connection.data_received(b"GET / HTTP/1.1\r\nHost: ")
    timers.fire(connection.limits.head_seconds)
    assert transport.refusal() == (408, "too_slow")


@pytest.mark.parametrize(
    ("begins", "goes_on", "refused"),
    [
        (b"GET / HTTP/1.1\r\nx: ", b"y", (431, "head_too_large")),
        (b"GET / HTTP/1.1\r\n", b"y", (431, "head_too_large")),
        (b"GET / HTTP/1.1\r\n", b"a:b\r\n", (431, "head_too_large")),
        (b"GET / HTTP/1.1\r\n", b"cookie: " + b"c" * KIB + b"\r\n", (431, "head_too_large")),
        (UPGRADE + b"x: ", b"y", (431, "head_too_large")),
        (UPGRADE, b"a:b\r\n", (431, "head_too_large")),
        (b"GET / HTTP/1.1\r\nx: y\r\n", b" folded\r\n", (400, "bad_request")),
        (b"", b"\r\n", (431, "head_too_large")),
        (b"GET /", b"y", (414, "url_too_long")),
        (b"GET ", b" ", (431, "head_too_large")),
        (b"\x16\x03\x01", b"\x00", (400, "bad_request")),
        (CHUNKED + b"1", b";x=y", (413, "too_large.chunks")),
        (CHUNKED + b"0\r\n", b"a: b\r\n", (431, "head_too_large")),
        (CHUNKED + b"0\r\n", b"trailer: " + b"t" * KIB + b"\r\n", (413, "too_large.chunks")),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_what_never_becomes_a_request_is_refused(
    connection: HttpProtocol, transport: Transport, begins: bytes, goes_on: bytes, refused: object, at_once: bool
) -> None:
    sent = begins + goes_on * (LARGE // len(goes_on))
    for part in [sent] if at_once else [sent[n : n + 1000] for n in range(0, len(sent), 1000)]:
        connection.data_received(part)
    assert transport.refusal() == refused
    assert transport.written.count(b"HTTP/1.1") == 1


def test_after_a_refusal_a_little_is_read_and_nothing_parsed(
    connection: HttpProtocol, timers: Timers, transport: Transport
) -> None:
    connection.data_received(b"GET / HTTP/1.1\r\nx: " + b"y" * LARGE)
    connection.data_received(b"\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert transport.is_reading_now
    assert not transport.aborted  # that would keep the client from reading the refusal
    assert [seconds for seconds, _ in timers.waiting] == [2.0]
    connection.data_received(b"y" * 129 * KIB)
    assert transport.aborted
    assert transport.written.count(b"HTTP/1.1") == 1


def test_a_large_body_in_chunks_is_no_framing(connection: HttpProtocol, transport: Transport) -> None:
    connection.data_received(CHUNKED)
    for _ in range(200):
        connection.data_received(b"400\r\n" + b"y" * KIB + b"\r\n")
        connection.flow.resume_reading()
    assert transport.written == b""


def test_only_some_pipelined_requests_are_parsed_before_the_first_is_answered(
    connection: HttpProtocol, transport: Transport
) -> None:
    connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * 10_000)
    for _ in range(10):
        connection.flow.resume_reading()  # uvicorn does when the app reads a body
    assert 0 < len(connection.pipeline) < 60
    assert not transport.is_reading_now
    assert transport.written == b""


def test_a_pipelined_request_waits_a_moment_after_the_response_before_it(
    connection: HttpProtocol, timers: Timers
) -> None:
    connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * 3)
    assert timers.tasks == 1
    connection.on_response_complete()
    assert timers.tasks == 1
    timers.fire(PIPELINE_SECONDS)
    assert timers.tasks == 2
    connection.on_response_complete()
    connection.connection_lost(None)
    assert PIPELINE_SECONDS not in dict(timers.waiting)


def metered(data: Path, timers: Timers, transport: Transport, shared: TransportLimits) -> SocketProtocol:
    """A socket that the app has accepted."""
    loop: Any = timers
    made = SocketProtocol(HttpServer(Config(data)).config, ServerState(), {}, loop)
    made.shared = shared
    transport.protocol = made
    made.connection_made(transport)
    made.data_received(upgrade(80, "x"))
    asyncio.run(made.send({"type": "websocket.accept"}))
    return made


@pytest.mark.parametrize(
    "flood",
    [frame(PONG) * 1_000, frame(PING) * 1_000, frame(TEXT, is_last=False) + frame(CONTINUATION, is_last=False) * 1_000],
    ids=["pongs", "pings", "fragments"],
)
def test_frames_of_every_kind_are_metered(tmp_path: Path, timers: Timers, transport: Transport, flood: bytes) -> None:
    made = metered(tmp_path, timers, transport, TransportLimits(Limits(reads=Rate(1, 100)), clock=ManualSeconds()))
    made.data_received(flood)
    assert not transport.is_reading_now
    assert len(made._unread) > len(flood) / 2


def test_a_flood_of_frames_is_parsed_only_as_fast_as_the_meter_allows(
    tmp_path: Path, timers: Timers, transport: Transport
) -> None:
    limits, clock = Limits(reads=Rate(1, 100)), ManualSeconds()
    made = metered(tmp_path, timers, transport, TransportLimits(limits, clock=clock))
    ping = frame(PING, b"y")
    made.data_received(ping * 5_000)

    def answered() -> int:
        return transport.written.count(b"\x8a\x01y")

    first = answered()
    assert 0 < first <= limits.frames.burst + PART / len(ping)
    assert not transport.is_reading_now
    (seconds,) = {seconds for seconds, _ in timers.waiting if seconds != limits.ping_seconds}
    clock.at += seconds
    timers.fire(seconds)
    assert first < answered() <= first + PART / len(ping) + 1
    assert not transport.is_reading_now
