"""Attacks of one client while others play. ``make attack`` measures them; here only the answers count."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.server.http.config import Limits, Rate
from tests.support.http_server import NO_RATES, Running, act, running
from tests.support.raw_socket import CONTINUATION, PING, PONG, TEXT, flooded, frame, open_socket
from tests.support.waiting import PATIENCE, wait_until

# Few frames for each socket, and patience with those that send more.
METERED = NO_RATES._replace(reads=Rate(2_000, 4_000), flood_seconds=PATIENCE)
FLOODS = {
    "pongs": frame(PONG) * 2_000,
    "pings": frame(PING, b"x" * 125) * 200,
    "fragments": frame(TEXT, is_last=False) + frame(CONTINUATION, is_last=False) * 2_000,
    "messages": frame(TEXT, b'{"type":"ping"}') * 500,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("attacks"), METERED) as server:
        yield server


def play(server: Running) -> None:
    """A few moves of honest players, through requests and through a socket."""
    match = server.create()
    client, _ = server.welcome(match["match"], match["seats"]["2"])
    with client:
        assert server.move(match["match"], match["seats"]["1"], 0, "1").status_code == 200
        assert client.ask(act("r1", 1, kind="move", move="2"))["type"] == "answer"


@pytest.mark.parametrize("flood", FLOODS)
def test_players_play_while_a_socket_sends_frames_without_end(server: Running, flood: str) -> None:
    with open_socket(server.port, server.create()["match"]) as connection, flooded(connection, FLOODS[flood]):
        play(server)


@pytest.mark.parametrize("flood", ["pongs", "pings"])
def test_a_socket_that_sends_too_many_frames_for_too_long_is_closed(tmp_path: Path, flood: str) -> None:
    with running(tmp_path, Limits(reads=Rate(1_000, 4), flood_seconds=0)) as server:
        client, _ = server.welcome(server.create()["match"])
        with client:
            connection = client.connection.socket
            connection.sendall(FLOODS[flood][: 20 * len(frame(PING, b"x" * 125))])
            assert client.close_code() == 1008
        assert server.http.get("/healthz").status_code == 200


def test_frames_within_the_rate_are_all_answered(server: Running) -> None:
    """Also those that wait for the meter."""
    with open_socket(server.port, server.create()["match"]) as connection:
        connection.sendall(frame(PING, b"y") * 2_200)
        answered = b""
        while answered.count(b"\x8a\x01y") < 2_200:
            answered += connection.recv(65536)


def test_players_play_while_a_header_never_ends(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nx: ")
        with flooded(connection, b"y" * 65536):
            assert connection.recv(4096).startswith(b"HTTP/1.1 431 ")
            play(server)


def test_players_play_while_one_address_has_all_its_connections(tmp_path: Path) -> None:
    limits = NO_RATES._replace(requests_each=0, sockets_each=10)
    with running(tmp_path, limits) as server:
        play(server)
        idle = [
            socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(12)
        ]  # one is the client's own
        try:
            assert any(connection.recv(12) == b"HTTP/1.1 429" for connection in idle[-3:])
        finally:
            for connection in idle:
                connection.close()
        wait_until(lambda: server.http.get("/healthz").status_code == 200)
