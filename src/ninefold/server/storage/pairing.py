"""Quick pairing: two strangers who ask for the same game and clock are put into one match.

Whoever asks first waits in a public match with an open seat, which others also find in the list; whoever asks next
joins it. A match whose player has gone away is passed over. Requests are handled one after the other, by all workers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any, Protocol

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.games import find_game
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import (
    OPEN,
    SEATS,
    ClockRequest,
    First,
    Identity,
    MatchRequest,
    SeatRequest,
    Sides,
)
from ninefold.server.hosting.errors import unavailable
from ninefold.server.hosting.model import HostedMatch, PresenceInfo
from ninefold.server.hosting.seats import secret_idempotency_key, start_match
from ninefold.server.storage.config import MOST_IN_PAGE
from ninefold.server.storage.database import Database

MOST_ANSWERS = 1_000  # that are remembered, for repeated requests

Answer = dict[str, Any]


class PairingHost(Protocol):
    """What the pairing needs of the service."""

    async def open_matches(self, most: int) -> list[HostedMatch]:
        """The newest public matches with an open seat that somebody is at."""
        ...

    async def live_matches(self, most: int) -> list[HostedMatch]:
        """The newest public matches that are played, also those that nobody is at."""
        ...

    async def presence_at(self, match: str) -> PresenceInfo:
        """Who is at a match."""
        ...

    async def has_created(self, key: str) -> bool:
        """True if a match was created with this idempotency key, also if it was deleted."""
        ...

    def has_joined(self, hosted: HostedMatch, key: str) -> bool:
        """True if somebody has joined a public match with this idempotency key."""
        ...

    async def check_match(self, match: str) -> None:
        """Refuse a match that is not there: it may have been deleted."""
        ...

    async def create(self, request: MatchRequest, key: str = "", *, identity: Identity | None = None) -> Answer:
        """A new match, or the one that was created with the same idempotency key."""
        ...

    async def join(
        self, match: str, secret: str | None, name: str = "", key: str = "", *, identity: Identity | None = None
    ) -> Answer:
        """A seat in a match, or the one that was taken with the same idempotency key."""
        ...


class Pairing:
    def __init__(self, database: Database, host: PairingHost) -> None:
        self._database, self._host = database, host
        self._lock = asyncio.Lock()
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    async def pair(
        self, game: str, clock: ClockRequest | None, name: str, key: str, identity: Identity | None = None
    ) -> Answer:
        """A seat in a match: of somebody who waits for the same, or in a new one in which the caller waits."""
        key = secret_idempotency_key(key)
        request = _match_request(game, clock, name, key)
        async with self._alone():
            if answer := self._answers.get(key):
                await self._host.check_match(answer["match"])
            answer = answer or await self._answer_again(request, name, key, identity)
            answer = answer or await self._join_somebody(request, name, key, identity)
            answer = answer or await self._wait(request, key, identity)
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

    async def _answer_again(
        self, request: MatchRequest, name: str, key: str, identity: Identity | None
    ) -> Answer | None:
        """The answer to a request that was answered by another worker, or before a restart. A match that somebody has
        joined is found while they play in it."""
        if await self._host.has_created(key):
            return await self._wait(request, key, identity)
        for hosted in await self._host.live_matches(MOST_IN_PAGE):
            if self._host.has_joined(hosted, key):
                return await self._join(hosted, name, key, identity)
        return None

    async def _join_somebody(
        self, request: MatchRequest, name: str, key: str, identity: Identity | None
    ) -> Answer | None:
        for hosted in reversed(await self._host.open_matches(MOST_IN_PAGE)):  # the longest wait first
            if not _is_for(hosted, request) or not await self._is_somebody_there(hosted):
                continue
            with contextlib.suppress(NotAllowed):  # somebody else was faster, or one of the two blocks the other
                return await self._join(hosted, name, key, identity)
        return None

    async def _join(self, hosted: HostedMatch, name: str, key: str, identity: Identity | None) -> Answer:
        joined = await self._host.join(hosted.id, None, name, key, identity=identity)
        return {"match": hosted.id, **joined, "waiting": False}

    async def _is_somebody_there(self, hosted: HostedMatch) -> bool:
        present = (await self._host.presence_at(hosted.id)).present
        return any(
            here and holder.holder == "person" for here, holder in zip(present, hosted.seat_holders, strict=True)
        )

    async def _wait(self, request: MatchRequest, key: str, identity: Identity | None) -> Answer:
        created = await self._host.create(request, key, identity=identity)
        if not created["seats"]:  # it was carried to another device, whose token is not derived from the key
            raise NotAllowed("request_reused.once")
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
