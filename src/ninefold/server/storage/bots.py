"""Bots: computer players move in a bounded number of processes, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from ninefold.core.errors import Refusal
from ninefold.core.on_parent_exit import on_parent_exit
from ninefold.match.actions import ACCEPT, DECLINE, Action
from ninefold.match.log import read_log, write_log
from ninefold.match.match import Match
from ninefold.match.summary import player_seed
from ninefold.players.player import make_player
from ninefold.server.hosting.handlers import LEASE_MS
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.engine_shares import ComputerMatches, EngineShares, is_cheap

ATTEMPTS = 2  # at a move whose process dies
EXTRA = 1  # slots for cheap moves only
ROOM = 8  # matches for each slot that a worker takes over from others
NICENESS = 10  # of the processes
RETRY_MS = 30_000  # after which a move that could not be computed is tried again, by whichever worker

log: logging.Logger = logging.getLogger(__name__)

Compute = Callable[[HostedMatch], Awaitable[Action | None]]


def choose_action(text: str, seat: int) -> Action:
    """What the computer at a seat does in the match of a log. Runs in a process of its own."""
    match = read_log(text)
    if match.state.offer and match.state.offer[0] != seat:
        return ACCEPT if _accepts_offer(match) else DECLINE
    setup = match.setup
    return make_player(match.game, setup.seats[seat - 1].player, player_seed(setup.seed, seat))(match)


def _accepts_offer(match: Match) -> bool:
    """A take-back is always accepted; a draw is accepted where the value of the position is a draw."""
    if match.state.offer and match.state.offer[1] == "take_back":
        return True
    if not match.game.small:
        return False
    from ninefold.core.solver import values

    return max(value.sign for value in values(match.game, match.position, claims=match.setup.has_claims).values()) == 0


def _prepare_process() -> None:
    """The process ends with its parent, whose event loop comes before it."""
    on_parent_exit(lambda: os._exit(1))
    if sys.platform != "win32":
        os.nice(NICENESS)


class MoveProcesses:
    """Computes moves in at most ``count`` processes; other moves wait."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    async def compute(self, hosted: HostedMatch) -> Action | None:
        """The action of the computer that is to act; None if it cannot be computed."""
        text = write_log(hosted.match, checksum=False)
        for _ in range(ATTEMPTS):
            pool = self._executor()
            try:
                seat = hosted.computer_to_act
                return await asyncio.get_running_loop().run_in_executor(pool, choose_action, text, seat)
            except BrokenProcessPool:
                log.warning("bot process died")
                pool.shutdown(wait=False)
                self._pool = None if self._pool is pool else self._pool
            except Exception:
                log.exception("bot move failed")
                break
        return None

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, context, _prepare_process)
        return self._pool

    def stop(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)


class Leases(Protocol):
    """Extends the lease of a match that was ``held`` until then (0: takes one that has run out); returns until when it
    is held now, or None if another worker has it or nothing is to be computed."""

    async def __call__(self, match: str, held: int, ms: int = LEASE_MS) -> int | None: ...


