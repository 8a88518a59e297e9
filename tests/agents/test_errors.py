"""What a seat says that cannot be read: refused, in the audit of its match, and counted by the report."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from ninefold.agents.server import make_server
from ninefold.agents.server_backend import There
from tests.support import http_server
from tests.support.agents_at_play import Agent, Refused
from tests.support.http_server import Running

GARBLED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("move", {"version": 0, "request": "1"}),
    ("move", {"move": {"row": 1}, "version": "soon", "request": "2"}),
    ("claim", {"cells": "the diagonal", "version": 0, "request": "3"}),
    ("dispute", {"version": 0, "request": "not a name"}),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("refusals")) as server:
        yield server


async def garble(client: Client) -> str:
    """A match in which the one who started it says what nobody can read, looks wrongly, and gives up."""
    ann = Agent(client)
    await Agent(client).join(link=await ann.create("agents", side="O"))
    for tool, given in GARBLED:
        with pytest.raises(Refused, match="wrong_field"):
            await ann.call(tool, seat=ann.seat, **given)
        for nobody in (ann.match, f"{ann.match}.1.{'x' * 32}", [ann.seat]):
            with pytest.raises(Refused, match="wrong_field"):
                await ann.call(tool, **given | {"seat": nobody})
    with pytest.raises(Refused, match="wrong_field"):
        await ann.call("wait", seat=ann.seat, seconds="long")
    await ann.do("resign")
    return ann.match


def audit_of(server: Running, match: str) -> list[tuple[int, str, str]]:
    told = server.get(f"/matches/{match}/report").json()
    assert [row["unreadable"] for row in told["agents"]] == [len(GARBLED), 0]
    assert [row["illegal_moves"] for row in told["agents"]] == [0, 0]
    refused = server.get(f"/matches/{match}/refused").json()["refused"]
    return [(one["seat"], one["action"], one["reason"]) for one in refused]


def test_at_the_door_of_a_server(server: Running) -> None:
    async def run() -> str:
        async with Client(f"http://127.0.0.1:{server.port}/mcp") as client:
            return await garble(client)

    assert audit_of(server, asyncio.run(run())) == [(1, tool, "wrong_field") for tool, _ in GARBLED]


def test_from_a_table_that_is_the_door_to_a_server(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def run() -> str:
        with contextlib.closing(There(f"http://127.0.0.1:{server.port}")) as there:
            async with Client(make_server(there)) as client:
                return await garble(client)

    assert audit_of(server, asyncio.run(run())) == [(1, "unreadable", "wrong_field")] * len(GARBLED)


def test_by_request_and_only_from_who_sits_there(server: Running) -> None:
    match = server.create("agents")
    path, (ann, ben) = f"/matches/{match['match']}", match["seats"].values()
    for token, status in ((ann, 422), (None, 422), ("x" * 32, 422), ("no token", 401)):
        assert server.post(f"{path}/actions", {"action": {"kind": "moove"}}, token).status_code == status
    assert server.post(f"{path}/handover", {}, ben).status_code == 422
    server.post(f"{path}/actions", {"request": "r", "action": {"kind": "resign"}}, ann)
    refused = server.get(f"{path}/refused").json()["refused"]
    assert [(one["seat"], one["action"], one["reason"]) for one in refused] == [(1, "unreadable", "wrong_field")]
