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
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.errors import Refusal
from ninefold.server.http.config import STOP_SECONDS, Config
from ninefold.server.http.listener import own
from ninefold.server.http.logs import set_up, warn
from ninefold.server.storage.on_parent_exit import when_the_parent_goes

if TYPE_CHECKING:
    from ninefold.server.http.uvicorn_server import Server

REFUSED = 2  # the exit code of a worker that cannot start, and said why
PATIENCE = STOP_SECONDS + 7.0  # seconds that a worker has to stop in
YOUNG = 5.0  # seconds; who dies younger is started again after a pause
PAUSE = 1.0  # seconds
LOOK = 0.1  # seconds between two looks at the workers


def run_alone(config: Config, listener: socket.socket, started: Callable[[], None]) -> int:
    from ninefold.server.http.uvicorn_server import run

    run(config, listener, started, lambda _: None)
    return 0


class Worker(NamedTuple):
    number: int
    process: SpawnProcess
    born: float
    again: bool = False  # after one that died


def run_workers(config: Config, listener: socket.socket, count: int, started: Callable[[], None]) -> int:
    """Serve with several processes until a signal comes; the exit code."""
    set_up(config.quiet)
    stopping = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stopping.set())
    context = multiprocessing.get_context("spawn")
    ready = context.Event()

    def start(number: int, *, again: bool = False) -> Worker:
        its = config._replace(metrics=_metrics_of(config, number))
        process = context.Process(target=_work, args=(its, listener, ready), name=f"ninefold-{number}")
        process.start()
        return Worker(number, process, time.monotonic(), again)

    # The first one brings the database to this version, and says what is wrong when something is.
    workers = [start(0)]
    try:
        while not stopping.is_set():
            if ready.is_set() and len(workers) < count:
                workers += [start(number) for number in range(1, count)]
                started()
            if refused := replace_dead(workers, start, stopping):
                return refused
        return 0
    finally:
        _stop(workers)


def replace_dead(workers: list[Worker], start: Callable[..., Worker], stopping: threading.Event) -> int:
    """Wait a moment for workers that die, and start them again; the exit code where one could not start at all."""
    wait([worker.process.sentinel for worker in workers], timeout=LOOK)
    for place, worker in enumerate(workers):
        if stopping.is_set() or worker.process.is_alive():
            continue
        if worker.process.exitcode == REFUSED and not worker.again:
            return REFUSED
        warn("worker died", worker=worker.number, code=worker.process.exitcode)
        if time.monotonic() - worker.born < YOUNG:
            stopping.wait(PAUSE)
        workers[place] = start(worker.number, again=True)
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
    """What a worker process does. It alone imports the server: who only looks after workers need not wait for that."""
    from ninefold.server.http.uvicorn_server import run

    try:
        run(config, own(listener), ready.set, _leave_with_the_parent)
    except Refusal as refusal:
        print(f"ninefold: {refusal}", file=sys.stderr)
        sys.exit(REFUSED)


def _leave_with_the_parent(server: Server) -> None:
    """A supervisor that was killed takes its workers with it."""
    when_the_parent_goes(server.leave)
