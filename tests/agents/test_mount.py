"""The MCP endpoint of the web server: behind the same middleware, on the same matches, loaded by its first request."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from ninefold.server.http.config import Limits, Rate
from tests.support import http_server
from tests.support.agents_at_play import Agent, Refused, refused
from tests.support.clocks import ManualSeconds
from tests.support.http_server import NO_RATES, Running
from tests.support.waiting import PATIENCE

HEADERS = {"Accept": "application/json, text/event-stream"}
LATEST = "2026-07-28"  # of the protocol
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("mount")) as server:
        yield server


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"Host": "evil.example"}, "foreign_host"),
        ({"Host": "127.0.0.1:1"}, "foreign_host"),
        ({"Origin": "http://evil.example"}, "foreign_origin"),
        ({"Origin": "null"}, "foreign_origin"),
    ],
)
def test_foreign_hosts_and_origins_are_refused(server: Running, headers: dict[str, str], reason: str) -> None:
    answer = server.http.post("/mcp", json=LIST, headers=HEADERS | headers)
    assert (answer.status_code, answer.json()["reason"]) == (403, reason)


def test_the_sdk_checks_the_host_too(server: Running) -> None:
    """Its own protection is on: a host in capitals passes our middleware, which ignores case, and not the SDK."""
    answer = server.http.post("/mcp", json=LIST, headers=HEADERS | {"Host": f"LOCALHOST:{server.port}"})
    assert (answer.status_code, answer.text) == (421, "Invalid Host header")


def test_blanks_around_a_header_are_ignored(server: Running) -> None:
    meta = {"protocolVersion": LATEST, "clientInfo": {"name": "a", "version": "1"}, "clientCapabilities": {}}
    told = {"_meta": {f"io.modelcontextprotocol/{name}": value for name, value in meta.items()}}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as line:
        headers = HEADERS | {"Content-Type": "application/json", "MCP-Protocol-Version": LATEST}
        line.request("POST", "/mcp", json.dumps(LIST | {"params": told}), headers | {"Mcp-Method": " tools/list "})
        assert line.getresponse().status == httpx.codes.OK


def test_a_browser_gets_an_explanation(server: Running) -> None:
    for accepted in ("text/html,application/xhtml+xml,*/*;q=0.8", "*/*"):
        answer = server.http.get("/mcp", headers={"Accept": accepted})
        assert (answer.status_code, answer.headers["Content-Type"]) == (406, "text/plain; charset=utf-8")
        assert f"settings of an agent's host: http://127.0.0.1:{server.port}/mcp\n" in answer.text
        assert f"People play at http://127.0.0.1:{server.port}/\n" in answer.text
    assert "This address is for agents" not in server.http.get("/mcp", headers={"Accept": "text/event-stream"}).text


def test_a_message_has_a_size_limit(server: Running) -> None:
    assert server.http.post("/mcp", json={**LIST, "more": "x" * 20_000}, headers=HEADERS).status_code == 413


def test_the_open_calls_of_one_address_are_limited(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        async with Client(url) as client, httpx.AsyncClient() as http:
            ann = Agent(client)
            await ann.create("classic")
            async with contextlib.AsyncExitStack() as open_calls:
                for _ in range(3):
                    await open_calls.enter_async_context(client.listen(resource_subscriptions=[f"game://{ann.match}"]))
                answer = await http.post(url, json=LIST, headers=HEADERS)
                told = answer.json()["error"]
                assert (answer.status_code, told["data"]["reason"]) == (429, "too_many_sockets")
                assert told["message"] == "There are too many connections from your address. Close some."
            async with asyncio.timeout(PATIENCE):
                while (await http.post(url, json=LIST, headers=HEADERS)).status_code == 429:
                    pass  # the server has not noticed yet that they are closed

    with http_server.running(tmp_path, NO_RATES._replace(sockets_each=3)) as server:
        asyncio.run(run(f"http://127.0.0.1:{server.port}/mcp"))


def test_new_matches_of_agents_are_rate_limited_like_all_others(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        for mode, allowed in (("auto", 3), ("legacy", 0)):
            async with Client(url, mode=mode) as client:
                for _ in range(allowed):
                    await Agent(client).create("classic")
                with pytest.raises(Refused, match="too_many"):
                    await Agent(client).create("classic")

    with http_server.running(tmp_path, Limits(writes=Rate(0.01, 40)), ManualSeconds()) as server:
        asyncio.run(run(f"http://127.0.0.1:{server.port}/mcp"))


def test_what_costs_more_than_a_request_costs_agents_as_much(tmp_path: Path) -> None:
    """A list of matches, and a profile for a key that is used for the first time."""

    async def run(url: str) -> None:
        async with Client(url) as client:
            ann = Agent(client)
            for _ in range(4):  # three writes each
                await ann.call("lobby")
            assert (await refused(ann.call("lobby"))).reason == "too_many"

    async def join(url: str) -> list[str]:
        reasons = []
        for key in ("a" * 32, "b" * 32, "c" * 32):
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                reasons.append(
                    (await refused(Agent(client).call("join", link=url.replace("/mcp", "/m/nobody")))).reason
                )
        return reasons

    limits = Limits(writes=Rate(1e-9, 14.5))
    with http_server.running(tmp_path / "lists", limits, ManualSeconds()) as server:
        asyncio.run(run(f"http://127.0.0.1:{server.port}/mcp"))
    limits = Limits(writes=Rate(1e-9, 30))
    with http_server.running(tmp_path / "profiles", limits, ManualSeconds()) as server:
        reasons = asyncio.run(join(f"http://127.0.0.1:{server.port}/mcp"))
    assert reasons == ["no_such_match", "no_such_match", "too_many"]


def test_agents_and_http_clients_write_to_the_same_match(server: Running) -> None:
    async def run() -> str:
        async with Client(f"http://127.0.0.1:{server.port}/mcp") as client:
            ann = Agent(client)
            invitation = await ann.create("classic", name="Ann")
            await ann.do("say", text="hello")
            joined = server.post(
                f"/matches/{ann.match}/join", {"invitation": invitation.partition("#invite=")[2], "name": "Ben"}
            ).json()
            assert await ann.wait() == "move"
            await ann.do("move", move="5")
            assert server.move(ann.match, joined["token"], 1, "1").status_code == 200
            assert await ann.wait() == "move"
            return ann.match

    view = server.get(f"/matches/{asyncio.run(run())}").json()
    assert [move["text"] for move in view["history"]] == ["5", "1"]
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ben"]
    assert view["said"][0]["text"] == "hello"


def test_a_server_starts_without_importing_the_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second to import, and a server has to be back two seconds after a crash."""
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    with http_server.serving("--data", str(tmp_path)) as process:
        _, _, logged = process.stop()
    imported = re.findall(r"\| *([a-z_]+)$", logged, re.MULTILINE)
    assert "uvicorn" in imported
    assert "mcp" not in imported


