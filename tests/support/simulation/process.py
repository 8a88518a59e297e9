"""The processes of a server, the network before them, and the modules of the server as they see the simulated world."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from ninefold.core.errors import Refusal
from ninefold.match.actions import Action
from ninefold.server.hosting import tokens
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import service as service_module
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from ninefold.server.storage.store import read_notification
from tests.support.simulation import threads
from tests.support.simulation.disk import Disk, SimulatedDatabase
from tests.support.simulation.loop import SimulatedLoop
from tests.support.simulation.world import Violation, World

Call = Callable[[Service], Awaitable[Any]]
Compute = Callable[["Process", HostedMatch], Awaitable[Action | None]]


class NoAnswer(Exception):
    """Nobody knows what became of a request."""


class Process:
    """One process of a server, from its start to its end."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        self.cluster, self.world, self.disk = cluster, cluster.world, cluster.disk
        self.number = number
        self.name = f"worker-{number}.{cluster.started}"
        self.is_dead = self.is_serving = self.is_stopping = False
        self.database: SimulatedDatabase | None = None
        self.listener: SimulatedListener | None = None
        self.waiting: list[Callable[[], None]] = []  # what is called if the process dies: connections break
        self.loop = SimulatedLoop(self.world, self)
        self.world.owner, before = self, self.world.owner
        self.service = Service(
            Path("simulated"),
            "simulated" if cluster.is_shared else None,
            config=cluster.config,
            compute=lambda hosted: cluster.compute(self, hosted),
        )
        self.world.owner = before
        self.loop.spawn(self._start())

    def now(self) -> int:
        return self.service.now()

    async def _start(self) -> None:
        try:
            await self.service.start()
        except Refusal:
            self.world.log(self.name, "could not start")
            self.world.after(0.0, self.crash)
            return
        self.is_serving = True
        self.world.log(self.name, "serves")
        self.cluster.on_serving(self)

    async def _stop(self) -> None:
        await self.service.stop()
        self.world.after(0.0, self.crash)

    def stop(self) -> None:
        """Stop as the server does on SIGTERM."""
        if self.is_serving and not self.is_stopping:
            self.world.log(self.name, "stops")
            self.is_stopping = True
            self.loop.spawn(self._stop())

    def crash(self) -> None:
        """End at once. What was not committed is lost."""
        if self.is_dead:
            return
        self.world.log(self.name, "has ended" if self.is_stopping else "crashes")
        self.is_dead, self.is_serving = True, False
        self.world.kill(self)
        self.loop.close()
        if self.disk.holder and self.disk.holder.process is self:
            self.disk.holder = None
        if self.database:
            self.database.release()
        for broken in list(self.waiting):
            broken()
        self.cluster.on_end(self)

    def failures(self) -> list[str]:
        return self.loop.failures


class SimulatedListener:
    """Receives what other processes have written, as ``NotificationListener`` does; it can lose its connection."""

    def __init__(
        self, _: str, on_match: Callable[[str, int | None], None], on_connect: Callable[[], None], *_more: object
    ) -> None:
        self.on_match, self.on_connect = on_match, on_connect
        self.is_connected = False

    def start(self) -> None:
        self.is_connected = True
        self.on_connect()

    def stop(self) -> None:
        self.is_connected = False


class Cluster:
    """All processes of a server: one with a database of its own, or several that share one."""

    def __init__(
        self, world: World, disk: Disk, *, workers: int, is_shared: bool, config: ServiceConfig, compute: Compute
    ) -> None:
        self.world, self.disk, self.is_shared, self.config, self.compute = world, disk, is_shared, config, compute
        self.started = 0
        self.downtime: Callable[[], float] = lambda: 0.0  # seconds until a dead process is replaced
        self.on_serving: Callable[[Process], None] = lambda _: None
        self.on_down: Callable[[Process], None] = lambda _: None
        disk.on_notify = self._notify
        self.processes = [self._launch(number) for number in range(workers)]

    def _launch(self, number: int) -> Process:
        self.started += 1
        return Process(self, number)

    def on_end(self, process: Process) -> None:
        self.on_down(process)

        def replace() -> None:
            self.processes[process.number] = self._launch(process.number)

        self.world.after(self.downtime(), replace)

    def is_up(self) -> bool:
        return any(process.is_serving for process in self.processes)

    def _notify(self, payload: str) -> None:
        match, revision = read_notification(payload)
        for process in self.processes:
            if process.listener and process.listener.is_connected and not process.is_dead:
                self._deliver(process, process.listener, match, revision)

    def _deliver(self, process: Process, listener: SimulatedListener, match: str, revision: int | None) -> None:
        def deliver() -> None:
            if listener.is_connected and not process.is_dead:
                listener.on_match(match, revision)

        self.world.after(self.world.random.uniform(0.0, 0.02), deliver)


