"""Subscriptions: who is notified of changes in which match. Current clients listen; older ones subscribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

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

from ninefold.agents.backend import Backend, SeatKey
from ninefold.agents.prompts import Context
from ninefold.agents.resources import addresses, match_of
from ninefold.core.errors import Refusal
from ninefold.core.messages import text

if TYPE_CHECKING:
    from mcp.server.connection import Connection

READY_S = 10.0  # how long a subscription may take
MOST_MATCHES = 64  # per client


class Follower(NamedTuple):
    """A task that follows one match; ``ready`` is set when it would not miss the next change."""

    task: asyncio.Task[None]
    ready: asyncio.Event


class Subscriptions:
    """Follows each match once, for as long as a client is subscribed to it."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.bus: InMemorySubscriptionBus = InMemorySubscriptionBus()
        self._handler = ListenHandler(self.bus)
        self._subscribers: Counter[str] = Counter()
        self._followers: dict[str, Follower] = {}

    async def listen(self, ctx: Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        matches = _matches(params.notifications.resource_subscriptions or ())
        try:
            for match in matches:
                self.acquire(match)
            await self.ready(matches)
            return await self._handler(ctx, params)
        finally:
            for match in matches:
                self.release(match)

    def close(self) -> None:
        """End all streams properly, so that clients connect again."""
        self._handler.close()

    async def subscribe(self, ctx: Context, params: SubscribeRequestParams) -> EmptyResult:
        # The SDK has no public way to state that belongs to a connection and ends with it.
        connection = ctx.session._connection
        notifier = connection.state.get(Notifier.__name__)
        if notifier is None:
            notifier = connection.state[Notifier.__name__] = Notifier(connection, self)
            connection.exit_stack.push_async_callback(notifier.close)
        await notifier.add(str(params.uri))
        return EmptyResult()

    async def unsubscribe(self, ctx: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        if notifier := ctx.session._connection.state.get(Notifier.__name__):
            notifier.remove(str(params.uri))
        return EmptyResult()

    def acquire(self, match: str) -> None:
        self._subscribers[match] += 1
        if self._subscribers[match] == 1:
            ready = asyncio.Event()
            self._followers[match] = Follower(asyncio.create_task(self._follow(match, ready)), ready)

    async def ready(self, matches: Iterable[str]) -> None:
        """Wait until no change is missed any more; only then is a subscription acknowledged."""
        try:
            async with asyncio.timeout(READY_S):
                for match in matches:
                    await self._followers[match].ready.wait()
        except TimeoutError:
            raise MCPError(INTERNAL_ERROR, text("come_back.subscriptions")) from None

    def release(self, match: str) -> None:
        self._subscribers[match] -= 1
        if not self._subscribers[match]:
            del self._subscribers[match]
            self._followers.pop(match).task.cancel()

    async def _follow(self, match: str, ready: asyncio.Event) -> None:
        """Publish the changes of a match. A private match is refused, so nothing is published about it."""
        size = None
        try:
            async with contextlib.aclosing(self.backend.follow(SeatKey(match))) as views:
                async for view in views:
                    if size is not None:
                        await self._publish(match, new_events=view["size"] != size)
                    size = view["size"]
                    ready.set()
        except Refusal:
            pass
        finally:
            ready.set()

    async def _publish(self, match: str, *, new_events: bool) -> None:
        board, log = addresses(match)
        for uri in (board, log) if new_events else (board,):
            await self.bus.publish(ResourceUpdated(uri))


def _matches(uris: Iterable[str]) -> set[str]:
    matches = {match for uri in uris if (match := match_of(str(uri)))}
    if len(matches) > MOST_MATCHES:
        raise MCPError(INVALID_PARAMS, text("too_many_subscriptions", most=MOST_MATCHES))
    return matches


class Notifier:
    """Sends the updates to one client of the older protocol, one after the other."""

    connection: Connection
    subscriptions: Subscriptions

    def __init__(self, connection: Connection, subscriptions: Subscriptions) -> None:
        self.connection, self.subscriptions = connection, subscriptions
        self.uris: set[str] = set()
        self._pending: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._leave_bus = subscriptions.bus.subscribe(self._on_event)
        self._sender = asyncio.create_task(self._send())

    async def add(self, uri: str) -> None:
        match = match_of(uri)
        if match is None:
            return
        _matches({*self.uris, uri})
        if uri not in self.uris:
            self.uris.add(uri)
            self.subscriptions.acquire(match)
        await self.subscriptions.ready([match])

    def remove(self, uri: str) -> None:
        if uri in self.uris:
            self.uris.discard(uri)
            self.subscriptions.release(match_of(uri) or "")

    async def close(self) -> None:
        self._leave_bus()
        self._sender.cancel()
        for uri in list(self.uris):
            self.remove(uri)

    def _on_event(self, event: ServerEvent) -> None:
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