def test_secrets_of_agents_are_not_logged_and_open_streams_end_with_the_server(tmp_path: Path) -> None:
    with http_server.serving("--data", str(tmp_path)) as process:
        url = f"http://127.0.0.1:{process.server.port}/mcp"
        foreign = {"Host": f"LOCALHOST:{process.server.port}"}
        assert process.server.http.post("/mcp", json=LIST, headers=HEADERS | foreign).status_code == 421

        async def run() -> tuple[list[str], str]:
            async with Client(url) as client, Client(url, mode="legacy") as previous:
                ann, ben = Agent(client), Agent(previous)
                await ben.join(link=await ann.create("classic"), name="Ben")
                secrets = [ann.seat.rpartition(".")[2], ben.seat.rpartition(".")[2], ann.now["invitation"][-20:]]
                with pytest.raises(Exception, match="wrong_field"):
                    await ann.call("move", seat=ann.seat, move="5", version="soon", request="1")
                async with client.listen(resource_subscriptions=[f"game://{ann.match}"]) as events:
                    code, _, logged = await asyncio.to_thread(process.stop, signal.SIGTERM)
                    assert code == 0
                    with pytest.raises(StopAsyncIteration):  # the stream ended properly
                        await anext(events)
                    return secrets, logged

        secrets, logged = asyncio.run(run())
    assert not [secret for secret in secrets if secret in logged]
    lines = [json.loads(line) for line in logged.splitlines()]  # with those of the SDK
    assert [line for line in lines if line["event"].startswith("Invalid Host header")]
    assert [line for line in lines if line.get("route") == "/mcp"]


