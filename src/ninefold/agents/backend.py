"""What the tools need of matches: a port, with a backend over the service in this process and one over a server.

It stands beside ``client.session.Session`` because a tool holds no state between two calls: every call brings the key
of its seat, and one process serves the seats of many agents. A session is one seat of one match while it is open.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any, NamedTuple, Protocol

from ninefold.client import ChangeStream, Link, Server, read_link
from ninefold.client.device import request_for
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.match.actions import Action
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import OPEN, MatchRequest, action_document
from ninefold.server.hosting.errors import WRONG_FIELD
from ninefold.server.hosting.view import MatchView
from ninefold.server.storage.service import Service

RETRY_S = 15.0  # how long a server may be unreachable before the agent is told
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
    """The key in a word. Changing the seat number in it only shows the board from the other side."""
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

    async def create(self, request: MatchRequest, idempotency_key: str) -> SeatGrant:
        """Start a match. The caller gets the seat with the side that was requested first."""
        ...

    async def join(self, link: str, name: str, idempotency_key: str) -> SeatGrant: ...

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        """Take an action. True if it was a repeat. ``text`` is a move as players type it."""
        ...

    async def note(self, key: SeatKey, tool: str) -> None:
        """Record in the audit that a call of a tool could not be read."""
        ...

    async def view(self, key: SeatKey) -> MatchView: ...

    async def log(self, match: str) -> str: ...

    def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        """The view now, and again after every event and every change of the seats."""
        ...


def has_moved(view: MatchView, side: str) -> bool:
    return any(move["side"] == side for move in view["history"])


def key_reused() -> NotAllowed:
    """Once a player has gone on from the first response, a repeat may come from somebody else."""
    return NotAllowed("request_reused.under_way")


def _change_key(view: MatchView) -> object:
    """A value that differs when followers are to be told: after events, and after changes of the seats."""
    return view["size"], view["status"], view["rematch"]


class LocalBackend:
    """Over the service in this process. ``address`` is how links to the server begin; "" if there is no server."""

    def __init__(self, service: Service, address: str = "") -> None:
        self.service, self.address = service, address.rstrip("/")

    async def create(self, request: MatchRequest, idempotency_key: str) -> SeatGrant:
        if not self.address and any(seat.player == OPEN for seat in request.seats):
            raise NotAllowed("nobody_else")
        created = await self.service.create(request, self._unguessable(idempotency_key))
        match = created["match"]
        seat, token = next(iter(created["seats"].items()), (1, None))
        return SeatGrant(
            SeatKey(match, seat, token),
            self._link(match, "invite", created["invitations"].get(3 - seat)),
            self._link(match, "watch", created["watch"]) or (f"{self.address}/m/{match}" if self.address else ""),
        )

    async def join(self, link: str, name: str, idempotency_key: str) -> SeatGrant:
        if not link:
            raise Unreadable("no_link")
        to = read_link(link, self.address or "here")
        joined = await self.service.join(to.match, to.secret or None, name, self._unguessable(idempotency_key))
        key = SeatKey(to.match, joined["seat"], joined["token"])
        if self.address and has_moved(await self.view(key), joined["side"]):
            raise key_reused()
        return SeatGrant(key)

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        response = await self.service.act(key.match, key.token, idempotency_key, version, action, text)
        return bool(response["replayed"])

    async def note(self, key: SeatKey, tool: str) -> None:
        await self.service.note(key.match, key.token, tool, WRONG_FIELD)

    async def view(self, key: SeatKey) -> MatchView:
        await self.service.viewer(key.match, key.token)
        return (await self.service.view(key.match)).document

    async def log(self, match: str) -> str:
        await self.service.viewer(match, None)
        return await self.service.log(match)

    async def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        viewer = await self.service.viewer(key.match, key.token)
        with contextlib.ExitStack() as stack:
            subscription = self.service.subscribe(key.match)  # before the first view, so that no change is missed
            stack.callback(subscription.close)
            if viewer.seat:
                stack.enter_context(self.service.connect(key.match, viewer))
            shown: object = None
            while True:
                view = (await self.service.view(key.match)).document
                if shown != (shown := _change_key(view)):
                    yield view
                await subscription.changed()

    def _unguessable(self, idempotency_key: str) -> str:
        """A server demands unguessable keys. Without a server nobody else is there to guess them."""
        return idempotency_key if self.address else hashlib.sha256(idempotency_key.encode()).hexdigest()

    def _link(self, match: str, kind: str, secret: str | None) -> str:
        return str(Link(self.address, match, kind, secret)) if secret else ""


class ServerBackend:
    """Over a running server. ``link`` is its address, or an invitation, whose seat ``join`` then takes."""

    def __init__(self, link: str) -> None:
        self.invitation = read_link(link) if "/m/" in link else None
        self.server = Server(self.invitation.server if self.invitation else link, timeout=RETRY_S)

    def close(self) -> None:
        self.server.close()

    async def create(self, request: MatchRequest, idempotency_key: str) -> SeatGrant:
        key = self._unguessable("", idempotency_key)
        created = await asyncio.to_thread(self.server.request_match, request, idempotency_key=key)
        seat = next(iter(created.seats.values()))
        invitation = next(iter(created.invitations.values()), "")
        return SeatGrant(SeatKey(created.match, seat.number, seat.token), str(invitation), str(created.watch))

    async def join(self, link: str, name: str, idempotency_key: str) -> SeatGrant:
        to = read_link(link, self.server.address) if link else self.invitation
        if to is None:
            raise Unreadable("no_link")
        request = self._unguessable(f"{to.match}/{to.secret}", idempotency_key)
        seat = await asyncio.to_thread(self.server.join, to, name, request=request)
        return SeatGrant(SeatKey(to.match, seat.number, seat.token))

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        body = {"request": idempotency_key, "version": version, "action": action_document(action, text)}
        response = await self._post(f"/matches/{key.match}/actions", body, key.token)
        return bool(response["replayed"])

    async def note(self, key: SeatKey, tool: str) -> None:
        """The server puts every unreadable action into the audit, and this one lacks fields."""
        await self._post(f"/matches/{key.match}/actions", {"action": {"kind": tool}}, key.token)

    async def view(self, key: SeatKey) -> MatchView:
        view: MatchView = await asyncio.to_thread(self.server.calls.get, f"/matches/{key.match}", key.token)
        return view

    async def log(self, match: str) -> str:
        return await asyncio.to_thread(self.server.calls.text, f"/matches/{match}/log")

    async def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        changes = ChangeStream(self.server.address, key.match, key.token)
        loop, received = asyncio.get_running_loop(), asyncio.Queue[Any]()

        def put(item: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(received.put_nowait, item)

        def listen() -> None:
            try:
                for change in changes:
                    if change.view:
                        put(change.view)
            except Refusal as refusal:
                put(refusal)

        _in_thread(listen)
        shown: object = None
        try:
            while True:
                item = await received.get()
                if isinstance(item, Refusal):
                    raise item
                if shown != (shown := _change_key(item)):
                    yield item
        finally:
            _in_thread(changes.close)  # the closing handshake may take a while

    def _unguessable(self, scope: str, idempotency_key: str) -> str:
        """A key that only this computer can make: the server's secrets derive from it."""
        return request_for(Link(self.server.address, "", "agent", f"{scope}\0{idempotency_key}"))

    async def _post(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        return await asyncio.to_thread(self.server.calls.post, path, body, token)


def _in_thread(call: Callable[[], None]) -> None:
    threading.Thread(target=call, name="ninefold-changes", daemon=True).start()