class Bots:
    """One task for each match in which a computer acts, at most ``slots`` at a time; the others wait for their turn.
    Cheap moves have one more slot (``EXTRA``): they never wait for the end of a long search.

    The next one is always that of the address which has used the least time so far. What only waits has no lease beyond
    its first: a worker that has a free slot takes it over.
    """

    def __init__(
        self,
        compute: Compute,
        act: Callable[[HostedMatch, int, Action], Awaitable[bool]],
        lease: Leases,
        now: Callable[[], int],
        slots: int = 1,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._compute = compute
        self._act = act
        self._lease = lease
        self._now = now
        self._slots = slots
        self._pause = pause
        self._waiting: dict[str, HostedMatch] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._latest: dict[str, HostedMatch] = {}  # newer states of matches that have a task
        self.shares: EngineShares = EngineShares()
        self.computer_matches: ComputerMatches = ComputerMatches()

    def busy(self) -> int:
        """How many matches wait for a computer's action."""
        return len(self._tasks) + len(self._waiting)

    def waiting_from(self, address: str) -> int:
        """How many matches of an address wait for a computer's action."""
        return sum(self.shares.address_of(match) == address for match in (*self._tasks, *self._waiting))

    def room(self) -> int:
        """How many more matches can be taken over from workers that are too busy, or have died."""
        return max(0, ROOM * self._slots - self.busy())

    def has(self, match: str) -> bool:
        """True if the match waits here for a computer's action. May be called from any thread."""
        return match in self._tasks or match in self._waiting

    def schedule(self, hosted: HostedMatch) -> None:
        """Let the computer act if it is to act: in its turn, or after what is being computed for this match."""
        if not hosted.computer_to_act:
            return
        if hosted.id in self._tasks:
            self._latest[hosted.id] = hosted
        else:
            self._waiting[hosted.id] = hosted
            self._start_tasks()

    def _start_tasks(self) -> None:
        while len(self._tasks) < self._slots + EXTRA:
            is_extra = len(self._tasks) >= self._slots
            able = [hosted for hosted in self._waiting.values() if not is_extra or is_cheap(hosted)]
            if not able:
                break
            hosted = self._waiting.pop(self.shares.next(able).id)
            self._tasks[hosted.id] = asyncio.get_running_loop().create_task(self._run(hosted))

    async def _run(self, hosted: HostedMatch) -> None:
        """Act in a match. If it has gone on meanwhile, it waits for its next turn."""
        acted = False
        try:
            acted = await self._act_once(hosted)
        except Refusal:
            pass  # the database is unavailable; the lease runs out
        except Exception:
            log.exception("bot move failed")
        finally:
            self._tasks.pop(hosted.id, None)
            following = self._latest.pop(hosted.id, None)
        if following and _has_gone_on(hosted, following, acted):
            self._waiting[hosted.id] = following
        self._start_tasks()

    async def _act_once(self, hosted: HostedMatch) -> bool:
        """True if the computer has acted."""
        held: int | None = hosted.lease_until
        if hosted.lease_until <= self._now():
            held = await self._lease(hosted.id, 0)
        if held is None:
            return False
        began, renewing = self._now(), _Renewal(hosted.id, held, self._lease, self._pause)
        try:
            action = await self._compute(hosted)
        finally:
            renewing.stop()
            self.shares.charge(hosted.id, self._now() - began)
        acted = action is not None and await self._act(hosted, hosted.computer_to_act, action)
        following = self._latest.get(hosted.id)
        if not acted and not (following and _has_gone_on(hosted, following, acted)):  # else it is computed anew at once
            await self._lease(hosted.id, renewing.held, RETRY_MS)
        return acted

    def stop(self) -> list[str]:
        """Stop all tasks; returns the matches in which another worker has to act."""
        for task in self._tasks.values():
            task.cancel()
        return [*self._tasks, *self._waiting]


def _has_gone_on(before: HostedMatch, after: HostedMatch, acted: bool) -> bool:
    """True if a match has to be computed again, and differs by more than its lease."""
    if acted:
        return after.match.version > before.match.version
    return len(after.match.events) > len(before.match.events)


class _Renewal:
    """Renews a lease as long as the move is computed."""

    def __init__(self, match: str, held: int, lease: Leases, pause: Callable[[float], Awaitable[None]]) -> None:
        self.held = held
        self._task = asyncio.get_running_loop().create_task(self._renew(match, lease, pause))

    async def _renew(self, match: str, lease: Leases, pause: Callable[[float], Awaitable[None]]) -> None:
        while True:
            await pause(LEASE_MS / 3000)
            with contextlib.suppress(Refusal):  # the database is unavailable
                held = await lease(match, self.held)
                if held is None:
                    return  # another worker has it; whoever is first acts
                self.held = held

    def stop(self) -> None:
        self._task.cancel()
