"""The short way of actions answers exactly as the route of FastAPI does, whatever is sent."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ninefold.server.http import actions
from tests.support.clocks import ManualClock
from tests.support.http_server import API, Running, bearer, running, serving

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

JSON = {"Content-Type": "application/json"}
MOVE = {"request": "r1", "version": 0, "action": {"kind": "move", "move": "5"}}
VALUES: list[object] = [
    None, True, False, 0, 1, -1, 1.0, 1.5, 2**53, 10**30, "", "5", "0", "1,1", "x", "\u0660", "a" * 41, "a" * 2001,
    "\u202e", [], [4], [4.0], ["4"], [True], [9], [1000], [0, 1, 2], [0] * 10, {}, {"kind": "move"}, "move", "say",
    "claim", "resign", "draw", "take_back", "r1", "r 1", "r:1.x_-", "r" * 65,
]  # fmt: skip
RAW = [
    b"", b"{}", b"[]", b"null", b"5", b'"x"', b"{", b'{"request": "r1"', b"\xff\xfe", b"\xef\xbb\xbf{}", b"{'a': 1}",
    b'{"request": "r1", "request": "r1", "version": 0, "action": {"kind": "move", "move": "5"}}',
    b'{"request": "r1", "version": NaN, "action": {"kind": "move", "move": "5"}}',
    b'{"request": "r1", "version": 1e999, "action": {"kind": "move", "move": "5"}}',
    b'{"request": "r1", "version": 0, "action": {"kind": "say", "text": "\\ud800"}}',
    b'{"request": "r1", "version": 0, "action": {"kind": "say", "text": "\\ud83d\\ude00 caf\xc3\xa9"}}',
    b"[" * 5000, b'{"a":' * 5000, json.dumps(MOVE).encode() + b" ", json.dumps(MOVE).encode() + b",",
    b'{"request": "r1", "version": 0, "action": {"kind": "say", "text": "' + b"x" * 20_000 + b'"}}',
]  # fmt: skip
TYPES = ["application/json; charset=utf-8", "APPLICATION/JSON", "text/plain", "application/jsonx", ""]


def bodies() -> Iterator[bytes]:
    """Bodies with one field that is odd, missing or too many; and what is no JSON."""
    for name, value in itertools.product(("request", "version", "action", "more"), VALUES):
        yield json.dumps(MOVE | {name: value}).encode()
    for kind, name, value in itertools.product(
        ("move", "say", "claim"), ("kind", "move", "cells", "text", "x"), VALUES
    ):
        yield json.dumps(MOVE | {"action": {"kind": kind, name: value}}).encode()
    for name in MOVE:
        yield json.dumps({field: value for field, value in MOVE.items() if field != name}).encode()
    yield from RAW


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("actions"), now=ManualClock()) as server:
        yield server


async def _pass_on(self: actions.ActionsMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
    await self.app(scope, receive, send)


def answer(server: Running, match: str, body: bytes, headers: dict[str, str]) -> tuple[object, ...]:
    """Everything that a client sees, but for whether it was sent before."""
    response = server.http.post(f"{API}/matches/{match}/actions", content=body, headers=headers)
    document: dict[str, Any] = response.json()
    document.pop("replayed", None)
    return response.status_code, document, {name: response.headers[name] for name in response.headers if name != "date"}


def both_ways(
    server: Running, match: str, sent: list[tuple[bytes, dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[tuple[bytes, dict[str, str]], tuple[object, ...], tuple[object, ...]]]:
    for body, headers in sent:
        short = answer(server, match, body, headers)
        with monkeypatch.context() as patch:
            patch.setattr(actions.ActionsMiddleware, "__call__", _pass_on)
            reference = answer(server, match, body, headers)
        for found in (short, reference):
            if isinstance(found[2], dict):
                found[2].pop("content-length", None)  # "replayed" differs
        yield (body, headers), short, reference


def test_hundreds_of_odd_bodies_get_the_same_answer_both_ways(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    created = server.create()
    match, token = created["match"], created["seats"]["1"]
    server.get(f"/matches/{match}", token)  # the seat is present from now on
    sent = [(body, JSON | bearer(token)) for body in dict.fromkeys(bodies())]
    assert len(sent) > 400
    statuses = set()
    for what, short, reference in both_ways(server, match, sent, monkeypatch):
        assert short == reference, what
        statuses.add(short[0])
    assert statuses >= {200, 400, 409, 413, 422}


@pytest.mark.parametrize("header", TYPES)
def test_media_types_get_the_same_answer_both_ways(
    server: Running, header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = server.create()
    sent = [(json.dumps(MOVE).encode(), {"Content-Type": header} | bearer(created["seats"]["1"]))]
    for what, short, reference in both_ways(server, created["match"], sent, monkeypatch):
        assert short == reference, what


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", "bearer  {}", "Basic {}", "{}", "Bearer {}x"])
def test_tokens_get_the_same_answer_both_ways(server: Running, header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    created = server.create()
    authorization = {"Authorization": header.format(created["seats"]["1"])} if header else {}
    sent = [(json.dumps(MOVE).encode(), JSON | authorization)]
    for match in (created["match"], "0" * 16, "no-match"):
        for what, short, reference in both_ways(server, match, sent, monkeypatch):
            assert short == reference, what


def test_a_valid_move_takes_the_short_way(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    read = actions.read_request

    def note(*arguments: Any) -> actions.ActionRequest | None:
        taken.append(read(*arguments))
        return taken[-1]

    monkeypatch.setattr(actions, "read_request", note)
    created = server.create()
    assert server.move(created["match"], created["seats"]["1"], 0, "5").status_code == 200
    assert [asked is not None for asked in taken] == [True]


def test_a_move_by_the_short_way_is_in_the_log_and_the_metrics_as_its_route(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as process:
        created = process.server.create()
        process.server.move(created["match"], created["seats"]["1"], 0, "5")
        _, _, logged = process.stop()
    routes = [json.loads(line).get("route") for line in logged.splitlines()]
    assert "/api/v1/matches/{match}/actions" in routes
