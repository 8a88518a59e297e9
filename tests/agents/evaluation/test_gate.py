"""The gate of a program: what passes, what is replaced on its way, and who is turned away."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from ninefold.agents.evaluation.gate import Gate, Gates, SeatSecrets, Theft
from ninefold.agents.evaluation.http_relay import copy_frames, copy_replaced
from ninefold.agents.evaluation.peers import Address, Peer
from tests.support.waiting import PATIENCE, wait_until

SEAT = SeatSecrets("invitation-of-the-server-is-here", "request-of-the-run", "token-of-the-server-is-in-here--")


class Program(NamedTuple):
    """A program whose connections are what the test says."""

    whose: Peer = "own"

    def peer(self, its_end: Address, our_end: Address) -> Peer:
        assert its_end != our_end
        return self.whose


class FakeServer:
    """It answers every request with the token of the seat, and keeps what it was sent."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                with connection:
                    if not (request := connection.recv(65_536)):
                        continue
                    self.received.append(request)
                    body = json.dumps({"token": SEAT.token}).encode()
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)  # which ends the thread
        self._thread.join()
        self._listening.close()


@pytest.fixture
def server() -> Iterator[FakeServer]:
    server = FakeServer()
    yield server
    server.close()


@pytest.fixture
def gates(server: FakeServer) -> Iterator[Gates]:
    gates = Gates(server.address, lambda _, __: "thief")
    yield gates
    gates.close()


def gate_of(gates: Gates, agent: str = "mine", whose: Peer = "own") -> Gate:
    gate = gates.open(agent, "00ff", SEAT)
    gate.admit(Program(whose))
    return gate


def send(gate: Gate, text: str | bytes) -> str:
    """Send something to a gate: the response to it."""
    host, _, port = gate.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode())
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()


def post(path: str, document: Any, token: str = "") -> str:
    body = json.dumps(document)
    bearer = f"Authorization: Bearer {token}\n" if token else ""
    return f"POST {path} HTTP/1.1\nHost: gate\n{bearer}Content-Length: {len(body)}\n\n{body}"


