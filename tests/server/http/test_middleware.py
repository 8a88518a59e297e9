"""Middleware: allowed names and origins, sizes and rates, for requests and for sockets."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import InvalidStatus

from ninefold.core.errors import Unreadable
from ninefold.server.http.config import Config, Limits, Rate
from ninefold.server.http.middleware import RateLimiter, RequestLimits, TokenBuckets, address_of
from ninefold.server.http.serve import server_names
from ninefold.server.storage.config import REQUESTER, ServiceConfig
from tests.support.clocks import ManualSeconds
from tests.support.hand_fired_loop import BY_HAND, HandFiredLoop
from tests.support.hosted_matches import on_a_loop
from tests.support.http_server import API, NO_RATES, Running, SocketClient, running
from tests.support.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    import httpx
    from starlette.types import Message

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("middleware"), NO_RATES._replace(sockets_each=3)) as server:
        yield server


@pytest.fixture(scope="module")
def loop() -> HandFiredLoop:
    return HandFiredLoop()


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory, loop: HandFiredLoop) -> Iterator[Running]:
    """A server whose timers fire by hand."""
    with running(tmp_path_factory.mktemp("by-hand"), BY_HAND, loop=loop) as server:
        yield server


def problem(response: httpx.Response, status: int, reason: str) -> None:
    assert (response.status_code, response.headers["content-type"]) == (status, PROBLEM)
    document = response.json()
    assert (document["type"], document["status"], document["reason"]) == ("about:blank", status, reason)
    assert document["title"] == document["detail"] != ""


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", "", "*"]
)
def test_a_foreign_host_is_refused(server: Running, host: str) -> None:
    problem(server.get("/games", Host=host.format(port=server.port)), 403, "foreign_host")


@pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_loopback_names_are_allowed(server: Running, host: str) -> None:
    assert server.get("/games", Host=host.format(port=server.port)).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost", "https://localhost:{port}", "http://localhost:1", ""]
)
def test_a_foreign_origin_is_refused(server: Running, origin: str) -> None:
    headers = {"Origin": origin.format(port=server.port)}
    problem(server.http.post(API + "/matches", json={}, headers=headers), 403, "foreign_origin")
    problem(server.http.get(API + "/games", headers=headers), 403, "foreign_origin")


def test_pages_of_this_server_are_allowed(server: Running) -> None:
    assert server.get("/games", Origin=f"http://localhost:{server.port}").status_code == 200


@pytest.mark.parametrize("header", ["Origin", "Host"])
def test_a_foreign_socket_is_refused_before_it_is_accepted(server: Running, header: str) -> None:
    match = server.create()["match"]
    more: dict[str, dict[str, Any]] = {
        "Origin": {"origin": "https://evil.example"},
        "Host": {"additional_headers": {"Host": "evil.example"}},
    }
    with pytest.raises(InvalidStatus) as refused:
        server.socket(match, **more[header])
    assert refused.value.response.status_code == 403
    assert b"foreign_" in (refused.value.response.body or b"")


@on_a_loop
async def test_whoever_asks_is_known_to_what_executes_it(tmp_path: Path) -> None:
    """Computers move for an address."""
    seen = []

    async def app(*_: object) -> None:
        seen.append(REQUESTER.get())

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    limits = RequestLimits(app, Config(tmp_path, hosts=frozenset({"here:80"})), RateLimiter(Limits()))
    for kind, client in (("http", "10.0.0.7"), ("websocket", "2001:db8::1:2:3:4"), ("http", "::ffff:10.0.0.7")):
        scope = {"type": kind, "path": "/x", "headers": [(b"host", b"here:80")], "client": (client, 1)}
        await limits(scope, receive, receive)  # type: ignore[arg-type]
    assert seen == ["10.0.0.7", "2001:0db8:0000:0000", "10.0.0.7"]


def test_health_answers_at_the_own_address_of_a_pod(server: Running) -> None:
    assert server.http.get("/healthz", headers={"Host": "10.1.2.3:8090"}).status_code == 200
    assert server.http.get("/", headers={"Host": "10.1.2.3:8090"}).status_code == 403


def test_two_hosts_are_refused(server: Running) -> None:
    host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    assert b" 403 " in raw(server, b"GET /healthz HTTP/1.1\r\n" + host + host + b"\r\n")
    assert b" 403 " in raw(server, b"GET /healthz HTTP/1.0\r\n\r\n")


def raw(server: Running, *sent: bytes, then: Callable[[], object] = lambda: None) -> bytes:
    """What comes back first for bytes that no decent client sends, after something else has happened."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        for part in sent:
            connection.sendall(part)
        then()
        return connection.recv(4096)


