"""Calls that cannot be read: refused, recorded in the audit of the match, and counted by the report."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from ninefold.agents.server import make_server
from ninefold.agents.server_backend import ServerBackend
from tests.support import http_server
from tests.support.agents_at_play import Agent, Refused
from tests.support.http_server import Running

UNREADABLE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("move", {"version": 0, "request": "1"}),
    ("move", {"move": {"row": 1}, "version": "soon", "request": "2"}),
    ("claim", {"cells": "the diagonal", "version": 0, "request": "3"}),
    ("dispute", {"version": 0, "request": "not a name"}),
    ("resign", {"request": "4", "sure": True}),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("refusals")) as server:
        yield server


async def play_unreadably(client: Client) -> str:
    """A match in which seat 1 makes unreadable calls, then resigns."""
    ann = Agent(client)
    await Agent(client).join(link=await ann.create("agents", side="O"))
    for tool, given in UNREADABLE:
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
    report = server.get(f"/matches/{match}/report").json()
    assert [row["unreadable"] for row in report["agents"]] == [len(UNREADABLE), 0]
    assert [row["illegal_moves"] for row in report["agents"]] == [0, 0]
    refused = server.get(f"/matches/{match}/refused").json()["refused"]
    return [(one["seat"], one["action"], one["reason"]) for one in refused]


def test_unreadable_calls_over_http_are_in_the_audit(server: Running) -> None:
    async def run() -> str:
        async with Client(f"http://127.0.0.1:{server.port}/mcp") as client:
            return await play_unreadably(client)

    assert audit_of(server, asyncio.run(run())) == [(1, tool, "wrong_field") for tool, _ in UNREADABLE]


def test_unreadable_calls_through_a_server_backend_are_in_the_audit(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def run() -> str:
        with contextlib.closing(ServerBackend(f"http://127.0.0.1:{server.port}")) as backend:
            async with Client(make_server(backend)) as client:
                return await play_unreadably(client)

    assert audit_of(server, asyncio.run(run())) == [(1, "unreadable", "wrong_field")] * len(UNREADABLE)


def test_unreadable_requests_are_in_the_audit_only_if_they_come_from_a_seat(server: Running) -> None:
    match = server.create("agents")
    path, (ann, ben) = f"/matches/{match['match']}", match["seats"].values()
    for token, status in ((ann, 422), (None, 422), ("x" * 32, 422), ("no token", 401)):
        assert server.post(f"{path}/actions", {"action": {"kind": "moove"}}, token).status_code == status
    assert server.post(f"{path}/handover", {}, ben).status_code == 422
    broken = {"Authorization": f"Bearer {ann}", "Content-Type": "application/json"}
    assert server.http.post(f"/api/v1{path}/actions", content='{"action": NaN', headers=broken).status_code == 400
    for token in (ben, None):
        client, _ = server.welcome(match["match"], token)
        with client:
            client.send('{"type": "moove"}')
            assert client.receive("refused")["reason"] == "no_such_message"
    server.post(f"{path}/actions", {"request": "r", "action": {"kind": "resign"}}, ann)
    refused = server.get(f"{path}/refused").json()["refused"]
    assert [(one["seat"], one["action"], one["reason"]) for one in refused] == [
        (1, "unreadable", "wrong_field"),
        (1, "unreadable", "not_json"),
        (2, "unreadable", "no_such_message"),
    ]
