"""The service: what web, agents and tests ask of kept matches. It lives on an event loop; the database does not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.svg import svg
from ninefold.match.actions import Action
from ninefold.match.log import write_log
from ninefold.match.match import Match
from ninefold.match.record import write_record
from ninefold.match.summary import last_changed
from ninefold.server.hosting import tokens, view
from ninefold.server.hosting.commands import (
    Act,
    ClaimAbsent,
    Command,
    Create,
    HandlerContext,
    Handover,
    Join,
    MatchRequest,
    Note,
    Rematch,
)
from ninefold.server.hosting.errors import no_such_match, unavailable
from ninefold.server.hosting.handlers import indexed_event
from ninefold.server.hosting.model import HostedMatch, Viewer
from ninefold.server.hosting.seats import secret_idempotency_key
from ninefold.server.storage import schema, store
from ninefold.server.storage.bots import Bots
from ninefold.server.storage.cache import Cache
from ninefold.server.storage.database import Database, unusable
from ninefold.server.storage.presence import REFRESH_S, Presence
from ninefold.server.storage.pubsub import Listener, PubSub, SteadyClock, Subscription
from ninefold.server.storage.reader import MatchReader
from ninefold.server.storage.scheduler import Scheduler
from ninefold.server.storage.writer import Changed, Job, Writer

log = logging.getLogger(__name__)

Answer = dict[str, Any]


class Limits(NamedTuple):
    matches: int = 50_000  # open and live
    spectators: int = 200  # of one match, in one worker
    cached: int = 10_000  # matches in memory


class View(NamedTuple):
    """A match as a reader sees it."""

    etag: str
    document: view.MatchView
    hosted: HostedMatch

    @property
    def version(self) -> int:
        return self.hosted.match.version

    @property
    def size(self) -> int:
        return len(self.hosted.match.events)

    def events(self, after: int) -> list[Answer]:
        return _events(self.hosted, after)

    @property
    def json(self) -> bytes:
        return json.dumps(self.document, ensure_ascii=False, separators=(",", ":")).encode()


def _events(hosted: HostedMatch, after: int) -> list[Answer]:
    events = hosted.match.events
    return [indexed_event(index, events[index]) for index in range(max(0, after + 1), len(events))]


def _unseeded(match: Match) -> Match:
    """A match that goes on is told without its seed, which would tell what the computer will play."""
    return match if match.result else match._replace(setup=match.setup._replace(seed=None))


class Service:
    """The authority for the matches in one database. ``start`` before use, ``stop`` at the end."""

    def __init__(
        self,
        data: Path,
        url: str | None = None,
        *,
        limits: Limits = Limits(),
        engines: int = 1,
        keep_days: int = 0,
        now: Callable[[], int] | None = None,
    ) -> None:
        self._data = data
        self._url = url
        self._limits = limits
        self._keep_days = keep_days
        self.now = now or SteadyClock().now  # UTC in milliseconds
        self._cache = Cache(limits.cached)
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Listener | None = None
        self.bus = PubSub()
        self.computers = Bots(engines, self._computer_acts)
        self.moves = 0  # made since the start
        self.stopping = False

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._database = database = await asyncio.to_thread(Database, self._data, self._url)
        worker = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.presence = Presence(worker, self.now, self.bus.announce, self._share if database.is_postgres else None)
        self._upkeep = Scheduler(database, self.now, self._submit, self._cache.drop, self.presence, self._keep_days)
        try:
            self._key = await asyncio.to_thread(self._prepare)
        except DBAPIError as error:
            database.close()
            raise unusable(str(error.orig), None if self._url else self._data) from None
        except BaseException:
            database.close()
            raise
        self._shelf = MatchReader(database, self._cache)
        self._writer = Writer(database, self._cache, self._moment, self._announce, self._upkeep.back)
        self._writer.start()
        if database.is_postgres:
            self._listener = Listener(database.url, self._heard, self._missed)
            self._listener.start()
        tasks = (self._upkeep.sweep(), self._upkeep.live(), self._upkeep.housekeeping(), self._refresh())
        self._tasks = [self._loop.create_task(task) for task in tasks]

    def _prepare(self) -> bytes:
        with self._database.writer.begin() as connection:
            schema.migrate(connection)
            self._upkeep.back(connection)
            if not self._database.is_postgres:
                store.end_leases(connection)  # of the process before this one
            return store.secret(connection)

    async def stop(self) -> None:
        """Finish what is being written; what comes later is refused."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if left := self.computers.stop():
            self._writer.submit(lambda connection: store.end_leases(connection, left))
        if self._listener:
            await asyncio.to_thread(self._listener.stop)
        await asyncio.to_thread(self._writer.stop)
        await asyncio.to_thread(self._database.close)

    # Writing

    async def create(self, request: MatchRequest, key: str = "") -> Answer:
        """A new match. A repeat with the same idempotency key gets the same response."""
        if self._upkeep.counts.get("open", 0) + self._upkeep.counts.get("live", 0) >= self._limits.matches:
            raise NotAllowed("too_many.matches")
        parts = (secret_idempotency_key(key), repr(request))
        name, one, two, watch, seed = (
            tokens.derived(self._key, part, *parts) for part in ("name", "1", "2", "watch", "seed")
        )
        if request.seed is None:
            request = request._replace(seed=int(tokens.digest(seed)[:8], 16))
        return await self._write(Create(tokens.digest(name)[:16], request, (one, two, watch)))

    async def join(self, match: str, secret: str | None, name: str = "", request: str = "") -> Answer:
        joined = await self._write(Join(match, secret, name, secret_idempotency_key(request)))
        self.presence.seen(match, Viewer(joined["seat"]))
        return joined

    async def act(
        self, match: str, token: str | None, request: str, version: int | None, action: Action, text: str = ""
    ) -> Answer:
        """An action of the bearer of a token. ``text`` is a move as players type it."""
        try:
            return await self._write_of_a_seat(Act(match, token, request, version, action, text))
        except Refusal as refusal:
            if refusal.reason in ("stale_version", "ended"):
                refusal.details["match"] = (await self.view(match)).document
            raise

    async def note(self, match: str, token: str | None, kind: str, reason: str) -> None:
        """The bearer of a token tried something that cannot be read, for this reason."""
        await self._write_of_a_seat(Note(match, token, kind, reason))

    async def handover(self, match: str, token: str | None, request: str) -> Answer:
        return await self._write_of_a_seat(Handover(match, token, request))

    async def claim_absent(self, match: str, token: str | None, request: str) -> Answer:
        there = self.presence.of(match, (await self._shelf.see(match)).elsewhere)
        return await self._write_of_a_seat(ClaimAbsent(match, token, request, there.seen_at))

    async def rematch(self, match: str, token: str | None) -> Answer:
        return await self._write_of_a_seat(Rematch(match, token, tokens.new_id()))

    async def _write_of_a_seat(self, write: Act | Note | Handover | ClaimAbsent | Rematch) -> Answer:
        """Who writes is there, also when it is refused."""
        try:
            return await self._write(write)
        finally:
            with contextlib.suppress(Refusal):
                if hosted := self._cache.get(write.match):
                    self.presence.seen(write.match, hosted.viewer(write.token), wrote=True)

    async def _write(self, write: Command) -> Answer:
        if not tokens.is_id(write.match):
            raise no_such_match()
        answer: Answer = await self._submit(write)
        return answer

    async def _submit(self, write: Command | Job) -> Any:
        if self.stopping:
            raise unavailable()
        return await asyncio.wrap_future(self._writer.submit(write))

    # Reading. Whoever asks has been told by ``reader`` that it may.

    async def reader(self, match: str, token: str | None) -> Viewer:
        return (await self._shelf.hosted(match)).viewer(token)

    async def view(self, match: str) -> View:
        hosted, elsewhere = await self._shelf.see(match)
        there = self.presence.of(match, elsewhere)
        stored = self._cache.told(hosted, view.stored_view)
        live = view.live_view(hosted, there, self.now(), self._upkeep.outages)
        whole: view.MatchView = {**stored, **live}
        etag = f'W/"{hosted.revision}-{int(there.present[0])}{int(there.present[1])}{there.watching}"'
        return View(etag, whole, hosted)

    async def events(self, match: str, after: int) -> list[Answer]:
        """The events of a match with an index greater than ``after``."""
        return _events(await self._shelf.hosted(match), after)

    async def log(self, match: str) -> str:
        return write_log(_unseeded((await self._shelf.hosted(match)).match))

    async def record(self, match: str) -> str:
        return write_record(_unseeded((await self._shelf.hosted(match)).match))

    async def picture(self, match: str) -> str:
        hosted = (await self._shelf.hosted(match)).match
        return svg(hosted.game, hosted.position, last=last_changed(hosted.game, hosted.state))

    async def ended(self, match: str) -> tuple[Match, tuple[tuple[int, str], ...]]:
        """A match that is over, and its audit. While it goes on that would tell what somebody thinks of."""
        hosted = await self._shelf.hosted(match)
        if hosted.match.result is None:
            raise NotAllowed("not_ended.report")
        return hosted.match, hosted.refused

    async def refused(self, match: str) -> list[Answer]:
        """The audit of a match that is over, attempt by attempt."""
        _, lines = await self.ended(match)
        return [json.loads(line) for _, line in lines]

    async def listed(self, status: str = "live", before: str | None = None, most: int = 50) -> Answer:
        """Public matches, the newest first. With what is ``next`` in one answer, the next one begins after it."""
        time, _, match = (before or "").partition("-")
        page = await self._shelf.listed(status, (int(time), match) if before else None, most)
        next = "{}-{}".format(*page.last) if page.last else None
        return {"matches": [view.summary(hosted) for hosted in page.matches], "next": next}

    def subscribe(self, match: str) -> Subscription:
        return self.bus.subscribe(match)

    def arrived(self, match: str, reader: Viewer) -> contextlib.ExitStack:
        """Somebody opens a socket; closing what is returned says that it is gone."""
        return self.presence.arrived(match, reader, self._limits.spectators)

    def health(self) -> Answer:
        return {
            "status": "stopping" if self.stopping else "away" if self._writer.away else "ok",
            "database": "postgresql" if self._database.is_postgres else "sqlite",
            "matches": dict(self._upkeep.counts),
            "moves": self.moves,
            "writes_waiting": self._writer.waiting(),
            "engines_busy": self.computers.waiting(),
        }

    # How it works inside

    def _share(self, job: Job) -> None:
        self._writer.submit(job)

    def _moment(self) -> HandlerContext:
        return HandlerContext(self.now(), self._upkeep.outages, self._key)

    def _announce(self, changed: Changed) -> None:
        """From the writing thread, after the answers."""
        self._soon(self._changed, changed)

    def _changed(self, changed: Changed) -> None:
        for before, after in changed:
            known = len(before.match.events) if before else 0
            self.moves += sum(event.action.kind == "move" for event in after.match.events[known:])
            self.bus.announce(after.id)
            if after.lease_until != (before.lease_until if before else 0) and not self.stopping:
                self.computers.consider(after)

    def _heard(self, match: str) -> None:
        if self.bus.has(match):  # most matches are followed elsewhere, or by nobody
            self._soon(self.bus.announce, match)

    def _missed(self) -> None:
        self._soon(self.bus.announce_all)

    def _soon(self, call: Any, *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens
            self._loop.call_soon_threadsafe(call, *arguments)

    async def _computer_acts(self, hosted: HostedMatch, seat: int, action: Action) -> bool:
        version = hosted.match.version
        try:
            await self._write(Act(hosted.id, None, f"computer-{version}", version, action, computer=seat))
        except Refusal as refusal:
            log.info("the computer's action came too late: %s", refusal.reason)
            return False
        return True

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            self.presence.refresh()
