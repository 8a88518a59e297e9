"""The server's garbage (connections are freed at once, full collections wait until nobody is there) and its end."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.server.http.config import Config
from ninefold.server.http.http_protocol import HttpProtocol
from ninefold.server.http.socket_protocol import SocketProtocol
from ninefold.server.http.uvicorn_server import GC_TICKS, HttpServer
from ninefold.server.http.websocket import MatchSocket
from tests.support.http_server import act, running
from tests.support.raw_socket import open_socket
from tests.support.waiting import wait_until


@pytest.fixture
def without_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def connections() -> list[object]:
    """Everything of a connection that has not been freed."""
    return [one for one in gc.get_objects() if isinstance(one, HttpProtocol | SocketProtocol | MatchSocket)]


@pytest.mark.usefixtures("without_collections")
def test_connections_are_freed_without_the_garbage_collector(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.create()
        client, _ = server.welcome(match["match"], match["seats"]["1"])
        assert len(connections()) >= 3
        with client:
            assert client.ask(act("m1", 0, kind="move", move="5"))["type"] == "answer"
            assert client.ask(act("m2", 0, kind="move", move="5"))["type"] == "refused"
        open_socket(server.port, match["match"]).close()
        assert server.move(match["match"], match["seats"]["2"], 0, "5").status_code == 409
        server.create()  # the writer holds its last batch until the next
        server.http.close()
        wait_until(lambda: not connections(), lambda: str(connections()))


def test_a_full_collection_waits_until_nobody_is_connected(tmp_path: Path) -> None:
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append(info["generation"])

    somebody: Any = object()
    server = HttpServer(Config(tmp_path))
    server.config.load()

    async def tick(counter: int) -> bool:
        found.clear()
        await server.on_tick(counter)
        return 2 in found

    gc.callbacks.append(note)
    try:
        assert not asyncio.run(tick(1))
        server.server_state.connections.add(somebody)
        assert not asyncio.run(tick(GC_TICKS - 1))
        server.server_state.connections.clear()
        assert asyncio.run(tick(GC_TICKS))
        assert not asyncio.run(tick(GC_TICKS + 1))
    finally:
        gc.callbacks.remove(note)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_that_is_drained_for_a_successor(tmp_path: Path, sign: signal.Signals) -> None:
    server = HttpServer(Config(tmp_path))
    server.drain()
    assert server.is_to_restart
    server.handle_exit(sign, None)
    assert (server.is_to_restart, server.should_exit) == (False, True)
