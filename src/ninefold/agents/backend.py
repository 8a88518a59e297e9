"""What the tools need of matches: a port, with a backend over the service in this process. ``server_backend`` has the
one over a running server.

It stands beside ``client.session.Session`` because a tool holds no state between two calls: every call brings the key
of its seat, and one process serves the seats of many agents. A session is one seat of one match while it is open.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator
from typing import Literal, NamedTuple, Protocol

from ninefold.agents import profile_keys
from ninefold.client import Link, read_link
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.match.actions import Action
from ninefold.match.state import HUMAN
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import OPEN, Identity, MatchRequest
from ninefold.server.hosting.errors import no_such_match
from ninefold.server.hosting.model import Viewer
from ninefold.server.hosting.view import MatchSummary, MatchView
from ninefold.server.storage.service import Service

MOST_LISTED = 20  # matches of the lobby
Listed = Literal["open", "live"]
_KEY = re.compile(rf"({tokens.MATCH_ID})(?:\.([12])\.({tokens.SECRET}))?")


class SeatKey(NamedTuple):
    """The credentials of an agent that acts: the match, its seat there, and the secret of that seat.

    It is one word, so that a model has one thing to keep. A spectator sends the id of the match alone.
    """

    match: str
    seat: int = 0
    token: str | None = None

    def __str__(self) -> str:
        return f"{self.match}.{self.seat}.{self.token}" if self.token else self.match


def parse_key(text: str) -> SeatKey:
    """The key in a word. Its backend checks that the secret belongs to the seat with that number."""
    found = _KEY.fullmatch(text.strip())
    if not found:
        raise Unreadable("not_a_seat")
    match, seat, token = found.groups()
    return SeatKey(match, int(seat or 0), token)


def parse_player_key(text: str) -> SeatKey:
    """The key of a player. The id of a match alone is for spectators."""
    key = parse_key(text)
    if not key.token:
        raise Unreadable("not_a_seat.spectator")
    return key


class SeatGrant(NamedTuple):
    """A seat that was given to an agent, and for a new match the links for others."""

    key: SeatKey
    invitation: str = ""
    watch: str = ""


class Backend(Protocol):
    """The port to the matches. Every refusal is raised as a ``Refusal``."""

    async def create(self, request: MatchRequest, chosen: str) -> SeatGrant:
        """Start a match. The caller gets the seat with the side that was requested first.

        ``chosen`` is an idempotency key, or nothing. Models think of the same ones, so a repeat is refused: what a
        caller has chosen never opens a seat that was given to another one.
        """
        ...

    async def join(self, link: str, name: str, chosen: str) -> SeatGrant:
        """Take a seat. ``chosen`` is as in ``create``."""
        ...

    async def rematch(self, key: SeatKey) -> SeatKey:
        """Offer a rematch, or accept it; the same seat in the new match."""
        ...

    async def claim_absent(self, key: SeatKey, idempotency_key: str) -> bool:
        """Win against an opponent who is absent for too long. True if it was a repeat."""
        ...

    async def lobby(self, state: Listed) -> list[MatchSummary]:
        """Public matches that somebody is at, the newest first."""
        ...

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        """Take an action. True if it was a repeat. ``text`` is a move as players type it."""
        ...

    async def note(self, key: SeatKey, tool: str, reason: str) -> None:
        """Record in the audit that a call of a tool could not be read."""
        ...

    async def view(self, key: SeatKey) -> MatchView: ...

    async def log(self, match: str) -> str: ...

    def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        """The view now, and again after every event and every change of the seats."""
        ...


def wrong_seat_number() -> NotAllowed:
    return NotAllowed("bad_token.number")


def change_key(view: MatchView) -> object:
    """A value that differs when followers are to be told: after events, and after changes of the seats."""
    return view["size"], view["status"], view["rematch"]


class LocalBackend:
    """Over the service in this process. ``address`` is how links to the server begin; "" if there is no server."""

    service: Service
    address: str

    def __init__(self, service: Service, address: str = "") -> None:
        self.service, self.address = service, address.rstrip("/")

    async def create(self, request: MatchRequest, chosen: str) -> SeatGrant:
        if not self.address and any(seat.player == OPEN for seat in request.seats):
            raise NotAllowed("nobody_else")
        mine = next((seat.name for seat in request.seats if seat.player == HUMAN), "")
        identity = await self._identity(mine, game=request.game)
        created = await self.service.create(request, chosen, once=bool(chosen), identity=identity)
        match = created["match"]
        seat, token = next(iter(created["seats"].items()), (1, None))
        return SeatGrant(
            SeatKey(match, seat, token),
            self._link(match, "invite", created["invitations"].get(3 - seat)),
            self._link(match, "watch", created["watch"]) or (f"{self.address}/m/{match}" if self.address else ""),
        )

    async def join(self, link: str, name: str, chosen: str) -> SeatGrant:
        if not link:
            raise Unreadable("no_link")
        to = read_link(link, self.address or "here")
        try:
            identity = await self._identity(name, match=to.match)
            joined = await self.service.join(
                to.match, to.secret or None, name, chosen, once=bool(chosen), identity=identity
            )
        except NotAllowed as refusal:
            if refusal.reason != "invitation_used" or len(chosen) < tokens.SHORTEST:
                raise
            # A seat that was taken over the HTTP API is told again to whoever has the key of that request, as it is
            # there: those keys are secrets, and nothing that is chosen here becomes one.
            joined = await self.service.join(to.match, to.secret or None, name, chosen)
        return SeatGrant(SeatKey(to.match, joined["seat"], joined["token"]))

    async def _identity(self, name: str, **where: str) -> Identity | None:
        """The profile of the agent that calls; a key that is used for the first time makes one."""
        key, profiles = profile_keys.current(), self.service.profiles
        try:
            return await profiles.identity(key, kind=profile_keys.KIND, **where)
        except NotAllowed as refusal:
            if refusal.code != "bad_key":
                raise
        profile_keys.charge_for_new()
        await profiles.save(key, profile_keys.profile_name(name), profile_keys.KIND)
        return await profiles.identity(key, kind=profile_keys.KIND, **where)

    async def rematch(self, key: SeatKey) -> SeatKey:
        await self._viewer(key)
        return key._replace(match=(await self.service.rematch(key.match, key.token))["match"])

    async def claim_absent(self, key: SeatKey, idempotency_key: str) -> bool:
        await self._viewer(key)
        return bool((await self.service.claim_absent(key.match, key.token, idempotency_key))["replayed"])

    async def lobby(self, state: Listed) -> list[MatchSummary]:
        if not self.address:
            raise NotAllowed("nobody_else")
        matches: list[MatchSummary] = (await self.service.public_matches(state, most=MOST_LISTED))["matches"]
        return matches

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        await self._viewer(key)
        response = await self.service.act(key.match, key.token, idempotency_key, version, action, text)
        return bool(response["replayed"])

    async def note(self, key: SeatKey, tool: str, reason: str) -> None:
        await self.service.note(key.match, key.token, tool, reason)

    async def view(self, key: SeatKey) -> MatchView:
        await self._viewer(key)
        return (await self.service.view(key.match)).document

    async def log(self, match: str) -> str:
        await self.service.viewer(match, None)
        return await self.service.log(match)

    async def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        viewer = await self._viewer(key)
        with contextlib.ExitStack() as stack:
            subscription = self.service.subscribe(key.match)  # before the first view, so that no change is missed
            stack.callback(subscription.close)
            if viewer.seat:
                stack.enter_context(self.service.connect(key.match, viewer))
            shown: object = None
            while True:
                view = (await self.service.view(key.match)).document
                if shown != (shown := change_key(view)):
                    yield view
                await subscription.changed()

    async def _viewer(self, key: SeatKey) -> Viewer:
        """Who the bearer of a key is. A key with the number of another seat is refused."""
        viewer = await self.service.viewer(key.match, key.token)
        if key.token and viewer.seat != key.seat:
            raise no_such_match() if viewer.seat is None else wrong_seat_number()
        return viewer

    def _link(self, match: str, kind: str, secret: str | None) -> str:
        return str(Link(self.address, match, kind, secret)) if secret else ""
