"""The computer's moves: in a bounded number of processes, off the event loop."""

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
from ninefold.match.summary import seat_seed
from ninefold.players.player import make_player
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.on_parent_exit import when_the_parent_goes

ATTEMPTS = 2  # at a move whose process dies; later the lease runs out, and it is tried again

log = logging.getLogger(__name__)


def compute(text: str, seat: int) -> Action:
    """What the computer at a seat does in the match that a log tells. Runs in a process of its own."""
    match = read_log(text)
    if match.state.offer and match.state.offer[0] != seat:
        return ACCEPT if _agrees(match) else DECLINE
    setup = match.setup
    return make_player(match.game, setup.seats[seat - 1].player, seat_seed(setup, seat))(match)


def _leave_with_the_parent() -> None:
    """A server that was killed takes its computers with it."""
    when_the_parent_goes(lambda: os._exit(1))


def _agrees(match: Match) -> bool:
    """A move may always be taken back; a draw is taken where nobody can do better."""
    if match.state.offer and match.state.offer[1] == "take_back":
        return True
    if not match.game.small:
        return False
    from ninefold.core.solver import values

    return max(value.sign for value in values(match.game, match.position, claims=match.setup.has_claims).values()) == 0


class Bots:
    """At most so many moves are computed at a time; the others wait in line."""

    def __init__(self, engines: int, act: Callable[[HostedMatch, int, Action], Awaitable[bool]]) -> None:
        self._engines = engines
        self._act = act
        self._pool: ProcessPoolExecutor | None = None
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._next: dict[str, HostedMatch] = {}  # how busy matches have gone on

    def waiting(self) -> int:
        return len(self._busy)

    def consider(self, hosted: HostedMatch) -> None:
        """See to the computer of a match, now or when what is being computed for it is done. On the event loop."""
        if not hosted.computer_to_act:
            return
        if hosted.id in self._busy:
            self._next[hosted.id] = hosted
        else:
            self._busy[hosted.id] = asyncio.get_running_loop().create_task(self._attend(hosted))

    async def _attend(self, hosted: HostedMatch) -> None:
        """Act in a match, and again where it has gone on meanwhile."""
        following: HostedMatch | None = hosted
        try:
            while following:
                hosted = following
                action = await self._compute(hosted)
                acted = action is not None and await self._act(hosted, hosted.computer_to_act, action)
                following = self._next.pop(hosted.id, None)
                if acted and following and following.match.version <= hosted.match.version:
                    following = None  # only the lease was a new one
        finally:
            self._busy.pop(hosted.id, None)
            self._next.pop(hosted.id, None)

    async def _compute(self, hosted: HostedMatch) -> Action | None:
        text = write_log(hosted.match)
        for _ in range(ATTEMPTS):
            pool = self._executor()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, compute, text, hosted.computer_to_act)
            except BrokenProcessPool:
                log.warning("a process that computed a move died; it is computed again")
                pool.shutdown(wait=False)
                self._pool = None if self._pool is pool else self._pool
            except Exception:
                log.exception("a move could not be computed")
                break
        return None  # until somebody takes up the lease

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._engines, context, _leave_with_the_parent)
        return self._pool

    def stop(self) -> list[str]:
        """Compute no more; says in which matches somebody else has to."""
        for task in self._busy.values():
            task.cancel()
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
        return list(self._busy)
