"""One end of a socket: messages go out with patience for the other end, and not with more than that."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

GONE = 1006
ABORT = "ninefold.abort"  # where the server lets a connection be cut


class Slow(Exception):
    """The other end does not read what it is sent."""


class Line:
    def __init__(self, websocket: WebSocket, seconds: float) -> None:
        self.websocket, self.seconds = websocket, seconds
        self._sending = asyncio.Lock()

    async def hear(self) -> str | bytes:
        message = await self.websocket.receive()
        if message["type"] != "websocket.receive":
            raise WebSocketDisconnect(message.get("code", GONE))
        text: str | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")

    async def tell(self, message: dict[str, Any]) -> None:
        await self.send(json.dumps(message))

    async def send(self, text: str) -> None:
        try:
            async with asyncio.timeout(self.seconds), self._sending:
                await self.websocket.send_text(text)
        except TimeoutError:
            raise Slow from None
        except RuntimeError:  # the server has closed it by itself: a frame was too large, or no frame at all
            raise WebSocketDisconnect(GONE) from None

    async def close(self, code: int) -> None:
        try:
            async with asyncio.timeout(1.0):
                await self.websocket.close(code)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            self.cut()

    def cut(self) -> None:
        """What waits to be sent to somebody who does not read would wait for ever."""
        if abort := self.websocket.scope.get("extensions", {}).get(ABORT):
            abort()
