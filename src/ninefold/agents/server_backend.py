"""The backend over a running server: each tool call is a request to its API, or a socket while it waits."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

from ninefold.agents.backend import MOST_LISTED, Listed, SeatGrant, SeatKey, change_key, wrong_seat_number
from ninefold.agents.profile_keys import KIND, profile_name
from ninefold.client import ChangeStream, Server, read_link
from ninefold.client.api import new_request
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.match.actions import Action
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import MatchRequest, action_document
from ninefold.server.hosting.errors import no_such_match
from ninefold.server.hosting.view import MatchSummary, MatchView

RETRY_S = 15.0  # how long a server may be unreachable before the agent is told
MOST_REMEMBERED = 10_000  # requests and seats


class ChosenRequests:
    """The idempotency keys that callers have chosen in this process, each with the one that the server is sent.

    The server is sent random ones: it would give the same seat to every computer that sends what a model has chosen.
    """

    def __init__(self) -> None:
        self._keys: OrderedDict[str, str] = OrderedDict()
        self._used: set[str] = set()

    @contextlib.contextmanager
    def use(self, scope: str, chosen: str) -> Iterator[str]:
        """The key to send. One that has opened a seat, or is about to, is refused; one that has failed is not."""
        if not chosen:
            yield new_request()
            return
        name = f"{scope}\0{chosen}"
        if name in self._used:
            raise NotAllowed("request_reused.once")
        self._used.add(name)
        self._keys.setdefault(name, new_request())
        self._keys.move_to_end(name)
        if len(self._keys) > MOST_REMEMBERED:
            self._used.discard(self._keys.popitem(last=False)[0])
        try:
            yield self._keys[name]
        except Refusal:
            self._used.discard(name)
            raise


class ServerBackend:
    """Over a running server. ``link`` is its address, or an invitation, whose seat ``join`` then takes; ``key`` opens
    the agent's profile there."""

    def __init__(self, link: str, key: str | None = None) -> None:
        self.invitation = read_link(link) if "/m/" in link else None
        self.server: Server = Server(self.invitation.server if self.invitation else link, timeout=RETRY_S, key=key)
        self._has_profile = False
        self._requests = ChosenRequests()
        self._checked: OrderedDict[SeatKey, None] = OrderedDict()

    def close(self) -> None:
        self.server.close()

    async def create(self, request: MatchRequest, chosen: str) -> SeatGrant:
        await self._identify(next((seat.name for seat in request.seats if seat.player == HUMAN), ""))
        with self._requests.use("", chosen) as key:
            created = await asyncio.to_thread(self.server.request_match, request, idempotency_key=key)
        seat = next(iter(created.seats.values()))
        invitation = next(iter(created.invitations.values()), "")
        return SeatGrant(SeatKey(created.match, seat.number, seat.token), str(invitation), str(created.watch))

    async def join(self, link: str, name: str, chosen: str) -> SeatGrant:
        to = read_link(link, self.server.address) if link else self.invitation
        if to is None:
            raise Unreadable("no_link")
        await self._identify(name)
        with self._requests.use(f"{to.match}/{to.secret}", chosen) as key:
            seat = await asyncio.to_thread(self.server.join, to, name, request=key)
        return SeatGrant(SeatKey(to.match, seat.number, seat.token))

    async def _identify(self, name: str) -> None:
        """Make the agent's profile, if its key is used for the first time."""
        if self.server.key is None or self._has_profile:
            return
        try:
            profile = await asyncio.to_thread(self.server.profile)
        except NotAllowed as refusal:
            if refusal.reason != "bad_key":
                raise
            profile = await asyncio.to_thread(self.server.save_profile, profile_name(name), KIND)
        if profile["kind"] != KIND:
            raise NotAllowed("bad_key.kind")
        self._has_profile = True

    async def rematch(self, key: SeatKey) -> SeatKey:
        await self._check(key)
        found = await self._post(f"/matches/{key.match}/rematch", {"request": new_request()}, key.token)
        return key._replace(match=found["match"])

    async def claim_absent(self, key: SeatKey, idempotency_key: str) -> bool:
        await self._check(key)
        response = await self._post(f"/matches/{key.match}/absent", {"request": idempotency_key}, key.token)
        return bool(response["replayed"])

    async def lobby(self, state: Listed) -> list[MatchSummary]:
        page = await asyncio.to_thread(self.server.calls.get, f"/matches?state={state}&limit={MOST_LISTED}")
        matches: list[MatchSummary] = page["matches"]
        return matches

    async def act(self, key: SeatKey, idempotency_key: str, version: int | None, action: Action, text: str) -> bool:
        await self._check(key)
        body = {"request": idempotency_key, "version": version, "action": action_document(action, text)}
        response = await self._post(f"/matches/{key.match}/actions", body, key.token)
        return bool(response["replayed"])

    async def note(self, key: SeatKey, tool: str, reason: str) -> None:
        """The server puts every unreadable action into the audit, under a reason of its own; this one lacks fields."""
        await self._post(f"/matches/{key.match}/actions", {"action": {"kind": tool, "text": reason}}, key.token)

    async def view(self, key: SeatKey) -> MatchView:
        view: MatchView
        view, role = await asyncio.to_thread(self.server.calls.get_with_role, f"/matches/{key.match}", key.token)
        if key.token and role not in ("", str(key.seat)):
            raise wrong_seat_number() if role.isdigit() else no_such_match()
        self._checked[key] = None
        if len(self._checked) > MOST_REMEMBERED:
            self._checked.popitem(last=False)
        return view

    async def _check(self, key: SeatKey) -> None:
        """Refuse a key with the number of another seat. A key that was checked once is not checked again."""
        if key not in self._checked:
            await self.view(key)

    async def log(self, match: str) -> str:
        return await asyncio.to_thread(self.server.calls.text, f"/matches/{match}/log")

    async def follow(self, key: SeatKey) -> AsyncGenerator[MatchView]:
        await self._check(key)
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
                if shown != (shown := change_key(item)):
                    yield item
        finally:
            _in_thread(changes.close)  # the closing handshake may take a while

    async def _post(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        return await asyncio.to_thread(self.server.calls.post, path, body, token)


def _in_thread(call: Callable[[], None]) -> None:
    threading.Thread(target=call, name="ninefold-changes", daemon=True).start()