def test_without_the_mount_there_is_no_endpoint(tmp_path: Path) -> None:
    with http_server.running(tmp_path, mounts=()) as server:
        assert server.http.post("/mcp", json=LIST).status_code == httpx.codes.NOT_FOUND


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_beyond_a_limit_is_a_tool_error_with_a_sentence(tmp_path: Path, mode: str) -> None:
    async def run(url: str) -> None:
        async with Client(url, mode=mode) as client:
            ann = Agent(client)
            await ann.create("classic")
            large = await refused(ann.call("say", seat=ann.seat, text="x" * 20_000, request="1"))
            assert (large.reason, large.sentence) == ("too_large", "That is too large.")
            assert large.instead == "The limit is 16 KiB."
            for _ in range(40):  # the burst
                with contextlib.suppress(Refused):
                    await ann.call("board", seat=ann.seat)
            many = await refused(ann.call("board", seat=ann.seat))
            assert (many.reason, many.sentence) == ("too_many", "Too many requests at once.")
            assert re.fullmatch(r"Wait \d+ s\.", many.instead)
            with pytest.raises(MCPError, match="Too many requests at once"):
                await client.list_tools()

    with http_server.running(tmp_path, Limits(writes=Rate(0.01, 40)), ManualSeconds()) as server:
        asyncio.run(run(f"http://127.0.0.1:{server.port}/mcp"))


def test_what_a_limit_refuses_is_told_in_the_protocol(server: Running) -> None:
    """Where the request cannot be named, because it is too large to be read, the status tells it too."""
    call = {"jsonrpc": "2.0", "id": "seven", "method": "tools/call", "params": {"name": "say"}}
    answer = server.http.post("/mcp", json={**call, "more": "x" * 20_000}, headers=HEADERS)
    assert (answer.status_code, answer.json()["id"]) == (200, "seven")
    assert answer.json()["result"]["isError"] is True
    for body in ({**LIST, "more": "x" * 20_000}, {**call, "more": "x" * 200_000}, {"more": "x" * 20_000}, "x" * 20_000):
        answer = server.http.post("/mcp", json=body, headers=HEADERS)
        assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/json")
        assert answer.json()["error"]["message"] == "That is too large. The limit is 16 KiB."
        assert answer.json()["id"] == (1 if isinstance(body, dict) and body.get("id") == 1 else None)


def test_a_message_that_cannot_be_read_is_in_the_audit(server: Running) -> None:
    async def run() -> str:
        async with Client(f"http://127.0.0.1:{server.port}/mcp") as client:
            ann = Agent(client)
            await Agent(client).join(link=await ann.create("agents", side="O"))
            with pytest.raises(Refused, match="too_large"):
                await ann.call("say", seat=ann.seat, text="x" * 20_000, request="1")
            with pytest.raises(MCPError, match="There is no such tool"):
                await ann.call("play", seat=ann.seat, move="[0,0]")
            with pytest.raises(Refused, match="wrong_field"):
                await ann.call("move", seat=ann.seat, move="[0,0]", version=0, request="2", claims=["[0,0]"])
            await ann.do("resign")
            return ann.match

    path = f"/matches/{asyncio.run(run())}"
    audit = server.get(f"{path}/refused").json()["refused"]
    assert [(one["seat"], one["action"], one["reason"]) for one in audit] == [
        (1, "say", "too_large"),
        (1, "unreadable", "no_such_tool"),
        (1, "move", "wrong_field"),
    ]
    assert [row["unreadable"] for row in server.get(f"{path}/report").json()["agents"]] == [3, 0]
