"""Bots: computer players move in a bounded number of processes, off the event loop."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from ninefold.match.actions import ACCEPT, DECLINE, Action
from ninefold.match.log import read_log, write_log
from ninefold.match.match import Match
from ninefold.match.summary import player_seed
from ninefold.players.player import make_player
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.on_parent_exit import on_parent_exit

ATTEMPTS = 2  # at a move whose process dies; after that another worker tries when the lease has run out

log = logging.getLogger(__name__)

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


def _exit_with_parent() -> None:
    on_parent_exit(lambda: os._exit(1))


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
            self._pool = ProcessPoolExecutor(self._count, context, _exit_with_parent)
        return self._pool

    def stop(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)


class Bots:
    """One task for each match in which a computer is to act."""

    def __init__(self, compute: Compute, act: Callable[[HostedMatch, int, Action], Awaitable[bool]]) -> None:
        self._compute = compute
        self._act = act
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._latest: dict[str, HostedMatch] = {}  # newer states of matches that have a task

    def busy(self) -> int:
        """How many matches wait for a computer's action."""
        return len(self._tasks)

    def schedule(self, hosted: HostedMatch) -> None:
        """Let the computer act if it is to act: now, or after what is being computed for this match."""
        if not hosted.computer_to_act:
            return
        if hosted.id in self._tasks:
            self._latest[hosted.id] = hosted
        else:
            self._tasks[hosted.id] = asyncio.get_running_loop().create_task(self._run(hosted))

    async def _run(self, hosted: HostedMatch) -> None:
        """Act in a match, and again if it has gone on meanwhile."""
        following: HostedMatch | None = hosted
        try:
            while following:
                hosted = following
                action = await self._compute(hosted)
                acted = action is not None and await self._act(hosted, hosted.computer_to_act, action)
                following = self._latest.pop(hosted.id, None)
                if acted and following and following.match.version <= hosted.match.version:
                    following = None  # it differs only by its lease
        finally:
            self._tasks.pop(hosted.id, None)
            self._latest.pop(hosted.id, None)

    def stop(self) -> list[str]:
        """Stop all tasks; returns the matches in which another worker has to act."""
        for task in self._tasks.values():
            task.cancel()
        return list(self._tasks)
