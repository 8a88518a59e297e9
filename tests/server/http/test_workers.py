"""Several workers: who is started when, and what becomes of the server when they die. The processes are made up."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ninefold.server.http import workers
from ninefold.server.http.config import Config
from ninefold.server.http.workers import REFUSED, run_workers

CRASHED, READY, STOP = 1, "ready", "stop"  # how the lives of workers go: REFUSED and CRASHED end at once


class Processes:
    """Lives in the order in which they are begun. The last one ends it all, as Ctrl-C does."""

    Event = threading.Event

    def __init__(self, *lives: int | str) -> None:
        self.lives = list(lives)
        self.begun: list[str] = []
        self.signals: dict[int, Callable[[], None]] = {}

    def Process(self, *, args: tuple[Any, ...], name: str, **_: object) -> Life:  # noqa: N802 - as multiprocessing has it
        return Life(self, args[2], name)


class Life:
    def __init__(self, processes: Processes, ready: threading.Event, name: str) -> None:
        self._processes, self._ready, self._name = processes, ready, name
        self.sentinel, self._end = os.pipe()
        self.exitcode: int | None = None

    def start(self) -> None:
        self._processes.begun.append(self._name)
        match self._processes.lives.pop(0):
            case int(code):
                self._die(code)
            case "ready":
                self._ready.set()
            case "stop":
                self._processes.signals[signal.SIGTERM]()

    def _die(self, code: int) -> None:
        self.exitcode = code
        os.close(self._end)

    def is_alive(self) -> bool:
        return self.exitcode is None

    def terminate(self) -> None:
        if self.is_alive():
            self._die(-signal.SIGTERM)

    def join(self, _: float) -> None:
        os.close(self.sentinel)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, list[str], int]]:
    def serve(*lives: int | str) -> tuple[int, list[str], int]:
        """The exit code, which workers were begun, and how often it was said that the server is there."""
        processes, said = Processes(*lives), []
        monkeypatch.setattr("multiprocessing.get_context", lambda _: processes)
        monkeypatch.setattr("signal.signal", processes.signals.__setitem__)
        monkeypatch.setattr(workers, "set_up", lambda _: None)
        monkeypatch.setattr(workers, "PAUSE", 0.0)
        listener: Any = None
        code = run_workers(Config(Path("unused")), listener, 2, lambda: said.append("there"))
        return code, processes.begun, len(said)

    return serve


Serve = Callable[..., tuple[int, list[str], int]]


def test_the_others_are_started_when_the_first_is_ready(serve: Serve) -> None:
    assert serve(READY, STOP) == (0, ["ninefold-0", "ninefold-1"], 1)


@pytest.mark.parametrize("lives", [(REFUSED,), (READY, REFUSED)])
def test_a_server_whose_worker_cannot_start_ends(serve: Serve, lives: tuple[int | str, ...]) -> None:
    code, begun, _ = serve(*lives)
    assert (code, len(begun)) == (REFUSED, len(lives))


def test_a_first_worker_that_dies_before_it_is_ready_keeps_nobody_waiting(serve: Serve) -> None:
    assert serve(CRASHED, READY, STOP) == (0, ["ninefold-0", "ninefold-0", "ninefold-1"], 1)


def test_a_worker_that_is_refused_when_it_is_started_again_does_not_end_the_server(serve: Serve) -> None:
    begun = ["ninefold-0", "ninefold-1", "ninefold-1", "ninefold-1"]
    assert serve(READY, CRASHED, REFUSED, STOP) == (0, begun, 1)
