"""The supervisor of several workers: who is started when, and what happens when they die. The processes are fakes."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from ninefold.core.exit_codes import REFUSED
from ninefold.server.http.metrics import SharedMetrics
from ninefold.server.http.systemd import ServiceManager
from ninefold.server.http.workers import Supervisor, Worker

# How the lives of workers go: REFUSED and CRASHED end at once, LATE ones listen after a while,
# and FATAL ones are started when the first one dies.
CRASHED, READY, LATE, RESTART, STOP, FATAL = 1, "ready", "late", "restart", "stop", "fatal"


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


class FakeBeat:
    def __init__(self) -> None:
        self.value = 0.0


class CountedBeats(ServiceManager):
    """Counts the messages that systemd's watchdog would get."""

    count = 0

    def beat(self) -> None:
        self.count += 1


class Site:
    """A supervisor of two workers, which live as they are told, in the order in which they are started."""

    def __init__(self, *lives: int | str, watchdog: str = "") -> None:
        self.left, self.started, self.died = list(lives), list[int](), list[int]()
        self.workers: list[Worker] = []
        self.ready_at_start: list[int] = []  # how many workers listened when ``on_start`` was called
        self.stopping, self.restarting = threading.Event(), threading.Event()
        self.manager = CountedBeats({"WATCHDOG_USEC": watchdog} if watchdog else {})

    def start(self, number: int, *, is_replacement: bool = False) -> Worker:
        self.started.append(number)
        life = self.left.pop(0)
        beat = FakeBeat()
        process: Any = FakeProcess(life if isinstance(life, int) else None)
        self.workers.append(Worker(number, process, beat, time.monotonic(), is_replacement))
        if life in (READY, RESTART, STOP):
            beat.value = time.monotonic()
        if life == LATE:
            threading.Timer(0.2, setattr, (beat, "value", 1.0)).start()
        if life == RESTART:
            self.restarting.set()
        if life == FATAL:
            self.workers[0].process.terminate()
        if life == STOP:
            self.stopping.set()
        return self.workers[-1]

    def run(self) -> int:
        metrics = SharedMetrics("")
        supervisor = Supervisor(
            2, self.start, self.died.append, self.stopping, self.restarting, metrics, self.manager, pause_seconds=0.0
        )
        return supervisor.run(self.on_start)

    def on_start(self) -> None:
        self.ready_at_start.append(sum(worker.is_ready for worker in self.workers))
        if not self.left:
            self.stopping.set()


def supervise(*lives: int | str) -> tuple[int, list[int], int]:
    """The exit code, the numbers of the workers that were started, and how often ``on_start`` was called."""
    site = Site(*lives)
    code = site.run()
    return code, site.started, len(site.ready_at_start)


@pytest.mark.parametrize("lives", [(REFUSED, LATE), (READY, REFUSED)])
def test_a_worker_that_cannot_start_ends_the_server(lives: tuple[int | str, ...]) -> None:
    code, started, _ = supervise(*lives)
    assert (code, len(started)) == (REFUSED, len(lives))


def test_a_first_worker_that_dies_before_it_is_ready_is_replaced() -> None:
    assert supervise(CRASHED, READY, READY) == (0, [0, 1, 0], 1)


def test_a_replacement_that_cannot_start_is_replaced_again() -> None:
    assert supervise(READY, CRASHED, REFUSED, READY) == (0, [0, 1, 1, 1], 1)


def test_the_start_is_announced_when_every_worker_listens() -> None:
    site = Site(READY, LATE)
    assert site.run() == 0
    assert site.ready_at_start == [2]


class WatchedSite(Site):
    """The event loop of its second worker hangs, or runs as that of the first one."""

    def __init__(self, *, hangs: bool) -> None:
        super().__init__(READY, READY, watchdog="1")
        self.hangs = hangs

    def on_start(self) -> None:
        running, hung = time.monotonic() + 1e6, time.monotonic()
        for worker, beat in zip(self.workers, (running, hung if self.hangs else running), strict=True):
            worker.beat.value = beat
        super().on_start()


@pytest.mark.parametrize("hangs", [False, True])
def test_the_watchdog_is_told_only_while_the_event_loops_of_all_workers_run(hangs: bool) -> None:
    site = WatchedSite(hangs=hangs)
    assert site.run() == 0
    assert site.manager.count == (0 if hangs else 1)


def test_a_restart_replaces_each_worker_when_its_successor_listens() -> None:
    site = Site(READY, RESTART, READY, STOP)
    assert site.run() == 0
    assert site.started == [0, 1, 0, 1]
    assert [worker.is_replacement for worker in site.workers] == [False, False, True, True]


def test_a_restart_ends_when_a_successor_cannot_start_and_the_old_workers_go_on() -> None:
    site = Site(READY, RESTART, REFUSED)
    threading.Timer(0.5, site.stopping.set).start()
    assert site.run() == 0
    assert site.started == [0, 1, 0]
    assert not any(worker.process.exitcode == REFUSED for worker in site.workers[:2])


def test_the_socket_of_a_dead_worker_is_dropped_so_that_others_get_its_connections() -> None:
    site = Site(READY, CRASHED, READY)
    assert site.run() == 0
    assert site.died[0] == 1


def test_a_successor_takes_the_place_of_a_worker_that_dies_meanwhile_with_its_socket() -> None:
    site = Site(READY, RESTART, FATAL, STOP)
    assert site.run() == 0
    assert site.started == [0, 1, 0, 1]
    assert site.died == [0, 1]  # at the end, when all sockets are dropped
    assert site.workers[2].process.exitcode == -signal.SIGTERM
