"""The log: one JSON line for each request, never with a token or a query string."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from ninefold.server.http import logs
from ninefold.server.http.logs import LOG, LogQueue
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import AccessLog
from tests.support.http_server import API, Running, act, serving
from tests.support.waiting import PATIENCE


def test_no_log_line_has_a_token_or_a_query(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as process:
        secrets = set(_everything(process.server))
        _, said, logged = process.stop()
    lines = [json.loads(line) for line in logged.splitlines()]
    assert len(lines) >= 20
    assert {line["event"] for line in lines} == {"request"}
    assert len(secrets) >= 6
    assert [secret for secret in secrets if secret in said + logged] == []
    assert {"at", "level", "event", "method", "route", "status", "ms", "address"} <= lines[0].keys()
    assert {line["route"] for line in lines} >= {
        "unmatched", "/m/{match}", "/static/{file:path}", API + "/matches/{match}", API + "/matches/{match}/socket",
    }  # fmt: skip


def _everything(server: Running) -> Iterator[str]:
    """Use every secret in every place, right and wrong; returns the secrets."""
    match = server.create("classic", "human", "open", private=True)
    id, token, invitation = match["match"], match["seats"]["1"], match["invitations"]["2"]
    yield from (token, invitation, match["watch"], id)
    other = server.post(f"/matches/{id}/join", {"invitation": invitation, "name": "Ann"}).json()["token"]
    code = server.post(f"/matches/{id}/handover", {"request": "carry"}, token=token).json()["code"]
    yield from (other, code)
    server.get(f"/matches/{id}?token={token}")
    server.get(f"/matches/{id}", other)
    server.get(f"/matches/{id}", code)
    server.get(f"/{token}")
    server.get(f"/matches/{token}", token)
    server.http.get(f"/{token}", headers={"Authorization": token, "Cookie": token})
    server.http.get(f"/static/{token}?{token}")
    server.http.get(f"/m/{id}?invite={invitation}")
    server.post(f"/matches/{id}/join", {"code": code, token: token})
    server.post(f"/matches/{id}/actions", {"request": token, "action": {"kind": token}}, token)
    server.move(id, token, 0, token[:30])
    server.move(id, token, 0, "5")
    server.post("/records", {"text": token})
    server.post("/analysis", {"game": token, "position": token})
    with server.socket(id) as client:
        client.send({"type": "hello", "token": token})
        client.receive("welcome")
        client.send(token)
        client.ask(act("x", 1, kind=token))
    with server.socket(id, query=f"?token={token}") as client:
        client.send(b"\xff" + token.encode())
        client.close_code()
    with pytest.raises(InvalidStatus):
        server.socket(f"{id}/{token}")


def test_an_unexpected_error_is_logged_and_answered_with_500_without_details(caplog: pytest.LogCaptureFixture) -> None:
    token = "ab" * 16

    async def broken(*_: object) -> None:
        raise ZeroDivisionError(f"with {token}")

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    metrics = Metrics()
    scope = {"type": "http", "method": "GET", "path": "/x", "headers": [], "client": ("192.0.2.1", 1)}
    with caplog.at_level(logging.INFO, LOG.name):
        asyncio.run(AccessLog(broken, metrics)(scope, receive, send))
    assert sent[0]["status"] == 500
    assert b"content-security-policy" in dict(sent[0]["headers"])
    assert "Zero" not in sent[1]["body"].decode()
    facts = [vars(record)["facts"] for record in caplog.records]
    assert facts[0]["error"] == "ZeroDivisionError: with ***"
    assert facts[1]["status"] == 500
    assert token not in json.dumps(facts)
    labels = {"method": "GET", "route": "unmatched", "status": "500"}
    assert metrics.registry.get_sample_value("ninefold_http_requests_total", labels) == 1


@pytest.fixture
def restored_loggers() -> Iterator[None]:
    """What ``set_up`` changes is as before after the test."""
    before = LOG.handlers, LOG.propagate, LOG.level, logging.lastResort
    yield
    LOG.handlers, LOG.propagate, LOG.level, logging.lastResort = before
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = False


@pytest.mark.usefixtures("restored_loggers")
def test_a_quiet_log_holds_only_warnings_and_errors() -> None:
    written = io.StringIO()
    handler = logs.set_up(quiet=True, write=written.write)
    logs.log_info("request", status=200)
    logs.log_warning("worker died", worker=1)
    logs.log_error("request failed", ValueError("why"))
    handler.flush(PATIENCE)
    warning, error = map(json.loads, written.getvalue().splitlines())
    assert (warning["level"], warning["event"], warning["worker"]) == ("warning", "worker died", 1)
    assert (error["event"], error["error"]) == ("request failed", "ValueError: why")


class Pipe:
    """A stream that nobody reads for a while."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.is_read = threading.Event()
        self.is_full = threading.Event()  # set when a write waits

    def write(self, line: str) -> None:
        self.is_full.set()
        assert self.is_read.wait(PATIENCE)
        self.lines.append(json.loads(line))


def test_a_log_that_nobody_reads_drops_lines_and_says_so_later() -> None:
    pipe = Pipe()
    handler = LogQueue(pipe.write, most=3)
    handler.emit(logging.makeLogRecord({"msg": "first"}))
    assert pipe.is_full.wait(PATIENCE)
    for number in range(10):
        handler.emit(logging.makeLogRecord({"msg": f"line {number}"}))
    assert handler.dropped == 7
    handler.flush(0)  # does not wait for it
    assert pipe.lines == []
    pipe.is_read.set()
    handler.flush(PATIENCE)
    handler.emit(logging.makeLogRecord({"msg": "last"}))
    handler.flush(PATIENCE)
    events = [line["event"] for line in pipe.lines]
    assert sorted(events) == ["first", "last", "line 0", "line 1", "line 2", "log lines dropped"]
    assert [(line["level"], line["lines"]) for line in pipe.lines if "lines" in line] == [("warning", 7)]


@pytest.mark.usefixtures("restored_loggers")
def test_dropped_lines_are_counted_by_a_metric() -> None:
    pipe, metrics = Pipe(), Metrics()
    handler = logs.set_up(quiet=True, write=pipe.write)
    handler.dropped = 5
    health = {"matches": {}, "moves": 0, "writes_waiting": 0, "bots_busy": 0, "last_commit_seconds": 0.0}
    for _ in range(2):
        metrics.update(health)
    assert metrics.registry.get_sample_value("ninefold_log_lines_dropped_total") == 5


def fill(pipe: Path) -> None:
    """Write until not a byte more goes into a pipe."""
    end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    for size in (4096, 1):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(end, b"x" * size)
    os.close(end)


def test_a_server_whose_output_nobody_reads_answers_and_stops(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--rate", "100000", log=subprocess.STDOUT) as process:
        fill(Path(f"/proc/{process.process.pid}/fd/1"))
        for _ in range(2):
            assert process.server.http.get("/healthz").status_code == 200
        process.process.terminate()
        assert process.process.wait(PATIENCE) == 0
