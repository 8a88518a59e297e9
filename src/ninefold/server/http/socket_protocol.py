"""The connections of WebSockets: uvicorn's protocol with a meter for what clients send.

It overrides methods of uvicorn, so pyproject.toml bounds its version. What has come is given to uvicorn's parser in
small parts, so that the meter is noticed before much has been parsed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from ninefold.core.errors import NotAllowed
from ninefold.server.http.config import KIB
from ninefold.server.http.middleware import network_of
from ninefold.server.http.socket_sender import ABORT, LAG, TAKE, WRITE
from ninefold.server.http.transport_limits import PART, SEND_BUFFER, FrameMeter, TransportLimits, abort
from ninefold.server.http.websocket import POLICY

if TYPE_CHECKING:
    from websockets.frames import Frame

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

WRITE_BUFFER = 16 * KIB  # of this process: beyond it a sender waits
TEXT = 0x81  # the first byte of a frame that is a whole text message, without extensions
MASKED = 0x80  # in the second byte: clients mask what they send
PING_HEAD = b"\x89\x08"  # of a ping with eight bytes
LONG = 126  # the length in the second byte of a frame whose next two bytes have its real length


class SocketProtocol(WebSocketsSansIOProtocol):
    """Meters frames, makes senders wait early for a client that does not read, and lets the app abort the connection.

    Control frames and parts of messages count as frames, whole messages too. Beyond the rate nothing is read for
    a while; a client that goes on for too long is disconnected.
    """

    shared: TransportLimits

    _meter: FrameMeter
    _unread = memoryview(b"")  # has come, and waits for the meter or for the app
    _meter_timer: asyncio.TimerHandle | None = None
    _over_since: float | None = None  # when the meter was last exceeded with nothing before it
    _address: str | None = None
    _frames = 0  # in the part that was parsed last
    _take: Callable[[str], bool] | None = None  # the app's, for messages that need not wait in the queue
    _is_receiving = False  # True while the app is given a message from the queue
    _lag_meter: PingMeter | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._meter = self.shared.meter()
        self.transport.set_write_buffer_limits(high=WRITE_BUFFER)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._meter_timer:
            self._meter_timer.cancel()
        self._unread = memoryview(b"")
        self._take = self._lag_meter = None
        self.shared.disconnect(self.client[0] if self.client else "")
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator that refers to its own object
        if self.handshake_initiated:
            self.scope["extensions"] = {}  # which refer to this object

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:  # the head of the request, which HttpProtocol has read
            super().data_received(data)
            return
        if self._take and not self._unread and self._take_frame(self._take, data):
            return
        self._unread = memoryview(bytes(self._unread) + data) if self._unread else memoryview(data)
        self._parse()

    def _take_frame(self, take: Callable[[str], bool], data: bytes) -> bool:
        """Let the app take a message that has come as one frame, as nearly all do. False if it is to be parsed."""
        text = _text_message(data)
        if text is None or not self._is_between_messages() or not take(text):
            return False
        self._wait(*self._meter.spend(1, len(data), self._client_address()))
        return True

    def _is_between_messages(self) -> bool:
        """True if nothing waits to be parsed, or to be received by the app, before what comes next."""
        if self.read_paused or self._meter_timer or self._is_receiving or self.close_sent:
            return False
        if self.conn.state is not State.OPEN or self.conn.current_size is not None or self.transport.is_closing():
            return False
        waiting: Any = self.conn.parser
        while waiting.gi_yieldfrom is not None:
            waiting = waiting.gi_yieldfrom
        return bool(waiting.__name__ == "at_eof")  # where the parser waits for the first byte of a frame

    def _parse(self) -> None:
        """Parse as much as the meter allows and the app takes."""
        while self._unread and not self._meter_timer and not self.read_paused and not self.transport.is_closing():
            part, self._unread = self._unread[:PART], self._unread[PART:]
            self._frames = 0
            super().data_received(bytes(part))
            self._wait(*self._meter.spend(self._frames, len(part), self._client_address()))
        if self._unread and not self.transport.is_closing():
            self.transport.pause_reading()

    def handle_events(self) -> None:
        self._frames = len(self.conn.events)
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Let the app take a message at once, if none waits before it; else put it into the queue."""
        is_next = not self._is_receiving and self.queue.empty() and not self.close_sent
        if self._take and is_next and self.curr_msg_data_type == "text":
            with contextlib.suppress(UnicodeDecodeError):  # uvicorn refuses it
                if self._take(b"".join(self.frames).decode()):
                    self.frames = []
                    return
        super().send_receive_event_to_app()

    def _deliver_to(self, take: Callable[[str], bool]) -> None:
        self._take = take

    def _client_address(self) -> str | None:
        if self._address is None and self.handshake_complete:  # the app has read the proxy's headers
            self._address = network_of((self.scope["client"] or ("", 0))[0])
        return self._address

    def _wait(self, own: float, others: float) -> None:
        """Read nothing for some seconds, or read on."""
        if not own:
            self._over_since = None
        if not (own or others) or self.transport.is_closing():
            return
        now = self.shared.clock()
        if own:
            self._over_since = self._over_since or now
        if self._over_since is not None and now - self._over_since > self.shared.limits.flood_seconds:
            self._refuse_flood()
        elif seconds := max(own, others):
            self.transport.pause_reading()
            self._meter_timer = self.loop.call_later(seconds, self._read_on)

    def _read_on(self) -> None:
        self._meter_timer = None
        self._parse()
        if not (self._unread or self._meter_timer or self.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def _refuse_flood(self) -> None:
        refusal = NotAllowed("too_many_frames", rate=int(self.shared.limits.frames.per_second))
        self.shared.report(refusal, self.client[0] if self.client else "")
        self._unread = memoryview(b"")
        self.conn.fail(POLICY, refusal.reason)
        self.handle_parser_exception()

    async def receive(self) -> Any:
        message = await super().receive()  # which reads on when the app has taken every message
        if not self.read_paused and not self.transport.is_closing():
            if self._meter_timer:
                self.transport.pause_reading()
            elif self._unread:
                self._is_receiving = True  # what is read now comes after this message
                self._read_on()
                self._is_receiving = False
        return message

    def handle_pong(self, event: Frame) -> None:
        if not (self._lag_meter and self._lag_meter.end(bytes(event.data))):
            super().handle_pong(event)

    async def run_asgi(self) -> None:
        self._lag_meter = PingMeter(self._write, self.loop.time)
        extensions: dict[str, Any] = {
            **(self.scope["extensions"] or {}),
            ABORT: partial(abort, self.transport),
            WRITE: self._write,
            TAKE: self._deliver_to,
            LAG: self._lag_meter,
        }
        self.scope["extensions"] = extensions
        await super().run_asgi()

    def _write(self, frame: bytes) -> bool:
        """Write a frame at once. False if it has to wait, or if the connection ends: ``send`` does the rest."""
        if self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def keepalive_timeout(self) -> None:
        """A client that does not answer has gone: a close frame would wait until the system gives up."""
        abort(self.transport)


class PingMeter:
    """Measures round trips by pings of its own. Browsers answer them by themselves: no script can delay the pong."""

    def __init__(self, write: Callable[[bytes], bool], now: Callable[[], float]) -> None:
        self._write, self._now = write, now
        self._payload = b""  # of the ping that is waited for; unguessable, so that no pong comes before it
        self._sent_at = 0.0
        self.milliseconds = 0

    def begin(self) -> None:
        self.milliseconds = 0
        self._payload, self._sent_at = secrets.token_bytes(8), self._now()
        if not self._write(PING_HEAD + self._payload):
            self._payload = b""  # the connection is behind anyhow

    def end(self, payload: bytes) -> bool:
        """True if a pong is the one that is waited for."""
        if not self._payload or payload != self._payload:
            return False
        self._payload = b""
        self.milliseconds = round((self._now() - self._sent_at) * 1000)
        return True


def _text_message(data: bytes) -> str | None:
    """The text of a frame that is a whole message, if these bytes are one frame and that is what it is."""
    if len(data) < 6 or data[0] != TEXT or not data[1] & MASKED:
        return None
    size, head = data[1] ^ MASKED, 6
    if size == LONG:
        size, head = int.from_bytes(data[2:4], "big"), 8
    if len(data) != head + size or size >= 1 << 16:
        return None
    try:
        return apply_mask(data[head:], data[head - 4 : head]).decode()
    except UnicodeDecodeError:  # the parser refuses it
        return None
