"""What systemd is told: readiness, the watchdog and the stop. A socket of the test takes its place."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
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


RESTARTING = """
import multiprocessing, os, pathlib, signal, socket
from ninefold.server.http.systemd import passed_socket, start_again

def children():
    return pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()

if passed := passed_socket():
    print(passed.getsockname()[1], signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN, children())
else:
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1])
    signal.signal(signal.SIGUSR1, print)
    multiprocessing.get_context("spawn").Process(target=os.getpid).start()
    assert len(children()) == 2  # it has a helper
    start_again(listener, lambda: False)
    print("not wanted")
    start_again(listener, lambda: True)
"""


def test_a_new_process_takes_the_place_of_the_old_one_without_its_children_and_survives_another_signal() -> None:
    done = subprocess.run([sys.executable, "-c", RESTARTING], capture_output=True, text=True, timeout=PATIENCE)
    port, not_wanted, again = done.stdout.splitlines()
    assert (not_wanted, again) == ("not wanted", f"{port} True []")
