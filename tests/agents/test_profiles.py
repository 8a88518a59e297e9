"""Agents with a profile: their hosts send its key beside the calls, and their matches are rated apart from people's."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from ninefold.agents import profile_keys
from ninefold.agents.server import make_server
from ninefold.agents.server_backend import ServerBackend
from ninefold.core.errors import NotAllowed
from tests.support import http_server
from tests.support.agents_at_play import Agent, refused
from tests.support.http_server import API, Running, bearer

ONE, TWO, ANN = "1" * 32, "2" * 32, "A" * 32


@contextlib.asynccontextmanager
async def over_http(server: Running, key: str) -> AsyncIterator[Agent]:
    """An agent whose host sends a key with every request."""
    async with (
        httpx2.AsyncClient(headers=bearer(key), timeout=30) as http,
        Client(streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=http)) as client,
    ):
        yield Agent(client)


@contextlib.asynccontextmanager
async def over_stdio(server: Running, key: str) -> AsyncIterator[Agent]:
    """An agent of ``ninefold mcp --server``, whose key is in the environment."""
    with contextlib.closing(ServerBackend(f"http://127.0.0.1:{server.port}", key)) as backend:
        async with Client(make_server(backend)) as client:
            yield Agent(client)


def test_two_agents_play_a_rated_match_with_profiles_that_their_keys_have_made(tmp_path: Path) -> None:
    async def play(server: Running) -> None:
        async with over_http(server, ONE) as one, over_stdio(server, TWO) as two:
            invitation = await one.create("classic", name="First bot", clock_seconds=300)
            await two.join(link=invitation, name="Second bot")
            await two.do("resign")

    with http_server.running(tmp_path) as server:
        asyncio.run(play(server))
        for key, name, wins in ((ONE, "First bot", 1), (TWO, "Second bot", 0)):
            profile = server.get("/profile", key).json()
            (standing,) = profile["standings"]
            assert (profile["name"], profile["kind"]) == (name, "agent")
            assert (standing["opponents"], standing["rated"], standing["wins"]) == ("agents", 1, wins)


def test_an_agent_does_not_play_with_the_profile_of_a_person(tmp_path: Path) -> None:
    async def play(server: Running) -> None:
        for connected in (over_http, over_stdio):
            async with connected(server, ANN) as agent:
                assert (await refused(agent.create("classic"))).reason == "bad_key"

    with http_server.running(tmp_path) as server:
        server.http.put(f"{API}/profile", json={"name": "Ann"}, headers=bearer(ANN))
        asyncio.run(play(server))


def test_a_variable_that_holds_no_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(profile_keys.VARIABLE, "not a key")
    with pytest.raises(NotAllowed, match="The variable NINEFOLD_KEY does not hold a key"):
        profile_keys.from_environment()
    monkeypatch.setenv(profile_keys.VARIABLE, ONE)
    assert profile_keys.from_environment() == ONE