def test_a_body_that_is_too_large_is_refused(server: Running) -> None:
    body = b'{"x": "' + b"y" * 17 * 1024 + b'"}'
    headers = {"Content-Type": "application/json"}
    problem(server.http.post(API + "/matches", content=body, headers=headers), 413, "too_large")
    problem(server.http.post(API + "/matches", content=iter([body]), headers=headers), 413, "too_large")


def test_a_record_may_be_larger_but_not_endless(server: Running) -> None:
    headers = {"Content-Type": "application/json"}
    large = b'{"text": "' + b"y" * 500_000 + b'"}'
    problem(server.http.post(API + "/records", content=large, headers=headers), 422, "broken_file")
    huge = b'{"text": "' + b"y" * 1_100_000 + b'"}'
    problem(server.http.post(API + "/records", content=huge, headers=headers), 413, "too_large")


def test_a_body_that_does_not_arrive_is_refused(by_hand: Running, loop: HandFiredLoop) -> None:
    head = f"POST {API}/matches HTTP/1.1\r\nHost: 127.0.0.1:{by_hand.port}\r\nContent-Length: 100\r\n\r\n".encode()
    assert b" 408 " in raw(by_hand, head, b"{", then=lambda: loop.fire(BY_HAND.body_seconds))


def test_a_connection_is_closed_if_no_head_arrives(by_hand: Running, loop: HandFiredLoop) -> None:
    assert raw(by_hand, then=lambda: loop.fire(BY_HAND.head_seconds)) == b""


