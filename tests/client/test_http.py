"""The HTTP client: what it repeats, how long it waits, and what it does not read to the end."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ninefold.client.http import (
    ConnectionFailed,
    DeadlineExceeded,
    HttpClient,
    HttpResponse,
    ResponseTooLarge,
    RetryPolicy,
)
from tests.support.clocks import ManualSeconds
from tests.support.fake_server import FakeResponse, FakeServer, fake_server

BUSY = FakeResponse(503)
DONE = FakeResponse(200, b'{"done": true}')


@contextlib.contextmanager
def client_of(server: FakeServer, time: ManualSeconds | None = None, **more: Any) -> Iterator[HttpClient]:
    time = time or ManualSeconds()
    client = HttpClient(server.url, clock=time, sleep=time.sleep, **more)
    try:
        yield client
    finally:
        client.close()


def test_a_document_is_sent_and_its_response_returned_whatever_its_status() -> None:
    with fake_server(FakeResponse(404, b"no"), DONE) as server, client_of(server) as client:
        assert client.post("/somewhere", {"a": 1}).status == 404
        assert client.get("/elsewhere").body == DONE.body
        assert server.paths == ["/somewhere", "/elsewhere"]
        assert json.loads(server.bodies[0]) == {"a": 1}


def test_one_connection_serves_several_requests() -> None:
    with fake_server(DONE, DONE, DONE) as server, client_of(server) as client:
        for _ in range(3):
            client.get("/")
        assert server.connections == 1


def test_an_unavailable_server_is_asked_again_with_the_same_request_and_growing_pauses() -> None:
    time = ManualSeconds()
    with fake_server(*[BUSY] * 8, DONE) as server, client_of(server, time) as client:
        assert client.post("/", {"request": "r1"}).status == 200
        assert len(set(server.bodies)) == 1
    assert time.pauses == [0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]


def test_jitter_shortens_pauses() -> None:
    time = ManualSeconds()
    retry = RetryPolicy(jitter=0.5, retry_immediately=False)
    with fake_server(BUSY, BUSY, DONE) as server, client_of(server, time, retry=retry) as client:
        client.get("/")
    assert 0.05 <= time.pauses[0] <= 0.1
    assert 0.1 <= time.pauses[1] <= 0.2


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("3", 3.0), ("1.5", 1.5), ("3600", 60.0), ("-1", 0.0), ("soon", 0.0), ("nan", 0.0), ("٣", 0.0), ("9" * 400, 0.0)],
)
def test_a_server_that_says_when_to_come_back_is_obeyed_within_limits(asked: str, waited: float) -> None:
    assert HttpResponse(503, b"", {"retry-after": asked}).retry_after in (waited, 3600.0)
    time, header = ManualSeconds(), {"Retry-After": asked.encode("ascii", "ignore").decode() or "soon"}
    retry = RetryPolicy(timeout=100)
    with fake_server(FakeResponse(429, headers=header), DONE) as server, client_of(server, time, retry=retry) as client:
        client.get("/")
    assert time.pauses == [waited]


def test_the_timeout_has_an_end_and_the_last_response_is_returned() -> None:
    busy = FakeResponse(503, headers={"Retry-After": "60"})
    with fake_server(busy) as server, client_of(server, retry=RetryPolicy(timeout=5)) as client:
        assert client.get("/").status == 503
        assert len(server.paths) == 1


def test_attempts_can_be_counted() -> None:
    retry = RetryPolicy(attempts=3, retry_immediately=False, first_pause=1.0)
    time = ManualSeconds()
    with fake_server(BUSY, BUSY, BUSY) as server, client_of(server, time, retry=retry) as client:
        assert client.get("/").status == 503
    assert time.pauses == [1.0, 2.0]


def test_which_responses_are_repeated_can_be_chosen() -> None:
    def is_not_json(response: HttpResponse) -> bool:
        return not response.body.startswith(b"{")

    with (
        fake_server(FakeResponse(200, b"<html>"), DONE) as server,
        client_of(server, is_retryable=is_not_json) as client,
    ):
        assert client.get("/").body == DONE.body


def test_trouble_is_reported_once_a_request() -> None:
    told: list[str] = []
    with (
        fake_server(*[BUSY] * 4, DONE, BUSY, DONE) as server,
        client_of(server, on_retry=lambda: told.append("trouble")) as client,
    ):
        client.get("/")
        assert told == ["trouble"]
        client.get("/")
        assert told == ["trouble"]  # the second attempt has come through


def test_a_connection_that_breaks_is_opened_again() -> None:
    cut = FakeResponse(200, b"{}", length=100)
    with fake_server(DONE, cut, DONE) as server, client_of(server) as client:
        client.get("/")
        assert client.get("/").body == DONE.body


def test_a_server_that_was_never_reached_is_not_waited_for_unless_that_is_wanted() -> None:
    time = ManualSeconds()
    nobody = FakeServer(())
    nobody.url = "http://127.0.0.1:1"
    with client_of(nobody, time) as client, pytest.raises(ConnectionFailed):
        client.get("/")
    assert time.pauses == []
    retry = RetryPolicy(timeout=1.0, when_never_reached=True)
    with client_of(nobody, time, retry=retry) as client, pytest.raises(ConnectionFailed):
        client.get("/")
    assert time.pauses == [0.0, 0.1, 0.2, 0.4]


@pytest.mark.parametrize("url", ["http://[::1", "http://a b", "http://" + "a" * 300 + ".example"])
def test_an_address_that_cannot_be_is_a_failed_connection(url: str) -> None:
    with pytest.raises(ConnectionFailed):
        HttpClient(url).get("/")


def test_a_response_that_is_too_large_is_not_read_to_its_end() -> None:
    large = FakeResponse(200, b"x" * 2_000_000)
    with (
        fake_server(large) as server,
        client_of(server, largest=1_000_000) as client,
        pytest.raises(ResponseTooLarge),
    ):
        client.get("/")


def test_a_body_that_trickles_in_has_no_more_time_than_another() -> None:
    time = ManualSeconds()

    def dawdle() -> None:
        time.at += 11

    slow = FakeResponse(200, b"x" * 1000, pause=dawdle)
    with fake_server(DONE, slow, DONE) as server, client_of(server, time) as client:
        client.get("/")
        assert client.get("/").body == DONE.body
    assert time.pauses == [0.0]


def test_a_deadline_bounds_all_attempts_together() -> None:
    time = ManualSeconds()

    def dawdle() -> None:
        time.at += 4

    slow = FakeResponse(200, b"x" * 1000, pause=dawdle)
    retry = RetryPolicy(retry_immediately=False, first_pause=1.0)
    with fake_server(BUSY, slow) as server, client_of(server, time, retry=retry) as client:
        with pytest.raises(DeadlineExceeded):
            client.post("/", {}, seconds=3.0)
        assert time.at == 5.0


def test_a_server_that_never_responds_meets_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = HttpClient(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(DeadlineExceeded):
            client.post("/", {}, seconds=0.05)
        client.close()


def test_a_closed_client_opens_a_new_connection() -> None:
    with fake_server(DONE, DONE) as server, client_of(server) as client:
        client.get("/")
        client.close()
        assert client.get("/").status == 200


def test_threads_share_a_client() -> None:
    with fake_server(*[DONE] * 20) as server, client_of(server) as client:
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(client.get("/").status)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [200] * 20


def test_nothing_from_outside_is_imported_before_the_first_request() -> None:
    code = "import sys, ninefold.client; print({'httpx', 'websockets', 'platformdirs'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


@pytest.mark.parametrize(("package", "call"), [("httpx", "games()"), ("websockets", "watch('00ff').wait(0)")])
def test_without_the_extra_a_refusal_names_the_command_that_brings_it(package: str, call: str) -> None:
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "from ninefold.client import Server\n"
        "from ninefold.core.errors import NotAllowed\n"
        f"try: Server('http://127.0.0.1:1').{call}\n"
        "except NotAllowed as refusal: print(refusal.reason, refusal)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == f"not_installed Playing on a server needs {package}. pip install 'ninefold[online]'\n"
