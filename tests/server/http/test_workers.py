"""The supervisor of several workers: who is started when, and what happens when they die. The processes are fakes."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from ninefold.core.exit_codes import REFUSED
from ninefold.server.http.metrics import SharedMetrics
from ninefold.server.http.workers import Supervisor

CRASHED, READY, STOP = 1, "ready", "stop"  # how the lives of workers go: REFUSED and CRASHED end at once


class FakeProcess:
    """A process that dies at once with an exit code, or lives until it is terminated."""

    pid = None

    def __init__(self, exitcode: int | None) -> None:
        self.sentinel, self._end = os.pipe()
        self.exitcode: int | None = None
        if exitcode is not None:
            self._die(exitcode)

    def _die(self, code: int) -> None:
        self.exitcode = code
        os.close(self._end)

    def is_alive(self) -> bool:
        return self.exitcode is None

    def terminate(self) -> None:
        if self.is_alive():
            self._die(-15)

    def join(self, _: float) -> None:
        os.close(self.sentinel)


def supervise(*lives: int | str) -> tuple[int, list[int], int]:
    """The exit code, the numbers of the workers that were started, and how often ``on_start`` was called.

    The workers live as they are told, in the order in which they are started. The last one stops the supervisor.
    """
    left, started = list(lives), list[int]()
    ready, stopping, on_start = threading.Event(), threading.Event(), list[bool]()

    def start(number: int) -> Any:
        started.append(number)
        life = left.pop(0)
        if life == READY:
            ready.set()
        if life == STOP:
            stopping.set()
        return FakeProcess(life if isinstance(life, int) else None)

    supervisor = Supervisor(2, start, ready, stopping, SharedMetrics(""), pause_seconds=0.0)
    code = supervisor.run(lambda: on_start.append(True))
    return code, started, len(on_start)


def test_the_others_are_started_when_the_first_is_ready() -> None:
    assert supervise(READY, STOP) == (0, [0, 1], 1)


@pytest.mark.parametrize("lives", [(REFUSED,), (READY, REFUSED)])
def test_a_worker_that_cannot_start_ends_the_server(lives: tuple[int | str, ...]) -> None:
    code, started, _ = supervise(*lives)
    assert (code, len(started)) == (REFUSED, len(lives))


def test_a_first_worker_that_dies_before_it_is_ready_is_replaced() -> None:
    assert supervise(CRASHED, READY, STOP) == (0, [0, 0, 1], 1)


def test_a_replacement_that_cannot_start_is_replaced_again() -> None:
    assert supervise(READY, CRASHED, REFUSED, STOP) == (0, [0, 1, 1, 1], 1)
