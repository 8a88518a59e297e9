"""What systemd and a server tell each other: a socket that is passed on, readiness, and the watchdog.

A message is one datagram to the socket that NOTIFY_SOCKET names; without that variable nothing is sent.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from multiprocessing import resource_tracker

from ninefold.server.http.config import RESTART_SIGNAL

FIRST_FD = 3  # where the protocol puts sockets that are passed on
CHILD_SECONDS = 2.0  # in which child processes have to end before the server starts again


class ServiceManager:
    """Tells systemd how the server is. ``clock`` is in seconds."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._clock = clock
        microseconds = environment.get("WATCHDOG_USEC", "")
        is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_seconds: float = int(microseconds) / 1e6 if microseconds.isdigit() and is_ours else 0.0
        self._next_beat = 0.0

    def ready(self) -> None:
        self._send("READY=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def beat(self) -> None:
        """To be called often: the watchdog is told twice within its time."""
        if self.watchdog_seconds and self._clock() >= self._next_beat:
            self._next_beat = self._clock() + self.watchdog_seconds / 2
            self._send("WATCHDOG=1")

    def _send(self, state: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(state.encode(), address)


def passed_socket(environment: Mapping[str, str] = os.environ) -> socket.socket | None:
    """The listening socket that the process was started with, if there is one."""
    if environment.get("LISTEN_PID") != str(os.getpid()) or environment.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=FIRST_FD)


def start_again(listener: socket.socket, is_wanted: Callable[[], bool]) -> None:
    """Replace this process by a new one with the same command and the same listening socket: clients wait in it.

    Returns if that is no longer wanted when everything is ready for it.
    """
    _end_children()
    sys.stdout.flush()
    logging.shutdown()  # what the thread of the log has not written
    sys.stderr.flush()
    if listener.fileno() == FIRST_FD:
        listener.set_inheritable(True)
    else:
        os.dup2(listener.fileno(), FIRST_FD)
    passed = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    if not is_wanted():
        return
    if RESTART_SIGNAL:
        signal.signal(RESTART_SIGNAL, signal.SIG_IGN)  # until the new process handles it: else it would be killed
    os.execve(sys.executable, sys.orig_argv, {**os.environ, **passed})  # noqa: S606 - the command that started this one


def _end_children() -> None:
    """Nobody would wait for them after the start of the new process, and they would stay as zombies."""
    until = time.monotonic() + CHILD_SECONDS
    for child in multiprocessing.active_children():
        child.join(max(0.0, until - time.monotonic()))
        if child.is_alive():
            child.kill()
            child.join()
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]
