"""Sending and receiving through one WebSocket, by the extensions of our server where it has them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

DISCONNECTED = 1006
# Extensions by which our server lets a connection be cut, a frame be written at once if it need not wait, and
# a message be taken at once: its callback returns True if it has taken a message, which is then not received. By the
# last one the round trip of a connection is measured.
ABORT, WRITE, TAKE, LAG = "ninefold.abort", "ninefold.write", "ninefold.take", "ninefold.lag"


class LagMeter(Protocol):
    """Measures how long a connection takes to and fro."""

    @property
    def milliseconds(self) -> int:
        """The last round trip; 0 if it has not been completed."""
        ...

    def begin(self) -> None:
        """Send a ping, whose pong is waited for."""
        ...


class SlowClient(Exception):
    """The client does not read what it is sent."""


class EncodedMessage(NamedTuple):
    """A message, and the frame that every client can be sent as it is: frames of a server are not masked."""

    text: str
    frame: bytes

    @classmethod
    def of(cls, text: str) -> EncodedMessage:
        data = text.encode()
        length = len(data)
        if length < 126:
            return cls(text, b"\x81%c%b" % (length, data))
        if length < 1 << 16:
            return cls(text, b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), data))
        return cls(text, b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), data))


class SocketSender:
    """Sends and receives through a socket. A client that does not read in time is a ``SlowClient``."""

    def __init__(self, websocket: WebSocket, seconds: float) -> None:
        self._websocket, self._seconds = websocket, seconds
        self._sending = asyncio.Lock()
        self._waiting = 0  # messages that are sent, or wait for that: nothing overtakes them
        self._write: Callable[[bytes], bool] | None = websocket.scope.get("extensions", {}).get(WRITE)
        self._lag_meter: LagMeter | None = websocket.scope.get("extensions", {}).get(LAG)

    def take_with(self, take: Callable[[str], bool]) -> None:
        """Let a callback take messages, where the server can call it."""
        if deliver_to := self._websocket.scope.get("extensions", {}).get(TAKE):
            deliver_to(take)

    def measure_lag(self) -> None:
        """Begin to measure the round trip, where the server can."""
        if self._lag_meter:
            self._lag_meter.begin()

    @property
    def lag(self) -> int:
        """The measured round trip, in milliseconds; 0 if there is none."""
        return self._lag_meter.milliseconds if self._lag_meter else 0

    async def receive(self) -> str | bytes:
        message = await self._websocket.receive()
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(message.get("code", DISCONNECTED))
        text: str | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")

    async def send(self, message: dict[str, Any]) -> None:
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        await self.send_encoded(EncodedMessage.of(text))

    def send_now(self, message: EncodedMessage) -> bool:
        """True if the message is sent; False if it would have to wait."""
        return self._write is not None and not self._waiting and self._write(message.frame)

    async def send_encoded(self, message: EncodedMessage) -> None:
        if self.send_now(message):
            return
        self._waiting += 1
        try:
            async with asyncio.timeout(self._seconds), self._sending:
                await self._websocket.send_text(message.text)
        except TimeoutError:
            raise SlowClient from None
        except RuntimeError:  # the server has closed the socket: a frame was too large, or garbage
            raise WebSocketDisconnect(DISCONNECTED) from None
        finally:
            self._waiting -= 1

    async def close(self, code: int) -> None:
        try:
            async with asyncio.timeout(1.0):
                await self._websocket.close(code)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            self.abort()

    def abort(self) -> None:
        """Cut the connection: what waits to be sent would wait for ever."""
        if abort := self._websocket.scope.get("extensions", {}).get(ABORT):
            abort()
