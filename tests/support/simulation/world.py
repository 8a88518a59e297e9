"""The simulated world: its time, and what can happen next. A seed decides everything.

Event loops, threads and timers take turns in one real thread. One step is one callback of a loop, or a thread's way
from one point where it can be interrupted to the next. While something can happen, no time passes.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Protocol

from greenlet import GreenletExit, getcurrent, greenlet

if TYPE_CHECKING:
    from tests.support.simulation.loop import SimulatedLoop

EPOCH_MS = 1_800_000_000_000  # the wall clock at the beginning
MOST_STEPS = 200_000  # after which something goes round in circles


class Violation(AssertionError):
    """The server has done what it must not do."""


class Owner(Protocol):
    """A process of a server: what it runs dies with it."""

    name: str
    is_dead: bool


class World:
    """``preemption`` is the chance that a thread is interrupted at a point where it can be."""

    def __init__(self, seed: int, *, tracing: bool = False) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.secrets = Random(f"secrets of {seed}")  # apart, so that a new secret changes nothing else
        self.time = 0.0  # real seconds since the beginning
        self.wall_ms = EPOCH_MS  # what the wall clock showed at the beginning, with its later steps
        self.steps = 0
        self.preemption = 0.3
        self.owner: Owner | None = None  # whose step this is
        self.thread: SimulatedThread | None = None  # which runs now
        self.threads: list[SimulatedThread] = []  # that have not ended
        self.runnable: list[SimulatedThread] = []
        self.loops: list[SimulatedLoop] = []
        self.after_step: Callable[[], None] = lambda: None
        self.trace: list[str] | None = [] if tracing else None
        self.scheduler = getcurrent()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def log(self, *facts: object) -> None:
        """Add a line to the trace."""
        if self.trace is not None:
            self.trace.append(f"{self.time:9.3f} {' '.join(map(str, facts))}")

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def at(self, when: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (when, next(self._numbers), call))

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        self.at(self.time + seconds, call)

    def step(self) -> bool:
        """Do one thing that can happen now, or let time pass until something can. False if nothing ever will."""
        while self._timers and self._timers[0][0] <= self.time:
            heapq.heappop(self._timers)[2]()
        ready: list[SimulatedLoop | SimulatedThread] = [loop for loop in self.loops if loop.ready]
        ready += self.runnable
        if not ready:
            if not self._timers:
                return False
            self.time = self._timers[0][0]
            return True
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Violation("the simulation does not end")
        chosen = ready[int(self.random.random() * len(ready))]
        self.owner = chosen.owner
        chosen.step()
        self.owner = None
        self.after_step()
        return True

    def run(self, until: Callable[[], bool], deadline: float) -> None:
        """Go on until a condition holds, or a time has come."""
        while not until() and self.time < deadline and self.step():
            pass

    def point(self) -> None:
        """Here a thread can be interrupted. On an event loop nothing happens."""
        if self.thread and self.chance(self.preemption):
            self.thread.pause()

    def close(self) -> None:
        self.kill(None)

    def kill(self, owner: Owner | None) -> None:
        """End the threads of a process, or all threads."""
        for thread in list(self.threads):
            if owner is None or thread.owner is owner:
                thread.kill()


class SimulatedThread:
    """What ``threading.Thread`` is, on a stack of its own. It belongs to the process that has made it."""

    def __init__(self, world: World, target: Callable[[], object], name: str | None = None) -> None:
        self.world, self.owner, self.name = world, world.owner, name or "thread"
        self.locks = 0  # that it holds; while it holds one, it is not interrupted
        self.is_killed = False
        self._greenlet = greenlet(target, parent=world.scheduler)
        self._joining: list[SimulatedThread] = []

    def start(self) -> None:
        self.world.threads.append(self)
        self.world.runnable.append(self)

    def is_alive(self) -> bool:
        return not self._greenlet.dead

    def step(self) -> None:
        self.world.thread = self
        try:
            self._greenlet.switch()
        finally:
            self.world.thread = None
        if self._greenlet.dead:
            self._ended()

    def _ended(self) -> None:
        self.world.threads.remove(self)
        if self in self.world.runnable:
            self.world.runnable.remove(self)
        for thread in self._joining:
            thread.wake()

    def pause(self, seconds: float = 0.0) -> None:
        """Let others go on, for a while."""
        if self.is_killed or self.locks:
            return
        if seconds:
            self.world.runnable.remove(self)
            self.world.after(seconds, self.wake)
        self.world.scheduler.switch()

    def block(self, timeout: float | None = None) -> None:
        """Wait until somebody wakes this thread."""
        if self.is_killed:
            raise GreenletExit
        self.world.runnable.remove(self)
        if timeout is not None:
            self.world.after(timeout, self.wake)
        self.world.scheduler.switch()

    def wake(self) -> None:
        if self not in self.world.runnable and not self.is_killed and not self._greenlet.dead:
            self.world.runnable.append(self)

    def join(self, timeout: float | None = None) -> None:
        while not self._greenlet.dead:
            thread = self.world.thread
            assert thread, "an event loop must not wait for a thread"
            self._joining.append(thread)
            thread.block(timeout)
            if timeout is not None:
                break

    def kill(self) -> None:
        """End at once, as if the process had died: nothing that it does any more has an effect outside."""
        self.is_killed = True
        if not self._greenlet.dead:
            self.world.thread, before = self, self.world.thread
            try:
                self._greenlet.throw(GreenletExit)
            finally:
                self.world.thread = before
        self._ended()
