"""The outermost layer of the app: what every answer carries, and what is written down about each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ninefold.server.hosting.errors import unexpected
from ninefold.server.http import errors
from ninefold.server.http.logs import say, say_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from ninefold.server.http.metrics import Metrics

UNMATCHED = "unmatched"
HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"frame-ancestors 'none'; form-action 'self'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


def template(scope: Scope) -> str:
    """The path of the route that answered, with names for what varies: an id is nobody's business."""
    return str(getattr(scope.get("route"), "path", UNMATCHED))


class Watch:
    """Outermost: one log line and one count a request, and an answer when something breaks."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_headers(send)
        began, status = time.monotonic(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            socket = {"websocket.accept": 101, "websocket.close": status or 403}  # closed before it was accepted
            status = message["status"] if "status" in message else socket.get(message["type"], status)
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            say_error("broken", error, route=template(scope))
            if not status:
                await errors.answer(unexpected(), scope, receive, watched)
        finally:
            self._tell(scope, status, time.monotonic() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope.get("method", "SOCKET"), template(scope)
        self.metrics.request(method, route, status)
        facts = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        if reason := scope.get("reason"):
            self.metrics.refused(reason)
            facts["reason"] = reason
        say("request", **facts, address=scope["client"][0] if scope.get("client") else "")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name, value) for name, value in HEADERS.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending
