"""What the server writes down, and what it counts: never a token, never a query string."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from ninefold.server.http import logs
from ninefold.server.http.access_log import Watch
from ninefold.server.http.logs import LOG
from ninefold.server.http.metrics import BUCKETS, Metrics
from tests.support.http_server import API, Running, act, running, serving


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
    """Use every secret there is in every place, right and wrong; says which they were."""
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
    with server.socket(id) as talking:
        talking.say({"type": "hello", "token": token})
        talking.hear("welcome")
        talking.say(token)
        talking.ask(act("x", 1, kind=token))
    with server.socket(id, query=f"?token={token}") as talking:
        talking.say(b"\xff" + token.encode())
        talking.code()
    with pytest.raises(InvalidStatus):
        server.socket(f"{id}/{token}")


def test_what_nobody_expected_is_500_without_detail_and_written_down(caplog: pytest.LogCaptureFixture) -> None:
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
        asyncio.run(Watch(broken, metrics)(scope, receive, send))
    assert sent[0]["status"] == 500
    assert b"content-security-policy" in dict(sent[0]["headers"])
    assert "Zero" not in sent[1]["body"].decode()
    facts = [vars(record)["facts"] for record in caplog.records]
    assert facts[0]["error"] == "ZeroDivisionError: with ***"
    assert facts[1]["status"] == 500
    assert token not in json.dumps(facts)
    assert metrics.requests == {("GET", "unmatched", 500): 1}


def test_quiet_keeps_the_errors_only(monkeypatch: pytest.MonkeyPatch) -> None:
    before = LOG.handlers, LOG.propagate, LOG.level
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    try:
        logs.set_up(quiet=True)
        logs.say("request", status=200)
        logs.say_error("broken", ValueError("why"))
    finally:
        LOG.handlers, LOG.propagate, LOG.level = before
        for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
            logging.getLogger(name).disabled = False
    (line,) = written.getvalue().splitlines()
    assert json.loads(line)["error"] == "ValueError: why"


def test_metrics_are_counted_and_served_at_their_own_address(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(tmp_path, metrics=("127.0.0.1", port)) as server:
        match = server.create()
        server.move(match["match"], match["seats"]["1"], 0, "5")
        server.move(match["match"], match["seats"]["1"], 0, "5")
        talking, _ = server.welcome(match["match"])
        with talking:
            text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert httpx.get(f"http://127.0.0.1:{port}/else").status_code == 404
        assert server.http.get("/metrics").status_code == 404
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    actions = f'method="POST",route="{API}/matches/{{match}}/actions"'
    assert samples[f'ninefold_http_requests_total{{{actions},status="200"}}'] == "1"
    assert samples[f'ninefold_http_requests_total{{{actions},status="409"}}'] == "1"
    assert samples['ninefold_refusals_total{reason="stale_version"}'] == "1"
    assert (samples["ninefold_sockets_open"], samples["ninefold_moves_total"]) == ("1", "1")
    assert samples['ninefold_action_seconds_bucket{le="+Inf"}'] == samples["ninefold_action_seconds_count"] == "2"
    assert "ninefold_engine_queue" in samples


def test_the_histogram_counts_each_action_in_every_bucket_it_fits() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.001, 0.3, 99.0):
        metrics.acted(seconds)
    text = metrics.text({"matches": {"live": 2}, "moves": 0, "writes_waiting": 0, "engines_busy": 0})
    assert f'_bucket{{le="{BUCKETS[0]}"}} 2' in text
    assert '_bucket{le="0.5"} 3' in text
    assert '_bucket{le="2.5"} 3' in text
    assert '_bucket{le="+Inf"} 4' in text
    assert 'ninefold_matches{status="live"} 2' in text


def test_labels_cannot_be_broken_out_of() -> None:
    metrics = Metrics()
    metrics.request("BREW", 'a"b\\c\n', 418)
    assert 'method="other",route="a\\"b\\\\c\\n",status="418"' in metrics.text(
        {"matches": {}, "moves": 0, "writes_waiting": 0, "engines_busy": 0}
    )