def test_a_program_takes_its_seat_with_a_pass_and_gets_another_pass(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    assert not gate.is_joined
    joining = post("/api/v1/matches/00ff/join", {"invitation": gate.invitation, "request": "mine", "name": "me"})
    response = send(gate, joining)
    assert gate.is_joined
    assert (gate.token in response, SEAT.token in response) == (True, False)
    (request,) = server.received
    assert f"Host: {server.address.removeprefix('http://')}\r\n".encode() in request
    sent = json.loads(request.partition(b"\r\n\r\n")[2])
    assert sent == {"invitation": SEAT.invitation, "request": SEAT.request, "name": "me"}


def test_an_mcp_client_takes_its_seat_with_the_link(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    call = {"method": "tools/call", "params": {"name": "join", "arguments": {"link": str(gate.link), "request": "r"}}}
    send(gate, post("/mcp", [call]))
    (sent,) = json.loads(server.received[0].partition(b"\r\n\r\n")[2])
    arguments = sent["params"]["arguments"]
    assert (arguments["link"].endswith(f"#invite={SEAT.invitation}"), arguments["request"]) == (True, SEAT.request)
    assert gate.is_joined


def test_the_token_of_the_seat_takes_the_place_of_the_pass(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    send(gate, post("/api/v1/matches/00ff/actions", {"seat": f"00ff.1.{gate.token}"}, gate.token))
    assert server.received[0].count(SEAT.token.encode()) == 2
    assert gate.token.encode() not in server.received[0]
    assert (gate.is_joined, gate.theft) == (False, None)


def test_a_body_in_chunks_arrives_whole(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    half = len(gate.token) // 2
    chunks = "".join(f"{len(part):x}\n{part}\n" for part in (gate.token[:half], gate.token[half:]))
    send(gate, f"POST /x HTTP/1.1\nTransfer-Encoding: chunked\n\n{chunks}0\n\n")
    assert server.received[0].endswith(f"Content-Length: {len(SEAT.token)}\r\n\r\n{SEAT.token}".encode())


def test_who_comes_with_the_passes_of_another_is_a_thief(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates, whose="other")
    joining = post("/api/v1/matches/00ff/join", {"invitation": gate.invitation, "request": "mine"})
    assert send(gate, joining).startswith("HTTP/1.1 403")
    assert (gate.theft, gate.is_joined, server.received) == (Theft("thief"), False, [])


def test_a_stranger_without_passes_is_turned_away_and_no_thief(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates, whose="other")
    assert send(gate, post("/api/v1/matches/00ff/join", {})).startswith("HTTP/1.1 403")
    assert (gate.theft, server.received) == (None, [])


def test_a_connection_that_is_closed_already_is_dropped(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates, whose="closed")
    assert send(gate, post("/api/v1/matches/00ff/join", {"invitation": gate.invitation})) == ""
    assert (gate.theft, gate.is_joined, server.received) == (None, False, [])


def test_passes_of_another_at_the_own_gate_are_a_theft(server: FakeServer, gates: Gates) -> None:
    mine, other = gate_of(gates), gate_of(gates, "other")
    send(mine, post("/api/v1/matches/00ff/actions", {"action": {"kind": "resign"}}, other.token))
    assert (other.theft, mine.theft) == (Theft("mine"), None)
    assert SEAT.token.encode() not in server.received[0]


def test_where_nobody_can_tell_whose_a_connection_is_a_seat_is_taken_once(gates: Gates) -> None:
    gate = gate_of(gates, whose="unknown")
    for request, theft in (("first", None), ("first", None), ("second", Theft(""))):
        send(gate, post("/api/v1/matches/00ff/join", {"invitation": gate.invitation, "request": request}))
        assert gate.theft == theft


def test_where_nobody_can_tell_a_join_without_a_request_is_no_repeat(gates: Gates) -> None:
    gate = gate_of(gates, whose="unknown")
    for theft in (None, Theft("")):
        send(gate, post("/api/v1/matches/00ff/join", {"invitation": gate.invitation}))
        assert gate.theft == theft


def test_a_seat_is_not_handed_over_to_others(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    assert send(gate, post("/api/v1/matches/00ff/handover", {}, gate.token)).startswith("HTTP/1.1 403")
    assert server.received == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("nonsense\n\n", "400"),
        ("POST /x HTTP/1.1\nContent-Length: many\n\n", "400"),
        ("POST /x HTTP/1.1\nContent-Length: 99999999\n\n", "413"),
        (f"GET /x HTTP/1.1\nX: {'x' * 100_000}\n\n", "431"),
    ],
)
def test_a_request_that_cannot_be_sent_on_is_refused(text: str, status: str, gates: Gates) -> None:
    assert send(gate_of(gates), text).startswith(f"HTTP/1.1 {status}")


def test_a_gate_that_is_closed_takes_nobody(gates: Gates) -> None:
    gate = gate_of(gates)
    gate.close()

    def is_closed() -> bool:
        try:
            return send(gate, "GET / HTTP/1.1\n\n") == ""
        except OSError:
            return True

    wait_until(is_closed)


class Written(NamedTuple):
    """A stream that keeps what is written."""

    parts: list[bytes]

    def write(self, data: bytes) -> None:
        self.parts.append(data)

    async def drain(self) -> None:
        pass


def test_a_word_that_arrives_in_two_parts_is_replaced_and_nothing_else_waits() -> None:
    async def copy() -> list[bytes]:
        reader, written = asyncio.StreamReader(), Written([])
        copying = asyncio.create_task(copy_replaced(reader, written, {b"secret": b"******"}))  # type: ignore[arg-type]
        for part in (b"data: 1\n\n", b"a sec", b"ret, a sec", b"ond"):
            reader.feed_data(part)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        reader.feed_eof()
        await copying
        return written.parts

    parts = asyncio.run(copy())
    assert parts[0] == b"data: 1\n\n"
    assert b"".join(parts) == b"data: 1\n\na ******, a second"


@pytest.mark.parametrize("size", [5, 200, 70_000])
def test_a_word_in_a_masked_frame_is_replaced(size: int) -> None:
    payload, mask = b"token" + b"x" * (size - 5), b"\x01\x02\x03\x04"
    length = bytes([0x80 | size % 128])
    if size > 125:
        length = b"\xfe" + size.to_bytes(2, "big") if size < 2**16 else b"\xff" + size.to_bytes(8, "big")

    def masked(data: bytes) -> bytes:
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))

    async def copy() -> bytes:
        reader, written = asyncio.StreamReader(), Written([])
        reader.feed_data(b"\x81" + length + mask + masked(payload))
        reader.feed_eof()
        with contextlib.suppress(asyncio.IncompleteReadError):
            await copy_frames(reader, written, lambda data: data.replace(b"token", b"other"))  # type: ignore[arg-type]
        return b"".join(written.parts)

    assert asyncio.run(copy()) == b"\x81" + length + mask + masked(payload.replace(b"token", b"other"))
