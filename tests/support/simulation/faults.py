"""What goes wrong. Every seed draws which kinds of faults it has, so that some of them also meet alone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ninefold.core.errors import Refusal
from ninefold.server.storage.shared_state import set_meta
from tests.support.simulation.process import Process

if TYPE_CHECKING:
    from tests.support.simulation.simulation import Simulation

MOST_CRASHES = 6
HOUR_MS = 3_600_000
KINDS = ("crash", "stop", "away", "flaky", "slow", "wall", "loss", "deaf", "delete")


class Faults:
    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.world = simulation, simulation.world
        self.disk, self.cluster, self.model = simulation.disk, simulation.cluster, simulation.model
        random = self.world.random
        self.kinds = [kind for kind in KINDS if random.random() < 0.4]
        if simulation.cluster.is_shared and "wall" in self.kinds:
            self.kinds.remove("wall")  # machines that share a database keep the same time
        self.bots = random.random() < 0.4
        self.crash_chance = random.choice((0.0005, 0.002, 0.01)) if "crash" in self.kinds else 0.0
        self.longest_downtime = random.choice((0.5, 5.0, 60.0))
        self.has_ended = False
        self._failed: dict[Process, tuple[float, float]] = {}  # since when, and until when, writes have failed
        self.disk.on_failure = self._write_failed
        self.cluster.on_down = self._on_down
        self.cluster.downtime = lambda: 0.1 if self.has_ended else random.random() ** 2 * self.longest_downtime
        self.model.went_down()  # until the first process serves

    # Between any two steps

    def after_step(self) -> None:
        if self.crash_chance and not self.has_ended and self.world.chance(self.crash_chance):
            self.crash()

    def crash(self) -> None:
        alive = [process for process in self.cluster.processes if not process.is_dead]
        if alive and self.cluster.started < MOST_CRASHES:
            self.world.random.choice(alive).crash()

    def _on_down(self, _: Process) -> None:
        if not self.cluster.is_up():
            self.model.went_down()

    # For some seconds

    async def run(self) -> None:
        random = self.world.random
        while self.kinds and not self.has_ended:
            await asyncio.sleep(random.uniform(0.1, 4.0))
            if not self.has_ended:
                await getattr(self, f"_{random.choice(self.kinds)}")()

    async def _some_time(self, longest: float) -> None:
        await asyncio.sleep(self.world.random.random() ** 2 * longest)

    async def _crash(self) -> None:
        self.crash()

    async def _stop(self) -> None:
        if self.cluster.started < MOST_CRASHES:
            self.world.random.choice(self.cluster.processes).stop()

    async def _away(self) -> None:
        self.world.log("the disk is away")
        self._failed = {}
        self.disk.faults.is_away = True
        await self._some_time(15.0)
        self._disk_is_back()

    def _disk_is_back(self) -> None:
        if not self.disk.faults.is_away:
            return
        self.world.log("the disk is back")
        self.disk.faults.is_away = False
        serving = [process for process in self.cluster.processes if process.is_serving]
        if serving and all(process in self._failed for process in serving):
            began = max(self._failed[process][0] for process in serving)
            ended = min(self._failed[process][1] for process in serving)
            if began < ended:
                self.model.downtime.append((began, ended))

    def _write_failed(self, process: Process) -> None:
        if self.disk.faults.is_away:
            began, _ = self._failed.get(process, (self.model.now, 0.0))
            self._failed[process] = (began, self.model.now)

    async def _flaky(self) -> None:
        faults, random = self.disk.faults, self.world.random
        faults.statement, faults.before_commit, faults.after_commit = (random.choice((0, 0, 0.02, 0.2)) for _ in "123")
        await self._some_time(5.0)
        faults.statement = faults.before_commit = faults.after_commit = 0.0

    async def _slow(self) -> None:
        self.disk.faults.slow = 0.05
        await self._some_time(5.0)
        self.disk.faults.slow = 0.0

    async def _wall(self) -> None:
        """The wall clock is set: by little, or by hours."""
        random = self.world.random
        step = int(random.choice((-1, 1)) * random.choice((50, 3_000, HOUR_MS, 30 * HOUR_MS)) * random.random())
        self.world.log("the wall clock is set by", step, "ms")
        self.world.wall_ms += step
        self.model.is_exact = False

    async def _loss(self) -> None:
        network, random = self.simulation.network, self.world.random
        network.loss, network.doubling = random.choice((0.0, 0.1, 0.3)), random.choice((0.0, 0.3))
        network.longest = random.choice((0.05, 1.0, 6.0))
        await self._some_time(8.0)
        self._network_is_back()

    def _network_is_back(self) -> None:
        network = self.simulation.network
        network.loss, network.doubling, network.longest = 0.0, 0.0, 0.05

    async def _delete(self) -> None:
        """The operator wants a match to be deleted, of which its players know."""
        known = [id for id, match in self.model.matches.items() if match.is_known and id not in self.model.unwanted]
        serving = [process for process in self.cluster.processes if process.is_serving and not process.is_stopping]
        if known and serving:
            match, process = self.world.random.choice(known), self.world.random.choice(serving)
            self.world.log("the operator wants to delete", match[:4])
            self.model.unwanted.add(match)
            process.loop.spawn(_request_deletion(process, match))

    def delete_now(self, match: str) -> None:
        """Sometimes a match is deleted at the moment in which somebody acts in it."""
        if "delete" not in self.kinds or self.has_ended or not self.world.chance(0.1):
            return
        for process in self.cluster.processes:
            if process.is_serving and not process.is_stopping:
                self.world.log("the operator deletes", match[:4])
                self.model.unwanted.add(match)
                self.world.after(self.simulation.network.delay(), partial(_delete, process, match))
                break

    async def _deaf(self) -> None:
        """The connections for notifications break."""
        for process in self.cluster.processes:
            if process.listener:
                self.world.log("notifications are lost", process.name)
                process.listener.is_connected = False
        await self._some_time(5.0)
        self._hears_again()

    def _hears_again(self) -> None:
        for process in self.cluster.processes:
            if process.listener and process.is_serving and not process.listener.is_connected:
                process.listener.start()

    def end(self) -> None:
        """Repair everything."""
        self.has_ended = True
        self._disk_is_back()
        faults = self.disk.faults
        faults.statement = faults.before_commit = faults.after_commit = faults.slow = 0.0
        self._network_is_back()
        self._hears_again()


async def _request_deletion(process: Process, match: str) -> None:
    with suppress(Refusal):
        await process.service.submit(partial(set_meta, key=f"delete:{match}", value=""))


def _delete(process: Process, match: str) -> None:
    if process.is_serving:
        process.loop.spawn(_delete_match(process, match))


async def _delete_match(process: Process, match: str) -> None:
    with suppress(Refusal):
        await process.service.scheduler.delete([match])
