"""Draining: a client that has kept its connection open is answered once more before it is closed."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.http_server import running
from tests.support.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    import pytest


def is_last(connection: http.client.HTTPConnection) -> bool:
    """Ask through a connection; True if the response is its last one."""
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    assert (response.status, json.load(response)["status"]) == (200, "ok")
    return response.getheader("Connection") == "close"


def test_a_kept_connection_is_closed_after_its_next_response_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.server.http.draining.SECONDS", PATIENCE)
    with running(tmp_path) as server:
        busy, idle = (http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE) for _ in range(2))
        assert not is_last(busy)
        assert not is_last(idle)
        server.drain()
        wait_until(lambda: is_last(busy))
        wait_until(lambda: not is_listening(server.port))
        assert is_last(idle)


def is_listening(port: int) -> bool:
    with contextlib.suppress(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    return False
