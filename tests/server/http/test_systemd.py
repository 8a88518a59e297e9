"""What systemd is told: readiness, the watchdog and the stop. A socket of the test takes its place."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.server.http.systemd import ServiceManager, passed_socket
from tests.support.clocks import ManualSeconds
from tests.support.http_server import serving
from tests.support.waiting import PATIENCE


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket to which services write."""
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address)
        receiver.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        yield receiver


def told(systemd: socket.socket) -> list[str]:
    """Everything that has been sent."""
    messages = []
    systemd.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            messages.append(systemd.recv(100).decode())
    return messages


def test_a_server_says_that_it_is_ready_alive_and_stopping(
    systemd: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "200000")
    with serving("--data", str(tmp_path), "--quiet") as process:
        messages = [systemd.recv(100).decode() for _ in range(4)]
        assert set(messages) == {"READY=1", "WATCHDOG=1"}
        assert process.stop()[0] == 0
    assert told(systemd)[-1] == "STOPPING=1"


def test_the_watchdog_is_told_twice_within_its_time(systemd: socket.socket) -> None:
    clock = ManualSeconds()
    manager = ServiceManager({"NOTIFY_SOCKET": os.environ["NOTIFY_SOCKET"], "WATCHDOG_USEC": "10000000"}, clock)
    counts = []
    for _ in range(4):
        clock.at += 2.5
        manager.beat()
        counts.append(len(told(systemd)))
    assert counts == [1, 0, 1, 0]


def test_nothing_is_sent_without_systemd_or_for_another_process(systemd: socket.socket) -> None:
    ServiceManager({}).ready()
    another = {"NOTIFY_SOCKET": os.environ["NOTIFY_SOCKET"], "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1"}
    ServiceManager(another).beat()
    assert told(systemd) == []


def test_a_socket_is_taken_only_if_it_was_passed_to_this_process() -> None:
    assert passed_socket({}) is None
    assert passed_socket({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) is None
