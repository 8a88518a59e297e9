"""A load generator that is no bottleneck: it sends bytes that were made before, and looks only at what it must.

python -m benchmarks.load_generator        how many exchanges a second it makes with peers that only echo
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import uvloop

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: bmluZWZvbGQgbmluZWZvbA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ECHOES = 60_000
PLAYERS = 256  # that each wait for an answer before they send again


class Address(NamedTuple):
    host: str
    port: int


class Channel(asyncio.Protocol):
    """A connection. ``on_reply`` is called with every reply."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.on_reply: Callable[[bytes], None] = lambda _: None
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self.transport = transport  # type: ignore[assignment]  # uvloop's class, which is no subclass of asyncio's

    def data_received(self, data: bytes) -> None:
        self.buffer = self.buffer + data if self.buffer else data
        while (reply := self.take()) is not None:
            self.on_reply(reply)

    def take(self) -> bytes | None:
        """The next reply in the buffer, if it is there as a whole."""
        raise NotImplementedError

    def send(self, data: bytes) -> None:
        self.transport.write(data)

    async def exchange(self, data: bytes, wanted: bytes = b"") -> bytes:
        """Send, and wait for the first reply with a text in it. Not for what is measured: it costs more."""
        found: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def note(reply: bytes) -> None:
            if wanted in reply and not found.done():
                found.set_result(reply)

        self.on_reply = note
        self.send(data)
        return await asyncio.wait_for(found, 60)

    def close(self) -> None:
        self.transport.close()


class HttpChannel(Channel):
    """Replies are whole responses, with their heads."""

    def take(self) -> bytes | None:
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return None
        length = self.buffer.lower().find(b"content-length:", 0, head)
        end = head + 4 + (int(self.buffer[length + 15 : self.buffer.find(b"\r\n", length)]) if length >= 0 else 0)
        if len(self.buffer) < end:
            return None
        reply, self.buffer = self.buffer[:end], self.buffer[end:]
        return reply


class SocketChannel(Channel):
    """Replies are the texts of messages, and first the head of the handshake."""

    is_open = False

    def take(self) -> bytes | None:
        buffer = self.buffer
        if not self.is_open:
            head = buffer.find(b"\r\n\r\n")
            if head < 0:
                return None
            self.is_open, self.buffer = True, buffer[head + 4 :]
            return buffer[:head]
        while len(buffer) >= 2:
            length, start = buffer[1] & 127, 2
            if length >= 126:
                start = 4 if length == 126 else 10
                length = int.from_bytes(buffer[2:start], "big")
            if len(buffer) < start + length:
                return None
            kind, text = buffer[0] & 15, buffer[start : start + length]
            self.buffer = buffer = buffer[start + length :]
            if kind == TEXT and text == b"2":  # a ping of socket.io
                self.transport.write(frame(b"3"))
            elif kind == TEXT:
                return text
            elif kind == PING:
                self.transport.write(frame(text, PONG))
        return None


def frame(text: bytes, kind: int = TEXT) -> bytes:
    """A frame of a client. It is masked with zeros, which leave the text as it is."""
    length = len(text)
    size = bytes([128 | length]) if length < 126 else bytes([254]) + length.to_bytes(2, "big")
    return bytes([128 | kind]) + size + b"\0\0\0\0" + text


def _local_address(address: Address, number: int) -> tuple[str, int] | None:
    """Every fifty connections come from an address of their own: servers limit how many one address may have."""
    return (f"127.0.{1 + number // 12_500}.{1 + number // 50 % 250}", 0) if address.host == "127.0.0.1" else None


async def open_http(address: Address, number: int = 0) -> HttpChannel:
    local = _local_address(address, number)
    _, channel = await asyncio.get_running_loop().create_connection(HttpChannel, *address, local_addr=local)
    return channel


async def open_socket(address: Address, path: str, number: int = 0) -> SocketChannel:
    local = _local_address(address, number)
    _, channel = await asyncio.get_running_loop().create_connection(SocketChannel, *address, local_addr=local)
    head = await channel.exchange(HANDSHAKE.format(path=path, host=address.host, port=address.port).encode())
    if b" 101 " not in head:
        raise SystemExit(f"no socket: {head.decode()}")
    return channel


class Step(NamedTuple):
    """What is sent through which channel, and what an acknowledgement of it contains."""

    channel: Channel | None  # None: the player's own
    data: bytes
    wanted: bytes


