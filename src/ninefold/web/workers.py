"""One process, or several that share one address. A worker that dies is started again."""

from __future__ import annotations

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
from typing import NamedTuple

from ninefold.core import Refusal
from ninefold.web.config import Config
from ninefold.web.listening import own
from ninefold.web.logs import set_up, warn
from ninefold.web.server import STOP_SECONDS, Server, run

REFUSED = 2  # the exit code of a worker that cannot start, and said why
PATIENCE = STOP_SECONDS + 7.0  # seconds that a worker has to stop in
YOUNG = 5.0  # seconds; who dies younger is started again after a pause


def run_alone(config: Config, listener: socket.socket, started: Callable[[], None]) -> int:
    run(config, listener, started, lambda _: None)
    return 0


class Worker(NamedTuple):
    number: int
    process: SpawnProcess
    born: float


def run_workers(config: Config, listener: socket.socket, count: int, started: Callable[[], None]) -> int:
    """Serve with several processes until a signal comes; the exit code."""
    set_up(config.quiet)
    stopping = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stopping.set())
    context = multiprocessing.get_context("spawn")
    ready = context.Event()

    def start(number: int) -> Worker:
        own = config._replace(metrics=_metrics_of(config, number))
        process = context.Process(target=_work, args=(own, listener, ready), name=f"ninefold-{number}")
        process.start()
        return Worker(number, process, time.monotonic())

    # The first one brings the database to this version, and says what is wrong when something is.
    workers = [start(0)]
    try:
        while not ready.wait(0.1) and workers[0].process.is_alive() and not stopping.is_set():
            pass
        if ready.is_set() and not stopping.is_set():
            workers += [start(number) for number in range(1, count)]
            started()
        return _keep(workers, start, stopping)
    finally:
        _stop(workers)


def _keep(workers: list[Worker], start: Callable[[int], Worker], stopping: threading.Event) -> int:
    while not stopping.is_set():
        wait([worker.process.sentinel for worker in workers], timeout=0.5)
        for place, worker in enumerate(workers):
            if stopping.is_set() or worker.process.is_alive():
                continue
            if worker.process.exitcode == REFUSED:
                return REFUSED
            warn("worker died", worker=worker.number, code=worker.process.exitcode)
            if time.monotonic() - worker.born < YOUNG:
                stopping.wait(1.0)
            workers[place] = start(worker.number)
    return 0


def _stop(workers: list[Worker]) -> None:
    for worker in workers:
        worker.process.terminate()
    until = time.monotonic() + PATIENCE
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            warn("worker did not stop", worker=worker.number)
            worker.process.kill()
            worker.process.join()


def _metrics_of(config: Config, number: int) -> tuple[str, int] | None:
    """Each worker counts for itself, at a port of its own: the given one, the next one ..."""
    if config.metrics is None:
        return None
    host, port = config.metrics
    return host, port + number if port else 0


def _work(config: Config, listener: socket.socket, ready: Event) -> None:
    """What a worker process does."""
    try:
        run(config, own(listener), ready.set, _leave_with_the_parent)
    except Refusal as refusal:
        print(f"ninefold: {refusal}", file=sys.stderr)
        sys.exit(REFUSED)


def _leave_with_the_parent(server: Server) -> None:
    """A supervisor that was killed takes its workers with it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        server.leave()

    threading.Thread(target=watch, name="ninefold-parent", daemon=True).start()
