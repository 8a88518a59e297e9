"""Idempotency: the same write delivered up to five times, and again after restarts, leads to the same log."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from mcp import Client

from ninefold.agents.backend import LocalBackend
from ninefold.agents.server import make_server
from tests.support.agents_at_play import ADDRESS, Agent, refused, running_service
from tests.support.server_process import serving

# One game with everything in it: tool, seat, arguments.
SCRIPT: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("move", 1, {"move": "[0,0]", "say": "hello"}),
    ("move", 2, {"move": "[1,1]"}),
    ("offer", 2, {"what": "take_back"}),
    ("answer_offer", 1, {"accept": True}),
    ("move", 2, {"move": "[1,0]"}),
    ("claim", 1, {"cells": ["[0,0]", "[0,1]", "[0,2]"]}),
    ("withdraw", 1, {}),
    ("move", 1, {"move": "[0,1]"}),
    ("say", 2, {"text": "careful"}),
    ("claim", 2, {"cells": ["[0,0]", "[1,0]", "[2,0]"]}),
    ("dispute", 1, {"reason": "one of them is mine"}),
    ("move", 2, {"move": "[2,2]"}),
    ("move", 1, {"move": "[0,2]", "cells": ["[0,0]", "[0,1]", "[0,2]"]}),
    ("confirm", 2, {}),
)


class Script:
    """Plays the script step by step; each write is delivered a number of times."""

    def __init__(self) -> None:
        self.seats: list[str] = []
        self.version = 0
        self.sent: list[tuple[str, dict[str, Any]]] = []

    @property
    def is_over(self) -> bool:
        return len(self.sent) == len(SCRIPT)

    @property
    def match(self) -> str:
        return self.seats[0].partition(".")[0]

    async def begin(self, agent: Agent, times: int) -> None:
        create: dict[str, Any] = {"game": "agents", "side": "O", "request": "one"}
        created = await agent.call("create_match", **create)
        join = {"link": created["invitation"], "request": "two"}
        joined = await agent.call("join", **join)
        for _ in range(times - 1):  # a seat is told once
            assert (await refused(agent.call("create_match", **create))).reason == "request_reused"
            assert (await refused(agent.call("join", **join))).reason == "request_reused"
        self.seats = [created["seat"], joined["seat"]]

    async def step(self, agent: Agent, times: int) -> None:
        tool, seat, given = SCRIPT[len(self.sent)]
        write = {"seat": self.seats[seat - 1], "version": self.version, "request": f"write-{len(self.sent)}", **given}
        for time in range(times):
            now = await agent.call(tool, **write)
            assert now["replayed"] == (time > 0)
        self.version = now["version"]
        self.sent.append((tool, write))

    async def repeat(self, agent: Agent) -> None:
        """Deliver all earlier writes once more, the latest first."""
        for tool, write in reversed(self.sent):
            assert (await agent.call(tool, **write))["replayed"]


def parse(log: str) -> list[dict[str, Any]]:
    """A log without its times and its seed, which derives from a secret of the database."""
    lines = (json.loads(line) for line in log.splitlines())
    return [{key: value for key, value in line.items() if key not in ("at", "seed")} for line in lines]


async def played(data: Path, rng: Random | None) -> list[dict[str, Any]]:
    """The log of the script; with a random number of deliveries, and restarts between some of them."""
    script = Script()
    while not script.is_over:
        async with running_service(data) as service, Client(make_server(LocalBackend(service, ADDRESS))) as client:
            agent = Agent(client)
            if not script.seats:
                await script.begin(agent, rng.randint(1, 5) if rng else 1)
            await script.repeat(agent)
            for _ in range(rng.randint(1, 5) if rng else len(SCRIPT)):
                if not script.is_over:
                    await script.step(agent, rng.randint(1, 5) if rng else 1)
            log = await service.log(script.match)
            assert len((await service.public_matches("live"))["matches"]) == (not script.is_over)
    return parse(log)


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return asyncio.run(played(tmp_path_factory.mktemp("single"), None))


@pytest.mark.parametrize("seed", range(2))
def test_a_write_delivered_again_does_nothing_twice(single: list[dict[str, Any]], seed: int, tmp_path: Path) -> None:
    assert asyncio.run(played(tmp_path, Random(seed))) == single


def test_a_write_delivered_again_after_a_kill_does_nothing_twice(single: list[dict[str, Any]], tmp_path: Path) -> None:
    script = Script()

    async def begin(url: str) -> None:
        async with Client(f"{url}/mcp") as client:
            await script.begin(Agent(client), 2)
            for _ in range(6):
                await script.step(Agent(client), 1)

    async def go_on(url: str) -> None:
        async with Client(f"{url}/mcp", mode="legacy") as client:
            await script.repeat(Agent(client))
            while not script.is_over:
                await script.step(Agent(client), 5)

    with serving(tmp_path / "data") as server:
        asyncio.run(begin(server.url))
        server.kill()
        server.start()
        asyncio.run(go_on(server.url))
        assert parse(httpx.get(f"{server.url}/api/v1/matches/{script.match}/log").text) == single
