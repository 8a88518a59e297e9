"""The table on a running server, reached as every other client reaches it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ninefold.agents.backend import Key, Seated, View, Wanted, no_link, seen
from ninefold.client import ChangeStream, Link, Server, read_link
from ninefold.client.device import request_for
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.match.actions import Action

PATIENCE = 15.0  # seconds that a server may be away before the agent is told
Found = TypeVar("Found")


class There:
    """``link`` is the address of a server, or a link to a match there, whose seat is then the one that is joined."""

    def __init__(self, link: str) -> None:
        self.invitation = read_link(link) if "/m/" in link else None
        self.server = Server(self.invitation.server if self.invitation else link, patience=PATIENCE)
        self._calls = ThreadPoolExecutor(1, "ninefold-calls")  # the client is for one thread at a time

    def close(self) -> None:
        self.server.close()
        self._calls.shutdown(wait=False, cancel_futures=True)

    async def create(self, wanted: Wanted, request: str) -> Seated:
        made = await self._post("/matches", _body(wanted) | {"request": self._lasting("", request)})
        match, invitations = made["match"], made["invitations"]
        return Seated(
            Key(match, 1, made["seats"]["1"]),
            str(Link(self.server.address, match, "invite", invitations["2"])) if "2" in invitations else "",
            f"{self.server.address}{made['links']['watch']}",
        )

    async def join(self, link: str, name: str, request: str) -> Seated:
        to = read_link(link, self.server.address) if link else self.invitation
        if to is None:
            raise no_link()
        if to.kind == "watch":
            raise NotAllowed("only_watching", "This link is for watching.", "Ask for an invitation.")
        secret = {"invite": "invitation", "code": "code"}
        body = {"name": name, "request": self._lasting(f"{to.match}/{to.secret}", request)}
        if to.kind:
            body[secret[to.kind]] = to.secret
        found = await self._post(f"/matches/{to.match}/join", body)
        return Seated(Key(to.match, found["seat"], found["token"]))

    async def act(self, key: Key, request: str, version: int | None, action: Action, typed: str) -> bool:
        given = {"kind": action.kind, "move": typed, "cells": action.cells, "text": action.text}
        body = {"request": request, "version": version, "action": {name: one for name, one in given.items() if one}}
        found = await self._post(f"/matches/{key.match}/actions", body, key.token)
        return bool(found["replayed"])

    async def note(self, key: Key, tool: str) -> None:
        """A server notes by itself what it cannot read: this, too, has not enough fields."""
        await self._post(f"/matches/{key.match}/actions", {"action": {"kind": tool}}, key.token)

    async def view(self, key: Key) -> View:
        view: View = await self._call(lambda: self.server.calls.get(f"/matches/{key.match}", key.token))
        return view

    async def log(self, match: str) -> str:
        return await self._call(lambda: self.server.calls.text(f"/matches/{match}/log"))

    async def follow(self, key: Key) -> AsyncGenerator[View]:
        changes = ChangeStream(self.server.address, key.match, key.token)
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[View | Refusal]()

        def tell(what: View | Refusal) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens
                loop.call_soon_threadsafe(heard.put_nowait, what)

        def listen() -> None:
            try:
                for change in changes:
                    if change.view:
                        tell(change.view)
            except Refusal as refusal:
                tell(refusal)

        _apart(listen)
        shown: object = None
        try:
            while True:
                what = await heard.get()
                if isinstance(what, Refusal):
                    raise what
                if shown != (shown := seen(what)):
                    yield what
        finally:
            _apart(changes.close)  # the farewell may take a while

    def _lasting(self, what: str, request: str) -> str:
        """A request that only this computer can make: whoever guesses it would be told the secrets."""
        return request_for(Link(self.server.address, "", "agent", f"{what}\0{request}"))

    async def _post(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        return await self._call(lambda: self.server.calls.post(path, body, token))

    async def _call(self, call: Callable[[], Found]) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._calls, call)


def _apart(call: Callable[[], None]) -> None:
    threading.Thread(target=call, name="ninefold-changes", daemon=True).start()


def _body(wanted: Wanted) -> dict[str, Any]:
    body: dict[str, Any] = {
        "game": wanted.game,
        "seats": [{"player": "human", "name": wanted.name}, {"player": wanted.opponent}],
        "sides": "XO" if wanted.side == "X" else "OX",
        "first": wanted.first,
        "options": dict(wanted.options),
        "private": wanted.private,
        "claim_seconds": wanted.claim_seconds,
        "show_moves": wanted.show_moves,
    }
    if wanted.clock:
        body["clock"] = dict(zip(("initial_seconds", "increment_seconds"), wanted.clock, strict=True))
    return body
