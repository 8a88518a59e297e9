"""One seed: a server, its clients and what goes wrong, until everything has been repaired and checked."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool

from ninefold.match.actions import Action
from ninefold.server.hosting.model import HostedMatch, Responses
from ninefold.server.storage import migrations, shared_state, store
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from tests.support.simulation.clients import Follower, Players, choose
from tests.support.simulation.disk import Disk, SimulatedConnection, empty_image
from tests.support.simulation.faults import Faults
from tests.support.simulation.loop import SimulatedLoop
from tests.support.simulation.model import Model, is_running
from tests.support.simulation.process import Cluster, ErrorLog, Network, Process, simulated_modules
from tests.support.simulation.world import Violation, World

PATIENCE = 100.0  # simulated seconds in which everything ends after the repair
COMPUTER = "easy"

Planted = Callable[[], AbstractContextManager[object]]


class Outcome(NamedTuple):
    """What happened in a seed. ``problem`` is empty if the server did all it should."""

    seed: int
    problem: str
    steps: int
    commits: int
    seconds: float
    events: int
    crashes: int
    trace: list[str]


class Simulation:
    def __init__(self, world: World, errors: ErrorLog) -> None:
        self.world, self.errors = world, errors
        random = world.random
        world.preemption = random.choice((0.05, 0.2, 0.5))
        self.model = Model(world)
        self.loop = SimulatedLoop(world)
        self.disk = Disk(world, _template() if random.random() < 0.9 else empty_image())
        self.disk.on_commit = self._committed
        self.problem = ""
        self.disk.faults.slow_read = random.choice((0.0, 0.0, 0.2))
        is_shared = random.random() < 0.35
        self.hung = 0  # computations that never return
        self.is_repaired = False
        config = ServiceConfig(
            cached=random.choice((1, 1, 2, 100)),
            sweep_seconds=random.choice((1.0, 3.0)),
            heartbeat_seconds=4.0,
            outage_ms=12_000,
            housekeeping_seconds=random.choice((5.0, 600.0)),
            presence_seconds=random.choice((3.0, 20.0)),
        )
        self.cluster = Cluster(
            world,
            self.disk,
            workers=random.choice((1, 2)) if is_shared else 1,
            is_shared=is_shared,
            config=config,
            compute=self._compute,
        )
        self.network = Network(world, self.cluster, self.loop)
        self.faults = Faults(self)
        self.followers: list[Follower] = []
        self.tasks: list[asyncio.Task[Any]] = []

    def _committed(self, connection: SimulatedConnection) -> None:
        try:
            self.model.committed(connection)
        except Violation as violation:  # the server would catch it
            self.problem = self.problem or str(violation)

    async def _compute(self, process: Process, hosted: HostedMatch) -> Action | None:
        """What a computer does: late, never, or nothing at all."""
        random = self.world.random
        if not self.is_repaired and self.faults.bots:
            if random.random() < 0.05:
                self.hung += 1
                await process.loop.create_future()
            if random.random() < 0.05:
                return None
            if random.random() < 0.1:
                await asyncio.sleep(random.uniform(0.0, 40.0))
        await asyncio.sleep(random.uniform(0.0, 0.3))
        seat, chosen = hosted.computer_to_act, None
        while chosen is None or chosen.kind in ("say", "resign", "offer", "withdraw"):
            chosen = choose(hosted.match, seat, random.random)
        version = hosted.match.version
        self.model.ask(hosted.id, seat, f"computer-{version}", version, chosen)
        return chosen

    async def ask(self, call: Callable[[Service], Awaitable[Any]]) -> Any:
        number = int(self.world.random.random() * len(self.cluster.processes))
        return await self.network.ask(number, call, timeout=self.world.random.uniform(1.0, 4.0))

    def follow(self, match: str, token: str | None) -> None:
        follower = Follower(self, match, token)
        self.followers.append(follower)
        self.loop.spawn(follower.run())

    def run(self) -> None:
        world = self.world
        boards = world.random.choice((1, 1, 1, 2))
        self.tasks = [self.loop.spawn(Players(self, number).run()) for number in range(boards)]
        self.loop.spawn(self.faults.run())
        world.after_step = self._after_step
        self._until(self._players_are_done, world.random.uniform(4.0, 25.0), "")
        self.repair()
        self._until(self._players_are_done, PATIENCE, "somebody waits for an answer for ever")
        self._until(self._all_is_told, PATIENCE, "")
        self.finish_deletions()
        self.check_end()

    def _until(self, holds: Callable[[], bool], seconds: float, otherwise: str) -> None:
        self.world.run(holds, self.world.time + seconds)
        if otherwise and not holds():
            raise Violation(otherwise)

    def repair(self) -> None:
        """From now on nothing goes wrong any more."""
        self.world.log("repaired")
        self.is_repaired = True
        self.faults.end()
        if self.hung:
            for process in self.cluster.processes:
                process.crash()

    def finish_deletions(self) -> None:
        """Let the housekeeping, which comes every ten minutes, do what interrupted deletions have left."""
        if not self.model.ratings.deleted:
            return

        def lasting() -> Process | None:
            return next((one for one in self.cluster.processes if one.is_serving and not one.is_stopping), None)

        self._until(lambda: lasting() is not None, PATIENCE, "nobody serves")
        process = lasting()
        assert process
        task = process.loop.spawn(process.service.profiles.housekeeping())
        self._until(task.done, PATIENCE, "a deletion is never finished")
        with _opened(self.disk.image) as (driver, _):
            there = {id for (id,) in driver.execute("SELECT id FROM profiles")}  # some were made again
            named = {id for (id,) in driver.execute("SELECT profile FROM chairs UNION SELECT profile FROM played")}
        if left := named & self.model.ratings.deleted - there:
            raise Violation(f"matches still name deleted profiles: {left}")

    def _after_step(self) -> None:
        if self.problem:
            raise Violation(self.problem)
        if self.errors.errors:
            raise Violation(f"the server has logged an error: {self.errors.errors[0]}")
        if self.loop.failures:
            raise Violation(self.loop.failures[0])
        self.faults.after_step()

    def _players_are_done(self) -> bool:
        for task in self.tasks:
            if task.done() and (error := task.exception()):
                raise error if isinstance(error, Violation) else Violation(f"{type(error).__name__}: {error}")
        return all(task.done() for task in self.tasks)

    def _all_is_told(self) -> bool:
        return all(follower.has_all for follower in self.followers) and not self._waiting()

    def _waiting(self) -> list[str]:
        """Matches in which the referee or a computer is to act."""
        waiting = []
        for id, model in self.model.matches.items():
            if id in self.model.deleted:
                continue
            match = model.match
            seats = [match.to_act, 3 - match.state.offer[0] if match.state.offer else None]
            computers = [seat for seat in seats if seat and match.setup.seats[seat - 1].player == COMPUTER]
            clocks = model.clock is not None and is_running(match.state)
            if match.result is None and model.status == "live" and (computers or clocks or match.state.pending):
                waiting.append(id)
        return waiting

    def check_end(self) -> None:
        """Whatever the server owed, it has done; and what it remembers is what is stored."""
        if waiting := self._waiting():
            raise Violation(f"a flag, a verdict or a computer's move never came in {waiting}")
        for follower in self.followers:
            if not follower.has_all:
                raise Violation(f"match {follower.match}: a follower has {follower.size} events for ever")
        self._until(lambda: False, 1.0, "")  # what was committed gets into the cache
        self.check_caches()

    def check_caches(self) -> None:
        """A cached revision is the stored one of that number, and where nobody else writes it is the latest.

        Nobody reads the cache of a process that has ended; it may have missed the last commit.
        """
        stored = load_all(self.disk.image)
        for process in filter(lambda process: process.is_serving, self.cluster.processes):
            for id, hosted in stored.items():
                cached = process.service.cache.get(id)
                if cached is None or (self.cluster.is_shared and cached.revision < hosted.revision):
                    continue
                if _comparable(cached) != _comparable(hosted):
                    raise Violation(f"match {id}: {process.name} remembers what is not stored")
            if not self.cluster.is_shared and any(map(process.service.cache.get, self.model.deleted)):
                raise Violation(f"{process.name} remembers a match that was deleted")

    def close(self) -> None:
        self.world.after_step = lambda: None
        for process in self.cluster.processes:
            process.crash()
        self.loop.close()
        self.world.close()
        self.disk.close()

    def outcome(self, problem: str) -> Outcome:
        model = self.model
        events = sum(len(match.rows) for match in model.matches.values())
        crashes = self.cluster.started - len(self.cluster.processes)
        trace = self.world.trace or []
        return Outcome(
            self.world.seed, problem, self.world.steps, model.commits, self.world.time, events, crashes, trace
        )


def simulate(seed: int, planted: Planted = nullcontext, *, tracing: bool = False) -> Outcome:
    """Run one seed; ``planted`` breaks the server on purpose."""
    world = World(seed, tracing=tracing)
    errors = ErrorLog(world)
    collects = gc.isenabled()
    gc.disable()  # what is collected when would depend on more than the seed
    try:
        with simulated_modules(world, errors), planted():
            simulation = Simulation(world, errors)
            problem = ""
            try:
                simulation.run()
            except Violation as violation:
                problem = str(violation)
            finally:
                simulation.close()
            return simulation.outcome(problem)
    finally:
        if collects:
            gc.enable()


def _comparable(hosted: HostedMatch) -> HostedMatch:
    return hosted._replace(responses=Responses(), refused=())


@cache
def _template() -> bytes:
    """A database that is as old as its server: no seed has to create the tables."""
    with _opened(empty_image()) as (driver, connection):
        with connection.begin():
            migrations.migrate(connection)
            shared_state.set_meta(connection, "secret", "5eed" * 16)
        return driver.serialize()


def load_all(image: bytes) -> dict[str, HostedMatch]:
    """All matches of a database, read as the server reads them after a restart."""
    with _opened(image) as (driver, connection):
        ids = [row[0] for row in driver.execute("SELECT id FROM matches")]
        return store.load(connection, ids)


@contextmanager
def _opened(image: bytes) -> Iterator[tuple[sqlite3.Connection, Connection]]:
    """A database outside of the simulated world."""
    driver = sqlite3.connect(":memory:", isolation_level=None)
    try:
        driver.deserialize(image)
        _DRIVERS.append(driver)
        with _engine().connect() as connection:
            yield driver, connection
    finally:
        driver.close()


_DRIVERS: list[sqlite3.Connection] = []


@cache
def _engine() -> Engine:
    """Made once: compiling its statements takes long."""
    return create_engine("sqlite://", creator=_DRIVERS.pop, poolclass=NullPool)
