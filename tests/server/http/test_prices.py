"""Requests that take the server longer cost more."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.server.http.config import Limits, Rate
from ninefold.server.http.prices import price
from tests.support.clocks import ManualSeconds
from tests.support.http_server import running

API = "/api/v1"
MATCH = f"{API}/matches/0123456789abcdef"


@pytest.mark.parametrize(
    ("method", "path", "query", "cost"),
    [
        ("GET", MATCH, "", 1),
        ("GET", f"{API}/games", "", 1),
        ("GET", "/log", "", 1),
        ("GET", f"{API}/matches", "", 15),
        ("HEAD", f"{API}/matches", "", 15),
        ("GET", f"{API}/matches", "limit=5", 6),
        ("GET", f"{API}/matches", "limit=100", 25),
        ("GET", f"{API}/matches", "state=live&limit=1&limit=100", 25),
        ("GET", f"{API}/matches", "limit=%31%30%30", 25),
        ("GET", f"{API}/matches", "limit=9999999999", 15),
        ("GET", f"{API}/matches", "limit=-1", 15),
        ("GET", f"{API}/matches", "\xff=\xff&limit=\xb2", 15),
        ("GET", f"{MATCH}/log", "", 2),
        ("GET", f"{MATCH}/board.svg", "", 3),
        ("GET", f"{MATCH}/report", "", 5),
        ("GET", f"{MATCH}/hint", "", 5),
        ("GET", f"{API}/puzzles/today", "", 2),
        ("GET", f"{API}/openapi.json", "", 6),
        ("POST", f"{API}/matches", "limit=1", 10),
        ("POST", f"{MATCH}/actions", "", 1),
        ("PUT", f"{API}/profile", "", 10),
        ("DELETE", f"{API}/profile", "", 10),
        ("GET", f"{API}/profile", "", 2),
        ("GET", f"{API}/profile/export", "", 40),
        ("GET", f"{API}/profiles/{'a' * 32}/matches", "limit=5", 6),
        ("POST", f"{MATCH}/reports", "", 5),
        ("POST", f"{API}/analysis", "", 5),
        ("POST", f"{API}/positions", "", 2),
    ],
)
def test_every_request_has_its_price(method: str, path: str, query: str, cost: float) -> None:
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode("latin-1")}
    assert price(scope) == cost


def test_a_socket_costs_one() -> None:
    assert price({"type": "websocket", "path": f"{MATCH}/socket", "query_string": b""}) == 1


def test_long_lists_of_matches_use_up_the_rate_sooner(tmp_path: Path) -> None:
    with running(tmp_path, Limits(reads=Rate(1, 60)), ManualSeconds()) as server:
        assert [server.get("/matches?limit=100").status_code for _ in range(3)] == [200, 200, 429]
        assert [server.get("/games").status_code for _ in range(11)] == [200] * 10 + [429]