class Played(NamedTuple):
    """What a closed loop has done: the time of every exchange, in seconds, sorted, and of all of them together."""

    waits: list[float]
    seconds: float
    failed: int


class ClosedLoop:
    """Players that each take a game, send its steps one after the other, and wait for every acknowledgement."""

    def __init__(self, games: Iterable[Sequence[Step]]) -> None:
        self._games = iter(games)
        self._waits: list[float] = []
        self._failed = 0

    async def run(self, channels: Sequence[Channel | None]) -> Played:
        begun = time.perf_counter()
        await asyncio.gather(*map(self._player, channels))
        return Played(sorted(self._waits), time.perf_counter() - begun, self._failed)

    async def _player(self, own: Channel | None) -> None:
        for game in self._games:
            finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            _Game(game, own, self._waits, finished)
            try:
                await asyncio.wait_for(finished, 60)
            except (TimeoutError, ConnectionError) as error:
                self._failed += 1
                print("failed:", error or "no answer")


class _Game:
    """One game in progress. It is driven by the replies, without a task for each."""

    def __init__(
        self, steps: Sequence[Step], own: Channel | None, waits: list[float], done: asyncio.Future[None]
    ) -> None:
        self._steps, self._own, self._waits, self._done, self._next = steps, own, waits, done, 0
        self._send()

    def _send(self) -> None:
        step = self._steps[self._next]
        channel = step.channel or self._own
        assert channel
        self._wanted, self._channel = step.wanted, channel
        channel.on_reply = self._on_reply
        self._sent = time.perf_counter()
        channel.send(step.data)

    def _on_reply(self, reply: bytes) -> None:
        if self._wanted not in reply:
            if b"refused" in reply or b"problem+json" in reply:
                self._channel.on_reply = lambda _: None
                self._done.set_exception(ConnectionError(reply[-400:].decode()))
            return
        self._waits.append(time.perf_counter() - self._sent)
        self._channel.on_reply = lambda _: None
        self._next += 1
        if self._next < len(self._steps):
            self._send()
        else:
            self._done.set_result(None)


def pin(core: int | None) -> None:
    """Stay on one core, where the system can do that."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def run_loop(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


# Peers that only echo


class _Echo(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.startswith(b"POST"):
            self.transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        elif data.startswith(b"GET"):
            self.transport.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        else:
            text = data[6:] if data[1] & 127 < 126 else data[8:]
            self.transport.write(b"\x81" + data[1 : len(data) - len(text) - 4].replace(b"\xfe", b"\x7e") + text)


def _serve_echo(port: Any, core: int | None) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(_Echo, "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    pin(core)
    run_loop(serve())


async def _echoes(address: Address, count: int) -> tuple[float, float]:
    request = b'POST /api/v1/matches/x/actions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{"request": "r1"}'
    games = [[Step(None, request, b"200")] * 9] * (count // 9)
    over_http = await ClosedLoop(games).run([await open_http(address) for _ in range(PLAYERS)])
    sockets = [await open_socket(address, "/") for _ in range(PLAYERS)]
    games = [[Step(None, frame(b'{"type": "act", "request": "r1"}'), b"act")] * 9] * (count // 9)
    over_sockets = await ClosedLoop(games).run(sockets)
    return (len(over_http.waits) / over_http.seconds, len(over_sockets.waits) / over_sockets.seconds)


def echoes(count: int = ECHOES) -> tuple[float, float]:
    """How many exchanges a second are made with a peer that only echoes: over HTTP, and over sockets."""
    theirs, ours = cores()
    port, given = multiprocessing.Pipe(duplex=False)
    peer = multiprocessing.Process(target=_serve_echo, args=(given, theirs), daemon=True)
    peer.start()
    try:
        before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        pin(ours)
        try:
            found: tuple[float, float] = run_loop(_echoes(Address("127.0.0.1", port.recv()), count))
            return found
        finally:
            if before:
                os.sched_setaffinity(0, before)
    finally:
        peer.terminate()
        peer.join()


def cores() -> tuple[int | None, int | None]:
    """The core of the server, and the core of the load generator."""
    return (1, 0) if (os.cpu_count() or 1) > 1 else (None, None)


if __name__ == "__main__":
    print("{:,.0f} echoes a second over HTTP, {:,.0f} over sockets".format(*echoes()))
