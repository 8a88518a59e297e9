"""What comes through a WebSocket, in whatever pieces: the app takes whole messages at once, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from ninefold.server.http.config import Limits
from ninefold.server.http.socket_protocol import SocketProtocol
from ninefold.server.http.socket_sender import TAKE
from ninefold.server.http.transport_limits import TransportLimits
from tests.support.raw_socket import CONTINUATION, PING, TEXT, frame, upgrade

MESSAGE = b'{"type": "act", "move": "1"}'
LONG = MESSAGE[:-1] + b" " * 200 + b"}"


class Connection(asyncio.Transport):
    """A transport that notes what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Received:
    """The messages that an app has taken at once, and those that it has received in their turn."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.received: list[str] = []
        self.accepts: Callable[[str], bool] = lambda _: True

    def take(self, text: str) -> bool:
        if self.accepts(text):
            self.taken.append(text)
            return True
        return False

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        scope["extensions"][TAKE](self.take)
        while (message := await receive())["type"] == "websocket.receive":
            self.received.append(message["text"])


class _Protocol(SocketProtocol):
    shared = TransportLimits(Limits())


async def _settle() -> None:
    for _ in range(20):  # turns of the loop, in which the app goes on as far as it can
        await asyncio.sleep(0)


def deliver(*pieces: bytes, accepts: Callable[[str], bool] = lambda _: True) -> tuple[Received, Connection]:
    """What an app gets of pieces that come one after the other."""

    async def run() -> tuple[Received, Connection]:
        received, connection = Received(), Connection()
        received.accepts = accepts
        config = Config(received.app, interface="asgi3", lifespan="off", log_config=None, ws_per_message_deflate=False)
        config.load()
        protocol = _Protocol(config, ServerState(), {}, asyncio.get_running_loop())
        protocol.shared.connect("127.0.0.1")
        protocol.connection_made(connection)
        protocol.data_received(upgrade(1, "abc"))
        await _settle()
        for piece in pieces:
            protocol.data_received(piece)
            await _settle()
        protocol.connection_lost(None)
        await _settle()
        return received, connection

    return asyncio.run(run())


@pytest.mark.parametrize("message", [MESSAGE, LONG, "Zürich ⊗".encode(), b""], ids=["short", "long", "utf-8", "empty"])
def test_a_message_in_one_frame_is_taken_at_once(message: bytes) -> None:
    received, _ = deliver(frame(TEXT, message), frame(TEXT, message))
    assert received.taken == [message.decode()] * 2
    assert received.received == []


def test_a_message_that_the_app_does_not_take_is_received_in_its_turn() -> None:
    received, _ = deliver(frame(TEXT, MESSAGE), accepts=lambda _: False)
    assert (received.taken, received.received) == ([], [MESSAGE.decode()])


def _split(data: bytes, sizes: Sequence[int]) -> list[bytes]:
    pieces, rest = [], data
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    return [*pieces, rest]


@pytest.mark.parametrize("size", range(1, len(frame(TEXT, MESSAGE))))
def test_a_frame_in_two_pieces_is_one_message(size: int) -> None:
    received, _ = deliver(*_split(frame(TEXT, MESSAGE), [size]), frame(TEXT, LONG))
    assert [*received.taken, *received.received] == [MESSAGE.decode(), LONG.decode()]


def test_what_looks_like_a_frame_inside_a_message_is_a_part_of_it() -> None:
    """The second piece is a whole frame by its bytes. A server that forgot the first would play its move."""
    forged = frame(TEXT, MESSAGE)
    whole = frame(TEXT, b'{"type": "ping", "x": "' + forged + b'"}')
    start = whole.index(forged)
    received, connection = deliver(whole[:start], forged, whole[start + len(forged) :])
    assert received.taken == []
    assert MESSAGE.decode() not in received.received
    assert connection.is_closed  # the bytes of a masked frame are no text


def test_a_message_inside_the_fragments_of_another_is_an_error() -> None:
    received, connection = deliver(frame(TEXT, b'{"a"', is_last=False), frame(TEXT, MESSAGE))
    assert (received.taken, received.received) == ([], [])
    assert connection.is_closed


def test_fragments_are_one_message_and_the_next_is_taken_at_once() -> None:
    pieces = frame(TEXT, MESSAGE[:5], is_last=False), frame(PING), frame(CONTINUATION, MESSAGE[5:])
    received, _ = deliver(*pieces, frame(TEXT, LONG))
    assert received.taken == [MESSAGE.decode(), LONG.decode()]


def test_a_message_is_not_taken_before_those_that_wait() -> None:
    received, _ = deliver(frame(TEXT, b"first") + frame(TEXT, b"second"), accepts=lambda text: text == "second")
    assert [*received.received, *received.taken] == ["first", "second"]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xed\xa0\x80"], ids=["no utf-8", "half of a surrogate pair"])
def test_a_message_that_is_no_text_closes_the_socket(data: bytes) -> None:
    received, connection = deliver(frame(TEXT, data))
    assert (received.taken, received.received, connection.is_closed) == ([], [], True)


def test_a_frame_that_is_not_masked_closes_the_socket() -> None:
    received, connection = deliver(b"\x81%c%b" % (len(MESSAGE), MESSAGE))
    assert (received.taken, connection.is_closed) == ([], True)
