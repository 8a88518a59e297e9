"""The WebSocket of a match: hello, welcome with the view, then every event. docs/protocol.md has the messages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from functools import partial
from typing import Any, NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.server.hosting.commands import Acknowledgement
from ninefold.server.hosting.errors import UNREADABLE
from ninefold.server.hosting.handlers import events_json
from ninefold.server.hosting.model import HostedMatch, Viewer
from ninefold.server.http.config import STOP_SECONDS, Limits
from ninefold.server.http.errors import problem_document, status_of
from ninefold.server.http.logs import log_error
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import RateLimiter, address_of
from ninefold.server.http.requests import ActBody, ActMessage, HelloMessage, parse_message, request_id_of
from ninefold.server.http.socket_sender import EncodedMessage, SlowClient, SocketSender
from ninefold.server.storage.config import REQUESTER
from ninefold.server.storage.pubsub import Change
from ninefold.server.storage.reader import MatchSnapshot
from ninefold.server.storage.service import Service
from ninefold.server.storage.writer import PendingResponse

NORMAL, POLICY, FAILED, RESTART, LATER = 1000, 1008, 1011, 1012, 1013
RETRY_MS = 500


class CloseSocket(Exception):
    """The socket is to be closed with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Sockets:
    """The open sockets of this process."""

    service: Service
    rate_limiter: RateLimiter
    metrics: Metrics
    limits: Limits

    def __init__(self, service: Service, rate_limiter: RateLimiter, metrics: Metrics, limits: Limits) -> None:
        self.service, self.rate_limiter, self.metrics, self.limits = service, rate_limiter, metrics, limits
        self.stopping: asyncio.Event = asyncio.Event()
        self._open: set[asyncio.Future[None]] = set()

    async def serve(self, websocket: WebSocket, match: str) -> None:
        await websocket.accept()
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open.add(closed)
        self.metrics.sockets.inc()
        try:
            await MatchSocket(self, websocket, match).run()
        finally:
            self.metrics.sockets.dec()
            self._open.discard(closed)
            closed.cancel()

    async def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Send all clients the message that the server restarts, and wait until it is sent."""
        self.stopping.set()
        if self._open:
            await asyncio.wait(self._open, timeout=seconds)


class PendingAction(NamedTuple):
    """An action that was taken at once, and the response of the writer to it."""

    request: str
    began: float
    response: PendingResponse


class MatchSocket:
    """One socket. Receiving, following the match, heartbeat and the last message are tasks that end together.

    Most actions wake none of them: they are taken from the connection, and answered when they are committed.
    """

    sockets: Sockets
    match: str
    service: Service
    limits: Limits

    def __init__(self, sockets: Sockets, websocket: WebSocket, match: str) -> None:
        self.sockets, self.match = sockets, match
        self.service, self.limits = sockets.service, sockets.limits
        self.sender: SocketSender = SocketSender(websocket, sockets.limits.send_seconds)
        self.address: str = address_of(websocket.scope)
        self.token: str | None = None
        self.viewer: Viewer = Viewer()
        self.presence: contextlib.ExitStack[bool | None] = contextlib.ExitStack()
        self.views: bool = False  # True if the client wants the view with every event
        self.has_clock: bool = False
        self.cursor: int = -1  # the index of the last event that was sent
        self.revision: int = -1  # of the match, when something was sent last
        self.sent_view: object = None  # what readers can tell apart of the last view that was sent
        self.sent_presence: object = None  # and of the last presence
        self.checked_holders: object = None  # among which the seat of this socket was found last
        self.bad_messages: int = 0  # in a row
        self._idle = asyncio.Event()  # cleared while an action waits for its answer: there is one at a time
        self._idle.set()
        self._waiting = 0  # tasks that are next, or act themselves: nothing is taken at once then
        self._pending: PendingAction | None = None
        self._is_following = False  # True while ``_follow`` reads the match, or waits for the client
        # Before the view is read, so that no event is missed.
        self.subscription = self.service.subscribe(self.match, self._send_changes_now)

    async def run(self) -> None:
        code = NORMAL
        try:
            await _first_of(self._serve(), self._send_goodbye())
        except CloseSocket as close:
            code = close.code
        except Refusal as refusal:
            code = await self._reject(refusal)
        except WebSocketDisconnect:
            return
        except SlowClient:
            self.sender.abort()
            return
        except Exception as error:
            log_error("socket failed", error)
            code = FAILED
        finally:
            self.subscription.close()
            self.presence.close()
        await self.sender.close(code)

    async def _serve(self) -> None:
        await self._welcome(await self._hello())
        self.sender.take_with(self._act_now)
        await _first_of(self._receive(), self._follow(), self._beat())

    # The first messages

    async def _hello(self) -> HelloMessage:
        try:
            async with asyncio.timeout(self.limits.hello_seconds):
                hello = parse_message(await self.sender.receive(), self.limits.message)
        except TimeoutError:
            raise NotAllowed("no_hello.late") from None
        if not isinstance(hello, HelloMessage):
            raise Unreadable("no_hello")
        return hello

    async def _welcome(self, hello: HelloMessage) -> None:
        self.token, self.views = hello.token, hello.view
        viewer = await self.service.viewer(self.match, hello.token)
        if hello.arrive and viewer.seat is not None:
            await self._arrive(viewer.seat)
        snapshot = await self._enter(viewer)
        message: dict[str, Any] = {"type": "welcome", "role": self.viewer.role, "seat": self.viewer.seat}
        if hello.after is not None:
            message["events"] = snapshot.events(hello.after)
        self._note_sent(snapshot, self._comparable(snapshot))
        await self.sender.send_text(f'{json.dumps(message)[:-1]}, "view": {snapshot.json.decode()}}}')

    async def _arrive(self, seat: int) -> None:
        """Take the seat if it is reserved in a rematch: whoever comes with its token accepts the rematch. Players whom
        a ban or a block keeps from it may still watch."""
        hosted = (await self.service.view(self.match)).hosted
        if not hosted.seat_holder(seat).is_reserved or hosted.match.result:
            return
        try:
            await self.service.arrive(self.match, self.token)
        except Refusal as refusal:
            if refusal.reason not in ("banned", "blocked"):
                raise

    async def _enter(self, viewer: Viewer) -> MatchSnapshot:
        """Count this socket as one of a seat or of a spectator, and return the match as it is now."""
        self.presence.close()
        self.viewer = viewer
        self.presence = self.service.connect(self.match, viewer)
        return await self.service.view(self.match)

    async def _reject(self, refusal: Refusal) -> int:
        with contextlib.suppress(SlowClient, WebSocketDisconnect):
            await self._refuse(None, refusal)
        return LATER if status_of(refusal) in (429, 503) else POLICY

    # From the client

    def _act_now(self, text: str) -> bool:
        """Take a message if it is an action that can be begun at once. False if ``_receive`` is to handle it."""
        if self._waiting or not self._idle.is_set():
            return False
        try:
            message = parse_message(text, self.limits.message)
            if not isinstance(message, ActMessage):
                return False
            self.sockets.rate_limiter.check(self.address, write=True)
            command = message.command(self.match, self.token, self.address, self._lag)
            response = self.service.begin(command, self._answer_now)
        except Refusal:  # which ``_receive`` will come to as well: nothing has been counted yet
            return False
        self.bad_messages = 0
        self._idle.clear()
        self._pending = PendingAction(message.request, time.monotonic(), response)
        return True

    def _answer_now(self, response: PendingResponse) -> None:
        """Answer an action that was taken at once. What has to wait, and a refusal, is left to ``_follow``."""
        pending = self._pending
        if pending is None:
            return  # the socket is closed
        self.sockets.metrics.observe_action(time.monotonic() - pending.began)
        if response.error is None:
            self.service.note_actor(self.match, self.address)
            if self.sender.send_now(self._answer(pending.request, response.result())):
                self._end_action()
                return
        self.subscription.wake_later(Change())

    async def _answer_later(self, request: str, response: PendingResponse) -> None:
        try:
            acted: Acknowledgement = response.result()
        except Refusal as refusal:
            await self.service.explain(refusal, self.match)
            # The frames of its traceback refer to the response, which holds it: only a full collection would free them.
            await self._refuse(request, refusal.with_traceback(None))
        else:
            await self.sender.send_encoded(self._answer(request, acted))
        self._end_action()

    def _end_action(self) -> None:
        self._pending = None
        self._idle.set()

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for the action that has begun, and let no other begin."""
        self._waiting += 1
        try:
            while not self._idle.is_set():
                await self._idle.wait()
            self._idle.clear()
            try:
                yield
            finally:
                self._idle.set()
        finally:
            self._waiting -= 1

    async def _receive(self) -> None:
        while True:
            message = await self.sender.receive()
            async with self._turn():
                await self._handle(message)

    async def _handle(self, message: str | bytes) -> None:
        request = None
        try:
            parsed = parse_message(message, self.limits.message)
            request = getattr(parsed, "request", None)
            if isinstance(parsed, HelloMessage):
                raise Unreadable("no_such_message.hello")
            self.sockets.rate_limiter.check(self.address, write=isinstance(parsed, ActMessage))
        except Refusal as refusal:
            await self._note(refusal)
            await self._refuse(request or request_id_of(message), refusal)
            self.bad_messages += 1
            if self.bad_messages >= self.limits.bad_messages:
                raise CloseSocket(POLICY) from None
            return
        self.bad_messages = 0
        await (self._act(parsed) if isinstance(parsed, ActMessage) else self.sender.send({"type": "pong"}))

    async def _note(self, refusal: Refusal) -> None:
        """Record an unreadable message of a seat in the audit; it counts as a write."""
        if isinstance(refusal, Unreadable) and self.viewer.seat is not None:
            with contextlib.suppress(Refusal):
                self.sockets.rate_limiter.check(self.address, write=True)
                await self.service.note(self.match, self.token, UNREADABLE, refusal.reason)

    async def _act(self, message: ActMessage) -> None:
        try:
            acted = await act(
                self.service, self.sockets.metrics, self.match, self.token, message, lag=self._lag, connected=True
            )
        except Refusal as refusal:
            await self._refuse(message.request, refusal)
            return
        await self.sender.send_encoded(self._answer(message.request, acted))

    @property
    def _lag(self) -> int:
        """What the network took of this move's time, as far as it was measured."""
        return self.sender.lag if self.has_clock else 0

    def _answer(self, request: str, acted: Acknowledgement) -> EncodedMessage:
        if not self.views and not self.has_clock and acted.new and acted.new[0] == self.cursor + 1:
            self.cursor = acted.new[-1]  # the answer has the events: one frame in, one frame out
        return EncodedMessage.of(f'{{"type": "answer", "request": "{request}", {acted.json[1:]}')

    # To the client

    async def _follow(self) -> None:
        while True:
            change = await self.subscription.changed()
            self._is_following = True
            if self._pending and self._pending.response.is_done:
                await self._answer_later(self._pending.request, self._pending.response)
            try:
                await self._send_changes(change)
            except Refusal as refusal:
                if status_of(refusal) != 503:
                    raise
                await asyncio.sleep(RETRY_MS / 1000)
                self.subscription.wake_later(change)
            self._is_following = False

    # A change is a hint: the match is read again, and what is new is sent. All who follow the match share what is read
    # and encoded. Mostly that is done at once, for all of them in one go; a client that is behind is waited for.

    def _send_changes_now(self, change: Change) -> bool:
        """True if the client has been sent everything; False if ``_send_changes`` has to do it."""
        if self.sent_view is None:  # it has not been welcomed yet
            return False
        if change.only_log and change.hosted and self._is_next_in_log(change.hosted):
            return self._send_log_now(change, change.hosted)
        snapshot = change.snapshot_now(partial(self.service.view_now, self.match, change.hosted))
        if snapshot is None or self._must_check_seat(snapshot):
            return False
        return all(map(self.sender.send_now, self._news(change, snapshot)))

    def _is_next_in_log(self, hosted: HostedMatch) -> bool:
        """True if events are all that the client does not know yet of a match of which only the log has changed. While
        it is sent something else that was read before, it may not know more than that."""
        is_seat_checked = self.viewer.seat is None or hosted.seat_holders is self.checked_holders
        is_next = hosted.revision == self.revision + 1 and not self._is_following
        return is_next and is_seat_checked and not self.views and hosted.clock is None

    def _send_log_now(self, change: Change, hosted: HostedMatch) -> bool:
        """Send the new events alone. False if the client has to be waited for."""
        after, last = self.cursor, len(hosted.match.events) - 1
        if last > after:  # else the answer to its own action had the events
            # Not under the key of ``_news``: its snapshot may be of a later revision.
            message = change.shared(("log", after), lambda: _encode_events(events_json(hosted.match, after + 1)))
            if not self.sender.send_now(message):
                return False
            self.cursor = last
        self.revision = hosted.revision
        return True

    async def _send_changes(self, change: Change) -> None:
        snapshot = await change.snapshot(partial(self.service.view, self.match))
        if self._must_check_seat(snapshot):
            await self._check_seat(snapshot)
            self.checked_holders = snapshot.hosted.seat_holders
        for message in self._news(change, snapshot):
            await self.sender.send_encoded(message)

    def _news(self, change: Change, snapshot: MatchSnapshot) -> Iterator[EncodedMessage]:
        """What the client does not know yet. It counts as sent when the next one is asked for."""
        if snapshot.hosted.revision < self.revision:
            return  # somebody has read it before the latest change, which follows
        comparable = change.shared(("comparable", self.views), lambda: self._comparable(snapshot))
        is_other = comparable != self.sent_view
        if is_other or snapshot.size - 1 > self.cursor:
            after, with_view = self.cursor, self.views or is_other
            yield change.shared((after, with_view), lambda: _events_message(snapshot, after, with_view))
            self._note_sent(snapshot, comparable)
        presence = snapshot.presence.present, snapshot.presence.watching
        if presence != self.sent_presence:
            yield change.shared("presence", lambda: _presence_message(snapshot))
            self.sent_presence = presence

    def _must_check_seat(self, snapshot: MatchSnapshot) -> bool:
        return self.viewer.seat is not None and snapshot.hosted.seat_holders is not self.checked_holders

    def _note_sent(self, snapshot: MatchSnapshot, comparable: object) -> None:
        self.cursor, self.revision = max(self.cursor, snapshot.size - 1), snapshot.hosted.revision
        self.sent_view, self.has_clock = comparable, snapshot.hosted.clock is not None
        if self.has_clock and self.viewer.seat is not None and snapshot.hosted.match.to_act == self.viewer.seat:
            self.sender.measure_lag()

    def _comparable(self, snapshot: MatchSnapshot) -> object:
        """The parts of a view that are sent again when they change: the time and the number of spectators are not. A
        client without views gets one when something has changed that is not in the log."""
        hosted = snapshot.hosted
        known = hosted.rematch, hosted.match.setup.seats, [holder.holder for holder in hosted.seat_holders]
        return (*known, snapshot.size, hosted.status, snapshot.presence.present) if self.views else known

    async def _check_seat(self, snapshot: MatchSnapshot) -> None:
        """A seat that was handed over to another device is watched only here, or closed if the match is private."""
        try:
            snapshot.hosted.viewer(self.token)
        except Refusal as refusal:
            if refusal.reason not in ("bad_token", "no_such_match"):
                raise
            self.token = None
            await self.sender.send({"type": "moved"})
            if snapshot.hosted.settings.private:
                raise CloseSocket(NORMAL) from None
            await self._enter(Viewer())

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.limits.beat_seconds)
            await self.sender.send({"type": "beat", "now": self.service.now()})

    async def _send_goodbye(self) -> None:
        await self.sockets.stopping.wait()
        async with self._turn():
            await self.sender.send({"type": "bye", "reason": "restart", "retry_ms": RETRY_MS})
        raise CloseSocket(RESTART)

    async def _refuse(self, request: str | None, refusal: Refusal) -> None:
        self.sockets.metrics.count_refusal(refusal.reason)
        await self.sender.send({**problem_document(refusal), "type": "refused", "request": request})


