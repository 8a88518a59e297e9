"""The table in this process: the service itself, the one that people in browsers write to."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncGenerator
from typing import cast

from ninefold.agents.backend import Key, Seated, View, Wanted, has_moved, no_link, request_used, seen
from ninefold.client.links import Link, read_link
from ninefold.core.errors import NotAllowed
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import OPEN, ClockRequest, First, MatchRequest, SeatRequest
from ninefold.server.hosting.errors import WRONG_FIELD
from ninefold.server.storage.service import Service


class Here:
    """``address`` is how links to the server begin; without one there is no server, and nobody else can come."""

    def __init__(self, service: Service, address: str = "") -> None:
        self.service, self.address = service, address.rstrip("/")

    async def create(self, wanted: Wanted, request: str) -> Seated:
        if not self.address and wanted.opponent == OPEN:
            raise NotAllowed(
                "nobody_else", "Nobody else can come to this table.", "Play a level of the computer, or use --server."
            )
        made = await self.service.create(_match_request(wanted), self._lasting(request))
        match = made["match"]
        return Seated(
            Key(match, 1, made["seats"].get(1)),
            self._link(match, "invite", made["invitations"].get(2)),
            self._link(match, "watch", made["watch"]) or (f"{self.address}/m/{match}" if self.address else ""),
        )

    async def join(self, link: str, name: str, request: str) -> Seated:
        if not link:
            raise no_link()
        to = read_link(link, self.address or "here")
        found = await self.service.join(to.match, to.secret or None, name, self._lasting(request))
        key = Key(to.match, found["seat"], found["token"])
        if self.address and has_moved(await self.view(key), found["side"]):
            raise request_used()
        return Seated(key)

    async def act(self, key: Key, request: str, version: int | None, action: Action, typed: str) -> bool:
        answer = await self.service.act(key.match, key.token, request, version, action, typed)
        return bool(answer["replayed"])

    async def note(self, key: Key, tool: str) -> None:
        await self.service.note(key.match, key.token, tool, WRONG_FIELD)

    async def view(self, key: Key) -> View:
        await self.service.viewer(key.match, key.token)
        return (await self.service.view(key.match)).document

    async def log(self, match: str) -> str:
        await self.service.viewer(match, None)
        return await self.service.log(match)

    async def follow(self, key: Key) -> AsyncGenerator[View]:
        reader = await self.service.viewer(key.match, key.token)
        with contextlib.ExitStack() as stack:
            subscription = self.service.subscribe(key.match)  # first, so that nothing falls between it and the view
            stack.callback(subscription.close)
            if reader.seat:
                stack.enter_context(self.service.arrived(key.match, reader))
            shown: object = None
            while True:
                view = (await self.service.view(key.match)).document
                if shown != (shown := seen(view)):
                    yield view
                await subscription.changed()

    def _lasting(self, request: str) -> str:
        """At a table of one's own nobody is there who could guess a request; on a server it has to be random."""
        return request if self.address else hashlib.sha256(request.encode()).hexdigest()

    def _link(self, match: str, kind: str, secret: str | None) -> str:
        return str(Link(self.address, match, kind, secret)) if secret else ""


def _match_request(wanted: Wanted) -> MatchRequest:
    return MatchRequest(
        wanted.game,
        wanted.options,
        (SeatRequest(name=wanted.name), SeatRequest(wanted.opponent)),
        "XO" if wanted.side == "X" else "OX",
        cast("First | None", wanted.first),
        wanted.private,
        ClockRequest(*wanted.clock) if wanted.clock else None,
        wanted.claim_seconds,
        show_moves=wanted.show_moves,
    )