class Network:
    """Carries requests to processes and answers back: late, twice, or not at all."""

    def __init__(self, world: World, cluster: Cluster, loop: SimulatedLoop) -> None:
        self.world, self.cluster, self.loop = world, cluster, loop
        self.loss = self.doubling = 0.0
        self.longest = 0.05  # seconds on the way

    def delay(self) -> float:
        return self.world.random.random() ** 3 * self.longest

    async def ask(self, number: int, call: Call, timeout: float) -> Any:
        """The answer of a process, or its refusal; NoAnswer if nobody knows."""
        answer: asyncio.Future[Any] = self.loop.create_future()
        copies = 1
        if self.world.chance(self.doubling):
            self.world.log("a request comes twice")
            copies = 2
        for _ in range(copies):
            if self.world.chance(self.loss):
                self.world.log("a request is lost")
            else:
                self.world.after(self.delay(), lambda: self._arrive(number, call, answer))
        try:
            async with asyncio.timeout(timeout):
                return await answer
        except TimeoutError:
            raise NoAnswer from None

    def _arrive(self, number: int, call: Call, answer: asyncio.Future[Any]) -> None:
        process = self.cluster.processes[number]
        if not process.is_serving:
            self._reply(answer, NoAnswer())
            return
        broken = lambda: self._reply(answer, NoAnswer())  # noqa: E731
        process.waiting.append(broken)
        process.loop.spawn(self._serve(process, call, answer, broken))

    async def _serve(
        self, process: Process, call: Call, answer: asyncio.Future[Any], broken: Callable[[], None]
    ) -> None:
        try:
            said = await call(process.service)
        except (Refusal, Violation) as raised:
            said = raised
        if broken in process.waiting:
            process.waiting.remove(broken)
        if not isinstance(said, Violation) and self.world.chance(self.loss):
            self.world.log("an answer is lost")
        else:
            self._reply(answer, said)

    def _reply(self, answer: asyncio.Future[Any], said: Any) -> None:
        def arrive() -> None:
            if answer.done():
                return
            if isinstance(said, Exception):
                answer.set_exception(said)
            else:
                answer.set_result(said)

        self.world.after(self.delay(), arrive)


class ErrorLog(logging.Handler):
    """What the server logs as an error, it did not expect."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self.world = world
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(self.world.owner, Process) and not self.world.owner.is_dead:
            error = record.exc_info[1] if record.exc_info else getattr(record, "facts", "")
            self.errors.append(f"{record.getMessage()}: {' '.join(f'{error!r}'.split())[:300]}")


@contextlib.contextmanager
def simulated_modules(world: World, errors: ErrorLog) -> Iterator[None]:
    """Let the modules of the server have threads, time, secrets and a database of the simulated world."""
    names = {
        "threading": threads.SimulatedThreading(world),
        "SimpleQueue": lambda: threads.SimulatedQueue(world),
        "time": threads.SimulatedTime(world),
        "secrets": threads.SimulatedSecrets(world),
    }

    def database(*_: object) -> SimulatedDatabase:
        process = world.owner
        assert isinstance(process, Process)
        process.database = SimulatedDatabase(process, is_shared=process.cluster.is_shared)
        return process.database

    def listener(*arguments: Any) -> SimulatedListener:
        process = world.owner
        assert isinstance(process, Process)
        process.listener = SimulatedListener(*arguments)
        return process.listener

    logger = logging.getLogger("ninefold")
    with contextlib.ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("ninefold.server.storage.") or module is tokens:
                for attribute, simulated in names.items():
                    if hasattr(module, attribute):
                        stack.enter_context(mock.patch.object(module, attribute, simulated))
        stack.enter_context(mock.patch.object(service_module, "Database", database))
        stack.enter_context(mock.patch.object(service_module, "NotificationListener", listener))
        stack.enter_context(mock.patch.object(logger, "handlers", [errors]))
        stack.enter_context(mock.patch.object(logger, "propagate", False))
        yield