async def act(
    service: Service,
    metrics: Metrics,
    match: str,
    token: str | None,
    body: ActBody,
    *,
    lag: int = 0,
    connected: bool = False,
) -> Acknowledgement:
    """An action, through a request or through a socket, whose round trip is measured."""
    began = time.monotonic()
    try:
        return await service.acknowledge(body.command(match, token, REQUESTER.get(), lag), connected=connected)
    finally:
        metrics.observe_action(time.monotonic() - began)


def _events_message(snapshot: MatchSnapshot, after: int, with_view: bool) -> EncodedMessage:
    """The events after an index, with the view or, without it, with the clocks if there are any."""
    events = events_json(snapshot.hosted.match, after + 1)
    if with_view:
        return _encode_events(events, f', "view": {snapshot.json.decode()}')
    return _encode_events(events, f', "clock": {json.dumps(snapshot.clock)}' if snapshot.hosted.clock else "")


def _encode_events(events: str, more: str = "") -> EncodedMessage:
    return EncodedMessage.of(f'{{"type": "events", "events": {events}{more}}}')


def _presence_message(snapshot: MatchSnapshot) -> EncodedMessage:
    seats = {str(seat["seat"]): seat["present"] for seat in snapshot.seats}
    return EncodedMessage.of(json.dumps({"type": "presence", "seats": seats, "watching": snapshot.presence.watching}))


async def _first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Run coroutines until one of them ends; the others are cancelled."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    try:
        while done:
            done.pop().result()
    finally:
        tasks.clear()  # they hold the error, whose traceback holds this frame: only a full collection would free them
