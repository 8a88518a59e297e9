"""Draining: a server that is about to be replaced closes each connection after its next response, not before it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 3.0  # in which a client has to send a request through a connection that it keeps open


class Draining:
    """An ASGI app around another one: from ``begin`` on every response is the last of its connection."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._until: float | None = None

    def begin(self) -> None:
        self._until = self._until or time.monotonic() + SECONDS

    @property
    def has_begun(self) -> bool:
        return self._until is not None

    @property
    def is_late(self) -> bool:
        """True if clients have had the time to send one more request."""
        return self._until is not None and time.monotonic() > self._until

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._until is None or scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_the_last(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        await self.app(scope, receive, send_the_last)
