"""Updates: who wants to hear of which match. Current clients listen; those of the previous protocol subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp.server import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ServerEvent
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from ninefold.agents.backend import Key, Table
from ninefold.agents.resources import addresses, match_of
from ninefold.core.errors import Refusal

if TYPE_CHECKING:
    from mcp.server.connection import Connection

PATIENCE = 10.0  # seconds
MOST_EACH = 64  # matches that one client hears of
Context = ServerRequestContext[Any, Any]


class Follower(NamedTuple):
    """Goes after one match; ``ready`` when it would notice the next change."""

    task: asyncio.Task[None]
    ready: asyncio.Event


class Updates:
    """A match is followed, once, for as long as somebody wants to hear of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.bus = InMemorySubscriptionBus()
        self._handler = ListenHandler(self.bus)
        self._wanted: Counter[str] = Counter()
        self._followers: dict[str, Follower] = {}

    async def listen(self, ctx: Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        matches = _matches(params.notifications.resource_subscriptions or ())
        try:
            for match in matches:
                self.hold(match)
            await self.ready(matches)
            return await self._handler(ctx, params)
        finally:
            for match in matches:
                self.release(match)

    def close(self) -> None:
        """Tell those who listen that it is over; they come again."""
        self._handler.close()

    async def subscribe(self, ctx: Context, params: SubscribeRequestParams) -> EmptyResult:
        # The SDK hands out no other way to what belongs to a connection and ends with it.
        connection = ctx.session._connection
        mail = connection.state.get(Mail.__name__)
        if mail is None:
            mail = connection.state[Mail.__name__] = Mail(connection, self)
            connection.exit_stack.push_async_callback(mail.close)
        await mail.add(str(params.uri))
        return EmptyResult()

    async def unsubscribe(self, ctx: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        if mail := ctx.session._connection.state.get(Mail.__name__):
            mail.remove(str(params.uri))
        return EmptyResult()

    def hold(self, match: str) -> None:
        self._wanted[match] += 1
        if self._wanted[match] == 1:
            ready = asyncio.Event()
            self._followers[match] = Follower(asyncio.create_task(self._follow(match, ready)), ready)

    async def ready(self, matches: Iterable[str]) -> None:
        """Only then is a subscription acknowledged: what comes after that is told."""
        try:
            async with asyncio.timeout(PATIENCE):
                for match in matches:
                    await self._followers[match].ready.wait()
        except TimeoutError:
            raise MCPError(INTERNAL_ERROR, "The matches cannot be reached just now.") from None

    def release(self, match: str) -> None:
        self._wanted[match] -= 1
        if not self._wanted[match]:
            del self._wanted[match]
            self._followers.pop(match).task.cancel()

    async def _follow(self, match: str, ready: asyncio.Event) -> None:
        """Nothing is told of a match that may not be read: an id alone opens no private one."""
        size = None
        try:
            async with contextlib.aclosing(self.table.follow(Key(match))) as views:
                async for view in views:
                    if size is not None:
                        await self._tell(match, new_events=view["size"] != size)
                    size = view["size"]
                    ready.set()
        except Refusal:
            pass
        finally:
            ready.set()

    async def _tell(self, match: str, *, new_events: bool) -> None:
        board, log = addresses(match)
        for uri in (board, log) if new_events else (board,):
            await self.bus.publish(ResourceUpdated(uri))


def _matches(uris: Iterable[str]) -> set[str]:
    matches = {match for uri in uris if (match := match_of(str(uri)))}
    if len(matches) > MOST_EACH:
        raise MCPError(INVALID_PARAMS, f"One client hears of at most {MOST_EACH} matches.")
    return matches


class Mail:
    """What one client of the previous protocol has subscribed to. It is told one thing after the other."""

    def __init__(self, connection: Connection, updates: Updates) -> None:
        self.connection, self.updates = connection, updates
        self.uris: set[str] = set()
        self._pending: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._leave = updates.bus.subscribe(self._hear)
        self._sender = asyncio.create_task(self._send())

    async def add(self, uri: str) -> None:
        match = match_of(uri)
        if match is None:
            return
        _matches({*self.uris, uri})
        if uri not in self.uris:
            self.uris.add(uri)
            self.updates.hold(match)
        await self.updates.ready([match])

    def remove(self, uri: str) -> None:
        if uri in self.uris:
            self.uris.discard(uri)
            self.updates.release(match_of(uri) or "")

    async def close(self) -> None:
        self._leave()
        self._sender.cancel()
        for uri in list(self.uris):
            self.remove(uri)

    def _hear(self, event: ServerEvent) -> None:
        if isinstance(event, ResourceUpdated) and event.uri in self.uris:
            self._pending[event.uri] = None
            self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                uri = next(iter(self._pending))
                del self._pending[uri]
                await self.connection.send_resource_updated(uri)
