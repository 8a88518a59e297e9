"""Quick pairing: two strangers who ask for the same game and clock are put into one match.

Whoever asks first waits in a public match with an open seat, which others also find in the list; whoever asks next
joins it. A match whose player has gone away is passed over. Requests are handled one after the other, by all workers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.games import find_game
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import OPEN, SEATS, ClockRequest, First, MatchRequest, SeatRequest, Sides
from ninefold.server.hosting.errors import unavailable
from ninefold.server.hosting.model import HostedMatch, PresenceInfo
from ninefold.server.hosting.seats import secret_idempotency_key, start_match
from ninefold.server.storage.config import MOST_IN_PAGE
from ninefold.server.storage.database import Database

MOST_ANSWERS = 1_000  # that are remembered, for repeated requests

Answer = dict[str, Any]


class Pairing:
    """``waiting`` lists the newest open matches that somebody is at; ``presence`` says who is at one of them."""

    def __init__(
        self,
        database: Database,
        waiting: Callable[[int], Awaitable[list[HostedMatch]]],
        presence: Callable[[str], Awaitable[PresenceInfo]],
        create: Callable[[MatchRequest, str], Awaitable[Answer]],
        join: Callable[[str, str | None, str, str], Awaitable[Answer]],
    ) -> None:
        self._database = database
        self._waiting, self._presence, self._create, self._join = waiting, presence, create, join
        self._lock = asyncio.Lock()
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    async def pair(self, game: str, clock: ClockRequest | None, name: str, key: str) -> Answer:
        """A seat in a match: of somebody who waits for the same, or in a new one in which the caller waits."""
        key = secret_idempotency_key(key)
        request = _match_request(game, clock, name, key)
        async with self._alone():
            known = self._answers.get(key)
            answer = known or await self._join_somebody(request, name, key) or await self._wait(request, key)
            self._answers[key] = answer
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        return answer

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        async with self._lock:
            locked = self._database.locked_for_pairing()
            try:
                await asyncio.to_thread(locked.__enter__)
            except DBAPIError:
                raise unavailable() from None
            try:
                yield
            finally:
                with contextlib.suppress(DBAPIError):  # a lost connection has lost its lock too
                    await asyncio.to_thread(locked.__exit__, None, None, None)

    async def _join_somebody(self, request: MatchRequest, name: str, key: str) -> Answer | None:
        for hosted in reversed(await self._waiting(MOST_IN_PAGE)):  # who has waited longest comes first
            if not _is_for(hosted, request) or not await self._is_somebody_there(hosted):
                continue
            with contextlib.suppress(NotAllowed):  # somebody else was faster
                joined = await self._join(hosted.id, None, name, key)
                return {"match": hosted.id, **joined, "waiting": False}
        return None

    async def _is_somebody_there(self, hosted: HostedMatch) -> bool:
        present = (await self._presence(hosted.id)).present
        return any(
            here and holder.holder == "person" for here, holder in zip(present, hosted.seat_holders, strict=True)
        )

    async def _wait(self, request: MatchRequest, key: str) -> Answer:
        created = await self._create(request, key)
        ((seat, token),) = created["seats"].items()
        side = str(start_match(request, 0).setup.side(seat))
        return {"match": created["match"], "seat": seat, "side": side, "token": token, "waiting": True}


def _match_request(game: str, clock: ClockRequest | None, name: str, key: str) -> MatchRequest:
    """A public match with an open seat. Chance decides about sides and who starts."""
    first: First | None = "toss" if find_game(game).ask_first else None
    sides: Sides = "XO" if int(tokens.digest(key), 16) % 2 else "OX"
    seats = (SeatRequest(SEATS[0].player, name), SeatRequest(OPEN))
    return MatchRequest(game, seats=seats, sides=sides, first=first, clock=clock)


def _is_for(hosted: HostedMatch, request: MatchRequest) -> bool:
    """True if somebody waits in this match for what is asked for."""
    try:
        wanted = start_match(request, 0).setup
    except Refusal:
        return False
    setup = hosted.match.setup
    return (
        setup.game is wanted.game
        and _rules(setup.options) == _rules(wanted.options)
        and hosted.settings == request.settings
        and any(holder.holder == "open" and not holder.is_reserved for holder in hosted.seat_holders)
    )


def _rules(options: Any) -> dict[str, str]:
    return {name: value for name, value in dict(options).items() if name != "first"}
