"""One server process, or several workers that share one port. A worker that dies is replaced."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.errors import Refusal
from ninefold.core.exit_codes import REFUSED
from ninefold.server.http.config import STOP_SECONDS, Config
from ninefold.server.http.logs import log_warning, set_up
from ninefold.server.http.serve import worker_socket
from ninefold.server.storage.on_parent_exit import on_parent_exit

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

    run(config, listener, on_start)
    return 0


def run_workers(config: Config, listener: socket.socket, on_start: Callable[[], None]) -> int:
    """Serve with several processes until a signal comes; returns the exit code."""
    from ninefold.server.http.metrics import shared_metrics

    set_up(quiet=config.quiet)
    stopping = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stopping.set())
    context = multiprocessing.get_context("spawn")
    ready = context.Event()

    def start(number: int) -> SpawnProcess:
        process = context.Process(target=_work, args=(config, listener, ready), name=f"ninefold-{number}")
        process.start()
        return process

    with shared_metrics(config.metrics) as metrics:
        return Supervisor(config.workers, start, ready, stopping, metrics).run(on_start)


class Worker(NamedTuple):
    number: int
    process: SpawnProcess
    started_at: float
    is_replacement: bool = False


class Supervisor:
    """Starts workers with ``start``, and replaces those that die, until ``stopping`` is set."""

    def __init__(
        self,
        count: int,
        start: Callable[[int], SpawnProcess],
        ready: Event | threading.Event,
        stopping: threading.Event,
        metrics: SharedMetrics,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._count = count
        self._start = start
        self._ready = ready
        self._stopping = stopping
        self._metrics = metrics
        self._pause_seconds = pause_seconds
        self._workers: list[Worker] = []

    def run(self, on_start: Callable[[], None]) -> int:
        """Returns the exit code."""
        try:
            # The first worker migrates the database, and prints why it cannot start if it cannot.
            self._workers = [self._new_worker(0)]
            while not self._stopping.is_set():
                if self._ready.is_set() and len(self._workers) < self._count:
                    self._workers += [self._new_worker(number) for number in range(1, self._count)]
                    on_start()
                if refused := self._replace_dead():
                    return refused
            return 0
        finally:
            self._stop()

    def _new_worker(self, number: int, *, is_replacement: bool = False) -> Worker:
        return Worker(number, self._start(number), time.monotonic(), is_replacement)

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
            if time.monotonic() - worker.started_at < EARLY_EXIT_SECONDS:
                self._stopping.wait(self._pause_seconds)
            self._workers[place] = self._new_worker(worker.number, is_replacement=True)
        return 0

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        until = time.monotonic() + STOP_PATIENCE
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                log_warning("worker did not stop", worker=worker.number)
                worker.process.kill()
                worker.process.join()


def _work(config: Config, listener: socket.socket, ready: Event) -> None:
    """Run a worker process. Only workers import the web framework, which takes long."""
    gc.disable()
    from ninefold.server.http.uvicorn_server import run

    def stop_with_supervisor(server: HttpServer) -> None:
        on_parent_exit(server.stop)

    try:
        run(config, worker_socket(listener), ready.set, stop_with_supervisor)
    except Refusal as refusal:
        print(f"ninefold: {refusal}", file=sys.stderr)
        sys.exit(REFUSED)
