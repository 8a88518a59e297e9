"""The gate of a program: what passes, what is replaced on its way, and who is turned away."""

from __future__ import annotations

import contextlib
import errno
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from ninefold.agents.evaluation.gate import Gate, Gates, SeatSecrets, Theft
from ninefold.agents.evaluation.peers import Address, Peer
from tests.support.waiting import PATIENCE, wait_until

SEAT = SeatSecrets("invitation-of-the-server-is-here", "request-of-the-run", "token-of-the-server-is-in-here--")


class Program(NamedTuple):
    """A program whose connections are what the test says."""

    whose: Peer = "own"

    def peer(self, its_end: Address, our_end: Address) -> Peer:
        assert its_end != our_end
        return self.whose


def everything(connection: socket.socket) -> bytes:
    """What arrives until the other end closes the connection."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


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
                    if b"Upgrade" in request:
                        self.received.append(request + everything(connection))
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
        return everything(connection).decode()


def is_dropped(gate: Gate, text: str) -> bool:
    """True if the gate closes the connection without a response, perhaps before everything is sent."""
    try:
        return send(gate, text) == ""
    except ConnectionError:
        return True
    except OSError as error:
        return error.errno == errno.ENOTCONN


def post(path: str, document: Any, token: str = "") -> str:
    body = document if isinstance(document, str) else json.dumps(document)
    bearer = f"Authorization: Bearer {token}\n" if token else ""
    return f"POST {path} HTTP/1.1\nHost: gate\n{bearer}Content-Length: {len(body)}\n\n{body}"


def tool_call(tool: str, **arguments: str) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}


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
    send(gate, post("/mcp", [tool_call("join", link=str(gate.link), request="r")]))
    (sent,) = json.loads(server.received[0].partition(b"\r\n\r\n")[2])
    arguments = sent["params"]["arguments"]
    assert (arguments["link"].endswith(f"#invite={SEAT.invitation}"), arguments["request"]) == (True, SEAT.request)
    assert gate.is_joined


def test_the_token_of_the_seat_takes_the_place_of_the_pass(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    send(gate, post("/mcp", tool_call("board", seat=f"00ff.1.{gate.token}"), gate.token))
    assert server.received[0].count(SEAT.token.encode()) == 2
    assert gate.token.encode() not in server.received[0]
    assert (gate.is_joined, gate.theft) == (False, None)


def talkative(token: str, link: str) -> dict[str, str]:
    """Requests of a program that tells its passes to others, in texts that others read, and where none belongs."""
    told = f"my seat is {token}, my link is {link}"
    act, seat = "/api/v1/matches/00ff/actions", f"00ff.1.{token}"
    say = {"action": {"kind": "say", "text": told}}
    return {
        "chat": post(act, say),
        "escaped": post(act, json.dumps(say).replace("gate", "\\u0067ate")),
        "not JSON": post(act, told),
        "dispute": post(act, {"action": {"kind": "dispute", "reason": told}}),
        "other fields": post(act, {"seat": told, "action": {"kind": "say", "text": {"seat": told, "token": told}}}),
        "name": post("/api/v1/matches/00ff/join", {"invitation": "none", "name": told, "token": told}),
        "tool": post("/mcp", tool_call("say", seat=seat, text=told)),
        "tool in a list": post("/mcp", [tool_call("dispute", seat=seat, reason=told)]),
        "name by tool": post("/mcp", tool_call("join", link="00ff", name=told)),
        "address": f"GET /api/v1/matches/{token}?token={token} HTTP/1.1\nHost: gate\n\n",
        "header": f"GET / HTTP/1.1\nUser-Agent: {told}\nHost: gate\n\n",
    }


@pytest.mark.parametrize("where", talkative("", ""))
def test_a_pass_in_a_text_for_others_stays_a_pass(where: str, server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    send(gate, talkative(gate.token, str(gate.link))[where])
    (request,) = server.received
    assert SEAT.invitation.encode() not in request
    assert request.count(SEAT.token.encode()) == where.startswith("tool")  # in the argument for it alone
    assert not gate.is_joined


def test_who_repeats_what_another_has_said_is_no_thief(server: FakeServer, gates: Gates) -> None:
    mine, other = gate_of(gates), gate_of(gates, "other")
    say = {"kind": "say", "text": f"You said {other.token}"}
    send(mine, post("/api/v1/matches/00ff/actions", {"action": say}, mine.token))
    assert len(server.received) == 1
    assert (other.theft, mine.theft) == (None, None)


def test_the_secrets_of_all_seats_are_hidden(gates: Gates) -> None:
    other = gates.open("other", "00ff", SEAT)
    mine = gates.open("mine", "00ff", SeatSecrets("i" * 32, "request", "t" * 32))
    mine.admit(Program())
    response = send(mine, "GET / HTTP/1.1\n\n")
    assert (other.token in response, SEAT.token in response) == (True, False)


def test_a_body_in_chunks_arrives_whole(server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    body = json.dumps(tool_call("board", seat=gate.token), separators=(",", ":"))
    half = body.index(gate.token) + 10
    chunks = "".join(f"{len(part):x}\n{part}\n" for part in (body[:half], body[half:]))
    send(gate, f"POST /mcp HTTP/1.1\nTransfer-Encoding: chunked\n\n{chunks}0\n\n")
    sent = body.replace(gate.token, SEAT.token)
    assert server.received[0].endswith(f"Content-Length: {len(sent)}\r\n\r\n{sent}".encode())


@pytest.mark.parametrize(
    ("message", "is_replaced"),
    [
        ({"type": "hello", "token": "PASS", "after": 3}, True),
        ({"type": "act", "action": {"kind": "say", "text": "my token is PASS"}}, False),
        ({"type": "act", "token": "PASS"}, False),
        ({"type": "hello", "arrive": "PASS"}, False),
        ("PASS", False),
    ],
)
def test_in_a_socket_only_the_greeting_has_a_token(
    message: Any, is_replaced: bool, server: FakeServer, gates: Gates
) -> None:
    gate = gate_of(gates)
    payload = json.dumps(message).replace("PASS", gate.token)
    frame = b"\x81\xfe" + len(payload).to_bytes(2, "big") + bytes(4) + payload.encode()
    send(gate, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n" + frame)
    wait_until(lambda: len(server.received) == 1)
    sent = server.received[0].partition(bytes(4))[2].decode()
    assert json.loads(sent) == json.loads(payload.replace(gate.token, SEAT.token) if is_replaced else payload)


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
    assert is_dropped(gate, post("/api/v1/matches/00ff/join", {"invitation": gate.invitation}))
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


@pytest.mark.parametrize("path", ["handover", "hand%6Fver", "%68andover/", "handover%2f", "handover?a", "handover#a?b"])
def test_a_seat_is_not_handed_over_to_others(path: str, server: FakeServer, gates: Gates) -> None:
    gate = gate_of(gates)
    assert send(gate, post(f"/api/v1/matches/00ff/{path}", {}, gate.token)).startswith("HTTP/1.1 403")
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
    wait_until(lambda: is_dropped(gate, "GET / HTTP/1.1\n\n"))
