"""One server process, or several workers that share one port. A worker that dies is replaced; on request all are."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ninefold.core.errors import Refusal
from ninefold.core.exit_codes import REFUSED
from ninefold.core.on_parent_exit import on_parent_exit
from ninefold.server.http.config import RESTART_SIGNAL, STOP_SECONDS, Config
from ninefold.server.http.logs import log_info, log_warning, say, set_up
from ninefold.server.http.serve import WorkerSockets
from ninefold.server.http.systemd import ServiceManager, start_again

if TYPE_CHECKING:
    from ninefold.server.http.metrics import SharedMetrics
    from ninefold.server.http.uvicorn_server import HttpServer

STOP_PATIENCE = STOP_SECONDS + 7.0  # seconds in which a worker has to stop
EARLY_EXIT_SECONDS = 5.0  # a worker that dies sooner after its start is replaced after a pause
PAUSE_SECONDS = 1.0
POLL_SECONDS = 0.1


def run_alone(config: Config, listener: socket.socket, on_start: Callable[[], None]) -> int:
    """Serve in this process until a signal comes; returns the exit code."""
    gc.disable()  # what is imported now stays; ``run`` enables it again
    from ninefold.server.http.uvicorn_server import run

    manager = ServiceManager()

    def announce() -> None:
        on_start()
        manager.ready()

    kept = listener.dup()  # the server closes its own; a successor needs one

    def keep_for_successor(server: HttpServer) -> None:
        server.on_shutdown = lambda: None if server.is_to_restart else kept.close()

    server = run(config, listener, announce, keep_for_successor, manager.beat)
    if server.is_to_restart:
        start_again(kept, lambda: server.is_to_restart)
    kept.close()
    manager.stopping()
    return 0


def run_workers(config: Config, listener: socket.socket, on_start: Callable[[], None]) -> int:
    """Serve with several processes until a signal comes; returns the exit code."""
    from ninefold.server.http.metrics import shared_metrics

    set_up(quiet=config.quiet)
    stopping, restarting = threading.Event(), threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stopping.set())
    if RESTART_SIGNAL:
        signal.signal(RESTART_SIGNAL, lambda *_: restarting.set())
    context = multiprocessing.get_context("spawn")
    prepared = context.Event()  # set when a worker listens
    manager = ServiceManager()

    def announce() -> None:
        on_start()
        manager.ready()

    with shared_metrics(config.metrics) as metrics, WorkerSockets(listener) as sockets:

        def start(number: int, *, is_replacement: bool = False) -> Worker:
            beat, waits_for = context.RawValue("d", 0.0), prepared if number else None
            arguments = (config, sockets.get(number), beat, prepared, waits_for)
            process = context.Process(target=_work, args=arguments, name=f"ninefold-{number}")
            process.start()
            return Worker(number, process, beat, time.monotonic(), is_replacement)

        return Supervisor(config.workers, start, sockets.drop, stopping, restarting, metrics, manager).run(announce)


class Beat(Protocol):
    value: float  # when the worker's event loop last ran, by the monotonic clock; 0 until it listens


class Worker(NamedTuple):
    number: int
    process: SpawnProcess
    beat: Beat
    started_at: float
    is_replacement: bool = False

    @property
    def is_ready(self) -> bool:
        return self.beat.value > 0.0

    def drain(self) -> None:
        """Ask the worker to end after the requests that its clients are about to send."""
        if RESTART_SIGNAL and self.process.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, RESTART_SIGNAL)


class Supervisor:
    """Starts workers with ``start``, and replaces those that die, until ``stopping`` is set.

    When ``restarting`` is set, all are replaced, one after the other. ``on_death`` is called with the number of a
    worker that has died.
    """

    def __init__(
        self,
        count: int,
        start: Callable[..., Worker],
        on_death: Callable[[int], None],
        stopping: threading.Event,
        restarting: threading.Event,
        metrics: SharedMetrics,
        manager: ServiceManager,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._count = count
        self._start = start
        self._on_death = on_death
        self._stopping = stopping
        self._restarting = restarting
        self._metrics = metrics
        self._manager = manager
        self._pause_seconds = pause_seconds
        self._workers: list[Worker] = []
        self._outdated: list[int] = []  # the numbers of workers that are to be replaced
        self._successor: Worker | None = None
        self._retired: list[tuple[Worker, float]] = []  # with the time until which each has to end

    def run(self, on_start: Callable[[], None]) -> int:
        """Returns the exit code."""
        is_announced = False
        try:
            self._workers = [self._start(number) for number in range(self._count)]
            while not self._stopping.is_set():
                if not is_announced and all(worker.is_ready for worker in self._workers):
                    on_start()
                    is_announced = True
                if refused := self._replace_dead():
                    return refused
                if is_announced:
                    self._roll()
                self._beat()
            return 0
        finally:
            self._manager.stopping()
            self._stop()

    def _replace_dead(self) -> int:
        """Wait a little for workers that die, and replace them; returns the exit code of one that cannot start."""
        wait([worker.process.sentinel for worker in self._workers], timeout=POLL_SECONDS)
        for place, worker in enumerate(self._workers):
            if self._stopping.is_set() or worker.process.is_alive():
                continue
            # It has printed why it cannot start.
            if worker.process.exitcode == REFUSED and not worker.is_replacement:
                return REFUSED
            log_warning("worker died", worker=worker.number, code=worker.process.exitcode)
            self._metrics.remove_worker(worker.process.pid)
            if self._successor and self._successor.number == worker.number:
                # It has the same socket, where connections wait for it.
                self._workers[place], self._successor = self._successor, None
                continue
            self._on_death(worker.number)
            if time.monotonic() - worker.started_at < EARLY_EXIT_SECONDS:
                self._stopping.wait(self._pause_seconds)
            self._workers[place] = self._start(worker.number, is_replacement=True)
        return 0

    def _roll(self) -> None:
        """One step of a restart: a worker goes when its successor listens."""
        if self._restarting.is_set():
            self._restarting.clear()
            self._outdated = list(range(self._count))
        if self._outdated and self._successor is None:
            self._successor = self._start(self._outdated.pop(0), is_replacement=True)
        elif self._successor and self._successor.is_ready:
            old, self._workers[self._successor.number] = self._workers[self._successor.number], self._successor
            self._successor = None
            old.drain()
            self._retired.append((old, time.monotonic() + STOP_PATIENCE))
            log_info("worker restarted", worker=old.number)
        elif self._successor and not self._successor.process.is_alive():
            log_warning("restart failed", worker=self._successor.number, code=self._successor.process.exitcode)
            self._successor, self._outdated = None, []  # the workers that serve go on
        for worker, until in list(self._retired):
            if worker.process.is_alive() and time.monotonic() > until:
                worker.process.kill()
            if not worker.process.is_alive():
                worker.process.join()
                self._metrics.remove_worker(worker.process.pid)
                self._retired.remove((worker, until))

    def _beat(self) -> None:
        """Tell the watchdog that all workers run. One whose event loop hangs keeps silent, and so does this."""
        silent_since = time.monotonic() - self._manager.watchdog_seconds
        if all(not worker.is_ready or worker.beat.value > silent_since for worker in self._workers):
            self._manager.beat()

    def _stop(self) -> None:
        for number in range(self._count):
            self._on_death(number)
        workers = [*self._workers, *(worker for worker, _ in self._retired)]
        workers += [self._successor] if self._successor else []
        for worker in workers:
            worker.process.terminate()
        until = time.monotonic() + STOP_PATIENCE
        for worker in workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                log_warning("worker did not stop", worker=worker.number)
                worker.process.kill()
                worker.process.join()


def _work(config: Config, listener: socket.socket, beat: Beat, prepared: Event, waits_for: Event | None) -> None:
    """Run a worker process. Only workers import the web framework, which takes long.

    The first one migrates the database, and prints why it cannot start if it cannot; the others wait for it.
    """
    gc.disable()  # as in run_alone
    from ninefold.server.http.uvicorn_server import run

    if waits_for:
        _wait_for(waits_for)

    def note_start() -> None:
        note_beat()
        prepared.set()

    def note_beat() -> None:
        beat.value = time.monotonic()

    def end_with_supervisor(server: HttpServer) -> None:
        def end() -> None:
            server.stop()
            time.sleep(STOP_PATIENCE)
            os._exit(1)  # the database hangs, perhaps; a new server may want the port

        on_parent_exit(end)

    try:
        run(config, listener, note_start, end_with_supervisor, note_beat)
    except Refusal as refusal:
        say(f"ninefold: {refusal}", stream=sys.stderr)
        sys.exit(REFUSED)


def _wait_for(event: Event) -> None:
    """Wait for an event, unless the supervisor has gone."""
    parent = multiprocessing.parent_process()
    while not event.wait(POLL_SECONDS):
        if parent and not parent.is_alive():
            sys.exit(1)
