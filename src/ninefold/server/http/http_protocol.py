"""The connections of HTTP: uvicorn's protocol with limits on the time, the size and the rate of what clients send.

It overrides methods of uvicorn, so pyproject.toml bounds its version. What has come is given to uvicorn's parser in
small parts, so that a limit is noticed before much has been parsed.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sized
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.server.http.config import KIB
from ninefold.server.http.errors import problem_response
from ninefold.server.http.middleware import HEADERS
from ninefold.server.http.transport_limits import PART, SEND_BUFFER, TransportLimits, abort

# Between a response and the next request of its connection, if that came before the response: nobody else waits for it.
PIPELINE_SECONDS = 0.02
# After a refusal the client is read on for a while: else the system would tell it of a reset, and not of the refusal.
LINGER_SECONDS = 2.0
LINGER_BYTES = 128 * KIB


class HttpProtocol(HttpToolsProtocol):
    """Limits the connections, the size of a head, the time for it to arrive, and the time for a response to be read."""

    shared: TransportLimits

    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None
    _next_timer: asyncio.TimerHandle | None = None  # of a request that came before the last one was answered
    _is_pipelined = False  # True while such a request is started
    _current_cycle: RequestResponseCycle | None = None
    _unread = memoryview(b"")  # has come, and waits for requests before it
    _in_head = True  # until the headers of a request are complete
    _head = 0  # bytes of a head, as far as it has come
    _framing = 0  # bytes behind a head that are no body: sizes of chunks, their extensions, trailers
    _fault: Refusal | None = None  # why the parser was stopped
    _is_counted = False
    _is_refused = False
    _discarded = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.limits = self.shared.limits
        self.transport, self.client = transport, get_remote_addr(transport)
        try:
            self.shared.connect(self._host)
        except Refusal as refusal:
            self._turn_away(refusal)
            return
        self._is_counted = True
        super().connection_made(transport)
        self.flow = _HeldFlow(transport, self.pipeline, self._read_on)
        if connection := transport.get_extra_info("socket"):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._await_head()

    def _turn_away(self, refusal: Refusal) -> None:
        """Close a connection that is one too many, with as little work as possible."""
        self._is_refused = True
        if self.shared.may_explain(self._host):
            self.shared.report(refusal, self._host)
            self.transport.write(_response(refusal))
            self.transport.close()
        else:
            self.transport.abort()

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            self._discard(len(data))
            return
        self._unread = memoryview(bytes(self._unread) + data) if self._unread else memoryview(data)
        self._parse()

    def _parse(self) -> None:
        """Parse what has come, as far as no earlier request has to be answered first."""
        while self._unread and not self.flow.read_paused:
            part, self._unread = self._unread[:PART], self._unread[PART:]
            super().data_received(bytes(part))
            if self._is_refused or self.transport.is_closing() or self.transport.get_protocol() is not self:
                self._unread = memoryview(b"")
                return
            self._count(len(part))
        answered = self.cycle is None or self.cycle.response_complete
        if answered and self._head_timer is None and not self._is_refused:
            self._await_head()  # these bytes have to become a request

    def _count(self, size: int) -> None:
        """Refuse a head or the framing of a body that is too large."""
        if self._in_head:
            self._head += size
        else:
            self._framing += size
        if self._head > self.limits.head:
            self._refuse(self._head_too_large())
        elif self._framing > self.limits.head:
            self._refuse(Unreadable("too_large.chunks"))

    def _head_too_large(self) -> Refusal:
        return Unreadable("head_too_large", most=self.limits.head // KIB, headers=self.limits.headers)

    def _read_on(self) -> None:
        """An earlier request is answered, or its body is taken."""
        if self._unread and self._current_cycle and self._current_cycle.response_complete:
            self._next_timer = self.loop.call_later(PIPELINE_SECONDS, self._parse_rest)
        elif self._unread:
            self.loop.call_soon(self._parse_rest)
        else:
            self.transport.resume_reading()

    def _parse_rest(self) -> None:
        if self._is_refused or self.transport.is_closing():
            return
        self._parse()
        if not (self._unread or self.flow.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    # Called by the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head_timer is None:
            self._await_head()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.limits.url:
            self._stop_parser(Unreadable("url_too_long", most=self.limits.url // KIB))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > self.limits.headers:
            self._stop_parser(self._head_too_large())

    def _stop_parser(self, fault: Refusal) -> None:
        """Let uvicorn call ``send_400_response``."""
        self._fault = fault
        raise fault

    def on_headers_complete(self) -> None:
        self._cancel_head_timer()
        self._in_head, self._head = False, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self.cycle and not self.cycle.response_complete:  # else nobody wants it
            self._framing -= len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head, self._framing = True, 0

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's text
        self._refuse(self._fault or NotAllowed("bad_request"))

    # Responses

    def on_response_complete(self) -> None:
        self._is_pipelined = bool(self.pipeline)
        super().on_response_complete()
        self._is_pipelined = False
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
        if not self._is_counted:  # it was turned away
            return
        self.shared.disconnect(self._host)
        self._cancel_head_timer()
        self._cancel_read_timer()
        if self._next_timer:
            self._next_timer.cancel()
        self._unread = memoryview(b"")
        if self._current_cycle:
            self._current_cycle.disconnected = True  # uvicorn only marks the latest request
        super().connection_lost(exc)
        self._forget()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self._forget()

    def _forget(self) -> None:
        """Drop what refers to this object, so that it is freed at once and not by a full garbage collection."""
        if isinstance(self.flow, _HeldFlow):
            self.flow.forget()
        self.parser = None  # type: ignore[assignment]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._current_cycle = cycle
        start = super()._start_asgi_task
        if self._is_pipelined:
            self._next_timer = self.loop.call_later(PIPELINE_SECONDS, start, cycle, app)
        else:
            start(cycle, app)

    # Refusals

    def _refuse(self, refusal: Refusal) -> None:
        """Refuse what cannot be given to the app, and close the connection."""
        self._is_refused = True
        self._unread = memoryview(b"")
        self._cancel_head_timer()
        self.shared.report(refusal, self._host)
        self.shared.punish(self._host)
        cycle = self._current_cycle
        if cycle and not cycle.response_complete:
            if self._in_head or cycle.response_started:  # the connection is closed behind that response
                cycle.keep_alive = False
                self.pipeline.clear()
                return
            cycle.disconnected = True  # the app waits for the body
            cycle.message_event.set()
        if self._in_head or (cycle and not cycle.response_complete):
            self.transport.write(_response(refusal))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._head_timer = self.loop.call_later(LINGER_SECONDS, abort, self.transport)

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._discarded > LINGER_BYTES:
            abort(self.transport)

    # Time limits

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self._end_head)

    def _end_head(self) -> None:
        """The time for a head is over."""
        if self._in_head and self._head:
            self._refuse(NotAllowed("too_slow"))
        else:
            self._hang_up()

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


class _HeldFlow(FlowControl):
    """Reads on only when no request waits for one before it, and when what has already come is parsed."""

    def __init__(self, transport: asyncio.Transport, waiting: Sized, read_on: Callable[[], None]) -> None:
        super().__init__(transport)
        self._waiting, self._read_on = waiting, read_on

    def resume_reading(self) -> None:
        if self.read_paused and not self._waiting:
            self.read_paused = False
            self._read_on()

    def forget(self) -> None:
        self._read_on = lambda: None


def _response(refusal: Refusal) -> bytes:
    """A whole response, for a request that the app does not see."""
    response = problem_response(refusal)
    headers = {**HEADERS, **dict(response.raw_headers), b"connection": b"close"}
    lines = [b"%s: %s\r\n" % header for header in headers.items()]
    return b"".join([STATUS_LINE[response.status_code], *lines, b"\r\n", bytes(response.body)])
