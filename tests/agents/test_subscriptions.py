"""Resource updates reach their subscribers: current clients that listen, and older ones that subscribe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp_types import ResourceUpdatedNotification

from ninefold.agents.backend import LocalBackend, SeatKey
from ninefold.agents.server import make_server
from ninefold.server.hosting.view import MatchView
from ninefold.server.storage.service import Service
from tests.support import http_server
from tests.support.agents_at_play import Agent, local_agent, running_service, stdio
from tests.support.http_server import Running
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from mcp.client.session import IncomingMessage

pytestmark = pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")  # but still served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("updates")) as server:
        yield server


class Inbox:
    """The updates that a client of the older protocol gets."""

    def __init__(self) -> None:
        self.uris: asyncio.Queue[str] = asyncio.Queue()

    async def __call__(self, message: IncomingMessage) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.uris.put_nowait(str(message.params.uri))


async def hears_by_listening(client: Client, ann: Agent, ben: Agent) -> None:
    board, log = f"game://{ann.match}", f"game://{ann.match}/log"
    async with asyncio.timeout(PATIENCE), client.listen(resource_subscriptions=[board, log]) as events:
        for mover, move in ((ann, "1"), (ben, "2"), (ann, "3")):
            await mover.wait()
            await mover.do("move", move=move)
            assert {await anext(events), await anext(events)} == {ResourceUpdated(board), ResourceUpdated(log)}


async def hears_by_subscribing(client: Client, inbox: Inbox, ann: Agent, ben: Agent) -> None:
    uri = f"game://{ann.match}"
    async with asyncio.timeout(PATIENCE):
        await client.subscribe_resource(uri)
        await client.subscribe_resource(uri)
        await ann.do("move", move="1")
        assert await inbox.uris.get() == uri
        await client.unsubscribe_resource(uri)
        await ben.wait()
        await ben.do("move", move="2")
        await client.subscribe_resource(uri)
        await ann.wait()
        await ann.do("move", move="3")
        assert await inbox.uris.get() == uri
        assert inbox.uris.empty()


async def match_of_two(client: Client) -> tuple[Agent, Agent]:
    ann, ben = Agent(client), Agent(client)
    await ben.join(link=await ann.create("classic"))
    ann.now = await ann.call("board", seat=ann.seat)
    return ann, ben


def test_a_listening_client_is_notified_of_every_move_over_http(server: Running) -> None:
    async def run() -> None:
        async with Client(f"http://127.0.0.1:{server.port}/mcp") as client:
            await hears_by_listening(client, *await match_of_two(client))

    asyncio.run(run())


def test_a_client_of_the_older_protocol_subscribes_over_http(server: Running) -> None:
    async def run() -> None:
        inbox = Inbox()
        async with Client(f"http://127.0.0.1:{server.port}/mcp", mode="legacy", message_handler=inbox) as client:
            assert client.server_capabilities.resources
            assert client.server_capabilities.resources.subscribe
            await hears_by_subscribing(client, inbox, *await match_of_two(client))

    asyncio.run(run())


def test_both_kinds_of_clients_are_notified_over_stdio(server: Running, tmp_path: Path) -> None:
    async def run() -> None:
        command, inbox = stdio(tmp_path, "--server", f"http://127.0.0.1:{server.port}"), Inbox()
        async with Client(command) as one, Client(command, mode="legacy", message_handler=inbox) as two:
            await hears_by_listening(one, *await match_of_two(one))
            await hears_by_subscribing(two, inbox, *await match_of_two(one))

    asyncio.run(run())


def test_messages_and_joins_are_updates_and_private_matches_have_none(tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as ann:
            client, private = ann.client, Agent(ann.client)
            await ann.create("classic")
            await private.create("classic", private=True)
            uris = [f"game://{ann.match}", f"game://{private.match}", "game://nobody", "rules://classic"]
            async with asyncio.timeout(PATIENCE), client.listen(resource_subscriptions=uris) as events:
                await private.do("say", text="psst")
                await Agent(client).join(link=ann.now["invitation"])
                assert await anext(events) == ResourceUpdated(uris[0])
                await ann.do("say", text="welcome")
                assert await anext(events) == ResourceUpdated(uris[0])

    asyncio.run(run())


class SlowBackend(LocalBackend):
    """A backend that follows a match only when ``ready`` is set."""

    def __init__(self, service: Service) -> None:
        super().__init__(service, "http://here")
        self.ready = asyncio.Event()

    async def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        await self.ready.wait()
        async for view in super().follow(key):
            yield view


def test_a_subscription_is_acknowledged_once_it_misses_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_service(tmp_path) as service:
            backend = SlowBackend(service)
            async with Client(make_server(backend)) as client, asyncio.timeout(PATIENCE):
                ann = Agent(client)
                await ann.create("classic")
                listening = client.listen(resource_subscriptions=[f"game://{ann.match}"])
                entering = asyncio.create_task(listening.__aenter__())
                await ann.do("say", text="too early to be heard")
                assert not entering.done()
                backend.ready.set()
                events = await entering
                await ann.do("say", text="hello")
                assert await anext(events) == ResourceUpdated(f"game://{ann.match}")
                await listening.__aexit__(None, None, None)

    asyncio.run(run())


def test_a_match_is_followed_only_while_it_has_subscribers(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_service(tmp_path) as service:
            mcp = make_server(LocalBackend(service, "http://here"))
            async with Client(mcp) as client:
                ann = Agent(client)
                await ann.create("classic")
                async with client.listen(resource_subscriptions=[f"game://{ann.match}"]):
                    assert service.pubsub.has_subscribers(ann.match)
            async with Client(mcp, mode="legacy") as client:
                await client.subscribe_resource(f"game://{ann.match}")
                assert service.pubsub.has_subscribers(ann.match)
            assert not service.pubsub.has_subscribers(ann.match)

    asyncio.run(run())