def everything(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_client_that_trickles_after_a_response_is_not_waited_for(by_hand: Running, loop: HandFiredLoop) -> None:
    refused = f"POST {API}/matches HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n".encode()
    answered = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{by_hand.port}\r\n\r\n".encode()
    for request, more, status in ((refused, b"x", b"403"), (answered, b"\r\n", b"200")):
        with socket.create_connection(("127.0.0.1", by_hand.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            first = connection.recv(1)  # there is a response
            connection.sendall(more)
            loop.fire(BY_HAND.head_seconds)
            assert (first + everything(connection)).startswith(b"HTTP/1.1 " + status)


def test_a_client_that_never_reads_is_disconnected(by_hand: Running, loop: HandFiredLoop) -> None:
    request = f"GET {API}/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{by_hand.port}\r\n\r\n".encode()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", by_hand.port))
        connection.sendall(request * 60)
        closed = select.poll()
        closed.register(connection, select.POLLHUP)

        def is_closed() -> bool:
            loop.fire_any(BY_HAND.read_seconds)  # again, as long as the system takes some of what was sent
            return bool(closed.poll(0))

        wait_until(is_closed)


def test_a_client_that_reads_is_sent_everything(server: Running) -> None:
    request = f"GET {API}/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(request * 60)
        connection.sendall(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert everything(connection).count(b"HTTP/1.1 200 OK") == 61


def test_sockets_from_one_address_are_limited(server: Running) -> None:
    match = server.create()["match"]
    sockets = [server.socket(match) for _ in range(3)]
    with pytest.raises(InvalidStatus) as refused:
        server.socket(match)
    assert refused.value.response.status_code == 429
    sockets.pop().close()
    sockets.append(_once_there_is_room(server, match))
    for client in sockets:
        client.close()


def _once_there_is_room(server: Running, match: str) -> SocketClient:
    """The server notices a little later than the client that a socket is closed."""
    opened: list[SocketClient] = []

    def is_open() -> bool:
        with contextlib.suppress(InvalidStatus):
            opened.append(server.welcome(match)[0])
        return bool(opened)

    wait_until(is_open)
    return opened[0]


def test_requests_are_limited_by_rate(tmp_path: Path) -> None:
    now = ManualSeconds()
    with running(tmp_path, Limits(reads=Rate(1, 5), writes=Rate(0.1, 21)), now) as server:
        responses = [server.get("/games") for _ in range(6)]
        assert [response.status_code for response in responses] == [200] * 5 + [429]
        problem(responses[-1], 429, "too_many")
        assert responses[-1].headers["retry-after"] == "1"
        now.at += 1
        assert [server.get("/games").status_code for _ in range(2)] == [200, 429]
        match = server.create()["match"]
        assert server.post("/matches", {}).status_code == 422  # costs as much as one that is created
        assert server.post(f"/matches/{match}/join", {}).status_code == 409
        problem(server.post(f"/matches/{match}/join", {}), 429, "too_many")


def test_who_does_not_heed_refusals_is_answered_slowly() -> None:
    now = ManualSeconds()
    limiter = RateLimiter(Limits(writes=Rate(1, 3)), now)
    assert [limiter.seconds_before_refusal("a") > 0 for _ in range(5)] == [False, False, False, True, True]
    assert limiter.seconds_before_refusal("b") == 0
    now.at += 1
    assert [limiter.seconds_before_refusal("a") > 0 for _ in range(2)] == [False, True]


def test_requests_that_are_refused_together_are_answered_one_after_the_other() -> None:
    limiter = RateLimiter(Limits(writes=Rate(1, 1)), ManualSeconds())
    assert limiter.seconds_before_refusal("a") == 0
    pauses = sorted(limiter.seconds_before_refusal("a") for _ in range(200))
    assert pauses[0] >= 1
    assert pauses[-1] <= 2
    assert all(later - earlier > 0.001 for earlier, later in pairwise(pauses))


def test_a_foreign_host_is_limited_by_rate_too(tmp_path: Path) -> None:
    with running(tmp_path, Limits(reads=Rate(1, 2)), ManualSeconds()) as server:
        statuses = [server.get("/games", Host="evil.example").status_code for _ in range(3)]
    assert statuses == [403, 403, 429]


def test_a_request_that_costs_more_than_the_burst_waits_for_a_full_bucket() -> None:
    now = ManualSeconds()
    buckets = TokenBuckets(Rate(1, 4), 10, now)
    assert [buckets.take("a", 10), buckets.take("a", 10)] == [0, 4]
    now.at = 4
    assert buckets.take("a", 10) == 0


def test_open_and_live_matches_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, service=ServiceConfig(matches=1)) as server:
        server.create()
        body = {"game": "classic", "seats": [{"player": "human"}, {"player": "human"}]}
        wait_until(lambda: server.post("/matches", body).status_code != 201)  # they are counted by the next sweep
        problem(server.post("/matches", body), 429, "too_many")


def test_messages_through_a_socket_are_limited_by_rate(tmp_path: Path) -> None:
    with running(tmp_path, Limits(writes=Rate(0.01, 12)), ManualSeconds()) as server:
        match = server.create()
        client, _ = server.welcome(match["match"], match["seats"]["1"])
        with client:
            messages = [{"type": "act", "request": f"r{n}", "action": {"kind": "say", "text": "x"}} for n in range(20)]
            answers = [client.ask(message) for message in messages[:3]]
            assert [answer["type"] for answer in answers] == ["answer", "answer", "refused"]
            assert (answers[2]["reason"], answers[2]["request"]) == ("too_many", "r2")
            for message in messages[3:12]:
                client.send(message)
            assert client.close_code() == 1008


def test_a_bucket_fills_again_with_time() -> None:
    now = ManualSeconds()
    buckets = TokenBuckets(Rate(2, 4), 10, now)
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    now.at = 0.5
    assert [buckets.take("a"), buckets.take("a")] == [0, 0.5]
    now.at = 1000
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert buckets.take("b") == 0


def test_only_the_latest_addresses_are_remembered() -> None:
    buckets = TokenBuckets(Rate(1, 1), 100, ManualSeconds())
    for number in range(1000):
        buckets.take(f"10.0.0.{number}")
    assert len(buckets) == 100


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("2001:db8:1:2::9", "2001:0db8:0001:0002"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a pipe", "unknown"),
    ],
)
def test_limits_are_for_an_address_or_its_network(address: str, counted: str) -> None:
    assert address_of({"client": (address, 1)}) == counted


def test_every_response_has_the_security_headers(server: Running) -> None:
    for path in ("/", "/static/nothing", API + "/games", API + "/matches/0000", "/healthz", "/nowhere"):
        headers = server.http.get(path).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src"
        )
        assert "'unsafe" not in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers


def test_a_public_url_adds_its_name_and_nothing_else() -> None:
    names = server_names("", 8090, public_url="https://Play.Example/")
    assert {"play.example", "play.example:443"} == {host for host in names.hosts if "example" in host}
    assert {origin for origin in names.origins if "example" in origin} == {"https://play.example"}
    assert names.links == ("http://127.0.0.1:8090/", "https://play.example/")
    assert "http://a.example:8080" in server_names("", 1, public_url="http://a.example:8080").origins


@pytest.mark.parametrize(
    "url", ["play.example", "ftp://a.b", "https://", "https://a.b/path", "https://a.b?x", "http://u@a.b", "http://a:x"]
)
def test_a_wrong_public_url_is_refused(url: str) -> None:
    with pytest.raises(Unreadable):
        server_names("", 1, public_url=url)


def test_lan_adds_the_addresses_of_this_machine() -> None:
    alone, shared = server_names("", 8090), server_names("", 8090, lan=True)
    assert alone.hosts < shared.hosts
    assert all(host.endswith(":8090") for host in shared.hosts)
