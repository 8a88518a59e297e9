"""The socket of a match: hello, welcome with what there is, then everything that happens."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.server.hosting.model import Viewer
from ninefold.server.http import requests
from ninefold.server.http.actions import act
from ninefold.server.http.config import Bounds
from ninefold.server.http.errors import document, invalid, status_of
from ninefold.server.http.logs import say_error
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import Gate, address_of
from ninefold.server.http.sender import Line, Slow
from ninefold.server.storage.pubsub import Subscription
from ninefold.server.storage.service import Service, View

NORMAL, POLICY, BROKEN, RESTART, LATER = 1000, 1008, 1011, 1012, 1013
RETRY_MS = 500
_MODELS: dict[object, type[requests.HelloIn | requests.SocketActIn | requests.PingIn]] = {
    "hello": requests.HelloIn,
    "act": requests.SocketActIn,
    "ping": requests.PingIn,
}


class Over(Exception):
    """The talk is over, for a reason that has a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Sockets:
    """The sockets that are open in this process."""

    def __init__(self, service: Service, gate: Gate, metrics: Metrics, bounds: Bounds) -> None:
        self.service, self.gate, self.metrics, self.bounds = service, gate, metrics, bounds
        self.stopping = asyncio.Event()
        self._talks: set[asyncio.Future[None]] = set()

    async def serve(self, websocket: WebSocket, match: str) -> None:
        await websocket.accept()
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._talks.add(ended)
        self.metrics.sockets += 1
        try:
            await Talk(self, websocket, match).run()
        finally:
            self.metrics.sockets -= 1
            self._talks.discard(ended)
            ended.cancel()

    async def stop(self, seconds: float = 3.0) -> None:
        """Tell everybody to come back, and wait until they have been told."""
        self.stopping.set()
        if self._talks:
            await asyncio.wait(self._talks, timeout=seconds)


class Talk:
    """One socket. What it hears, what it follows, its beat and its farewell are tasks that end together."""

    def __init__(self, sockets: Sockets, websocket: WebSocket, match: str) -> None:
        self.all, self.match = sockets, match
        self.service, self.bounds = sockets.service, sockets.bounds
        self.line = Line(websocket, sockets.bounds.send_seconds)
        self.address = address_of(websocket.scope)
        self.token: str | None = None
        self.reader = Viewer()
        self.attendance = contextlib.ExitStack()
        self.cursor = -1  # the index of the last event that was sent
        self.shown: object = None  # what a reader could tell apart in the view that was sent
        self.presence: dict[str, Any] = {}
        self.bad = 0  # messages in a row
        self._acting = asyncio.Lock()  # an action that has begun is answered before the farewell

    async def run(self) -> None:
        subscription = self.service.subscribe(self.match)  # first, so that nothing falls between it and the welcome
        code = NORMAL
        try:
            await _first_of(self._talk(subscription), self._farewell())
        except Over as over:
            code = over.code
        except Refusal as refusal:
            code = await self._turn_away(refusal)
        except WebSocketDisconnect:
            return
        except Slow:
            self.line.cut()
            return
        except Exception as error:
            say_error("socket broken", error)
            code = BROKEN
        finally:
            subscription.close()
            self.attendance.close()
        await self.line.close(code)

    async def _talk(self, subscription: Subscription) -> None:
        await self._welcome(await self._hello())
        await _first_of(self._listen(), self._follow(subscription), self._beat())

    # Coming in

    async def _hello(self) -> requests.HelloIn:
        try:
            async with asyncio.timeout(self.bounds.hello_seconds):
                hello = self._read(await self.line.hear())
        except TimeoutError:
            raise NotAllowed("no_hello.late") from None
        if not isinstance(hello, requests.HelloIn):
            raise Unreadable("no_hello")
        return hello

    async def _welcome(self, hello: requests.HelloIn) -> None:
        self.token = hello.token
        view = await self._enter(await self.service.reader(self.match, hello.token))
        told: dict[str, Any] = {"type": "welcome", "role": self.reader.role, "seat": self.reader.seat}
        if hello.after is not None:
            told["events"] = view.events(hello.after)
        await self._tell_view(told, view)

    async def _enter(self, reader: Viewer) -> View:
        """Take a place among those who are there."""
        self.attendance.close()
        self.reader = reader
        self.attendance = self.service.arrived(self.match, reader)
        return await self.service.view(self.match)

    async def _turn_away(self, refusal: Refusal) -> int:
        with contextlib.suppress(Slow, WebSocketDisconnect):
            await self._refuse(None, refusal)
        return LATER if status_of(refusal) in (429, 503) else POLICY

    # Hearing

    async def _listen(self) -> None:
        while True:
            message = await self.line.hear()
            async with self._acting:
                await self._hear(message)

    async def _hear(self, message: str | bytes) -> None:
        request = None
        try:
            given = self._read(message)
            request = getattr(given, "request", None)
            if isinstance(given, requests.HelloIn):
                raise Unreadable("no_such_message.hello")
            self.all.gate.check(self.address, write=isinstance(given, requests.SocketActIn))
        except Refusal as refusal:
            await self._refuse(request or _request_in(message), refusal)
            self.bad += 1
            if self.bad >= self.bounds.bad_messages:
                raise Over(POLICY) from None
            return
        self.bad = 0
        await (self._act(given) if isinstance(given, requests.SocketActIn) else self.line.tell({"type": "pong"}))

    def _read(self, message: str | bytes) -> requests.HelloIn | requests.SocketActIn | requests.PingIn:
        if isinstance(message, bytes) or len(message.encode()) > self.bounds.message:
            raise Unreadable("not_json.message")
        value = requests.read_json(message.encode())
        kind = value.get("type") if isinstance(value, dict) else None
        model = _MODELS.get(kind) if isinstance(kind, str) else None
        if model is None:
            raise Unreadable("no_such_message", types=" ".join(map(str, _MODELS)))
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise invalid(error.errors(include_input=False, include_context=False)) from None

    async def _act(self, given: requests.SocketActIn) -> None:
        try:
            acted = await act(self.service, self.all.metrics, self.match, self.token, given)
        except Refusal as refusal:
            await self._refuse(given.request, refusal)
        else:
            await self.line.tell({"type": "answer", "request": given.request, **acted})

    # Telling

    async def _follow(self, subscription: Subscription) -> None:
        while True:
            await subscription.changed()
            try:
                await self._tell_changes()
            except Refusal as refusal:
                if status_of(refusal) != 503:
                    raise
                await asyncio.sleep(RETRY_MS / 1000)
                subscription.wake()

    async def _tell_changes(self) -> None:
        """A wake-up is a hint: everything is read again, and what is new is sent."""
        view = await self.service.view(self.match)
        if self.reader.seat is not None:
            await self._check_seat(view)
        if _shown(view) != self.shown:
            await self._tell_view({"type": "events", "events": view.events(self.cursor)}, view)
        if (presence := _presence(view)) != self.presence:
            self.presence = presence
            await self.line.tell({"type": "presence", **presence})

    async def _check_seat(self, view: View) -> None:
        """A seat can be carried to another device; here it is then watched only, unless the match is private."""
        try:
            view.hosted.viewer(self.token)
        except Refusal as refusal:
            if status_of(refusal) not in (401, 404):
                raise
            self.token = None
            await self.line.tell({"type": "moved"})
            if view.hosted.settings.private:
                raise Over(NORMAL) from None
            await self._enter(Viewer())

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.bounds.beat_seconds)
            await self.line.tell({"type": "beat", "now": self.service.now()})

    async def _farewell(self) -> None:
        await self.all.stopping.wait()
        async with self._acting:
            await self.line.tell({"type": "bye", "reason": "restart", "retry_ms": RETRY_MS})
        raise Over(RESTART)

    async def _refuse(self, request: str | None, refusal: Refusal) -> None:
        self.all.metrics.refused(refusal.reason)
        await self.line.tell({**document(refusal), "type": "refused", "request": request})

    async def _tell_view(self, told: dict[str, Any], view: View) -> None:
        self.cursor, self.shown = view.size - 1, _shown(view)
        await self.line.send(f'{json.dumps(told)[:-1]}, "view": {view.json.decode()}}}')


def _shown(view: View) -> object:
    """What makes a view worth sending again: not the time, and not the number of those who watch."""
    told = view.document
    return view.size, told["status"], told["rematch"], told["seats"]


def _presence(view: View) -> dict[str, Any]:
    seats = {str(seat["seat"]): seat["present"] for seat in view.document["seats"]}
    return {"seats": seats, "watching": view.document["watching"]}


def _request_in(message: str | bytes) -> str | None:
    """The request id of a message that is wrong in some other way, so that its sender knows which."""
    with contextlib.suppress(Refusal, ValidationError, AttributeError):
        value: Any = requests.read_json(message if isinstance(message, bytes) else message.encode())
        return requests.RequestIn(request=value.get("request")).request
    return None


async def _first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Until one of them ends; the others end with it."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
