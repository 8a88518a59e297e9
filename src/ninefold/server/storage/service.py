"""The service: what the HTTP server, agents and tests use. It lives on an event loop; the database does not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy.exc import DBAPIError

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.svg import svg
from ninefold.games import find_game
from ninefold.match.actions import Action
from ninefold.match.log import write_log
from ninefold.match.match import Match
from ninefold.match.record import write_record
from ninefold.match.state import HUMAN
from ninefold.match.summary import last_changed
from ninefold.players.player import is_local, no_such_player
from ninefold.server.hosting import tokens, view
from ninefold.server.hosting.commands import (
    OPEN,
    Acknowledgement,
    Act,
    Arrive,
    ClaimAbsent,
    ClockRequest,
    Command,
    Create,
    HandlerContext,
    Handover,
    Identity,
    Join,
    Lease,
    MatchRequest,
    Note,
    Rematch,
)
from ninefold.server.hosting.errors import no_such_match, unavailable
from ninefold.server.hosting.handlers import LEASE_MS, EventDoc, is_computers_turn_now
from ninefold.server.hosting.model import HostedMatch, PresenceInfo, Viewer
from ninefold.server.hosting.seats import idempotency_key, invited_seat, is_joined, seat_of, secret_idempotency_key
from ninefold.server.hosting.view import InvitationDoc, invitation_doc
from ninefold.server.storage import shared_state, store
from ninefold.server.storage.bots import EXTRA, Bots, Compute, MoveProcesses
from ninefold.server.storage.config import PAGE_SIZE, REQUESTER, ServiceConfig
from ninefold.server.storage.database import Database, unusable
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.moderation import Moderation
from ninefold.server.storage.pairing import Pairing
from ninefold.server.storage.presence import POLLING_MS, WORKER_MS, Presence
from ninefold.server.storage.profile_service import ProfileService
from ninefold.server.storage.pubsub import Change, NotificationListener, PubSub, Subscription
from ninefold.server.storage.reader import (
    MatchCache,
    MatchReader,
    MatchSnapshot,
    events_after,
    without_messages,
    without_seed,
)
from ninefold.server.storage.scheduler import Scheduler
from ninefold.server.storage.steady_clock import SteadyClock
from ninefold.server.storage.transaction import BatchChange
from ninefold.server.storage.writer import DatabaseTask, PendingResponse, TraceBatch, Writer, WrittenBatch

if TYPE_CHECKING:
    from sqlalchemy import Connection

log: logging.Logger = logging.getLogger(__name__)

Response = dict[str, Any]


class SharedGame(NamedTuple):
    """A finished game as its page shows it to everybody who has the link."""

    id: str
    match: Match
    private: bool


class Service:
    """The authority for the matches in one database. ``start`` it before use, ``stop`` it at the end.

    ``compute`` finds the actions of bots; by default processes of this service do. ``trace`` is entered around each
    batch of writes.
    """

    bots: Bots
    presence: Presence
    scheduler: Scheduler

    def __init__(
        self,
        data: Path,
        url: str | None = None,
        *,
        config: ServiceConfig = ServiceConfig(),
        now: Callable[[], int] | None = None,
        compute: Compute | None = None,
        trace: TraceBatch = contextlib.nullcontext,
    ) -> None:
        self._data = data
        self._url = url
        self._config = config
        self._clock = SteadyClock(now)
        self.now: Callable[[], int] = self._clock.now  # UTC in milliseconds
        self._has_own_clock = now is not None
        self._trace = trace
        self.cache: MatchCache = MatchCache(config.cached)
        self.pubsub: PubSub = PubSub()
        self.moderation: Moderation = Moderation()
        self._processes = MoveProcesses(config.engines + EXTRA)
        self.bots = Bots(compute or self._processes.compute, self._act_as_bot, self._lease, self.now, config.engines)
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: NotificationListener | None = None
        self.moves: int = 0  # made since the start
        self.stopping: bool = False

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._database = database = await asyncio.to_thread(
            Database, self._data, self._url, self._config.database_seconds
        )
        worker = f"{os.getpid()}-{secrets.token_hex(4)}"
        write = self._submit_later if database.is_postgres else None
        self.presence = Presence(worker, self.now, self.pubsub.publish, write, self.pubsub.publish_later)
        self.scheduler = Scheduler(
            database, self.now, self.submit, self._on_delete, self._take_over, self.presence, self.bots, self._config,
            self.moderation, self._keep_profiles,
        )  # fmt: skip
        try:
            self._key = await asyncio.to_thread(self._prepare)
        except DBAPIError as error:
            database.close()
            raise unusable(str(error.orig), None if self._url else self._data) from None
        except BaseException:
            database.close()
            raise
        self._reader = MatchReader(database, self.cache)
        self._writer = Writer(database, self.cache, self._context, self._on_batch, self._on_begin, self._trace)
        self.profiles = ProfileService(self._reader, self.now, self.submit, self.moderation)
        self._pairing = Pairing(database, self)
        self._writer.start()
        if database.is_postgres:
            self._listener = NotificationListener(
                database.url, self._on_notification, self._on_listening, database.register
            )
            self._listener.start()
        self._tasks = [self._loop.create_task(loop) for loop in self.scheduler.loops()]

    async def _keep_profiles(self) -> None:
        await self.profiles.housekeeping()

    def _prepare(self) -> bytes:
        with self._database.writer.begin() as connection:
            migrate(connection)
            if self._database.is_postgres and not self._has_own_clock:
                self._clock.set(shared_state.database_time(connection))
            self._clock.start_after(shared_state.alive_at(connection) or 0)
            self.scheduler.end_outage(connection)
            self.moderation.refresh(connection)
            if not self._database.is_postgres:
                store.end_all_leases(connection)  # of the process before this one
            return shared_state.secret(connection)

    async def stop(self) -> None:
        """Finish what is being written, in bounded time; later commands are refused."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if left := self.bots.stop():
            self._writer.submit(lambda connection: store.end_leases(connection, left))
        self._processes.stop()
        self._writer.finish()
        if self._listener:
            self._listener.stop()
        if not await self._ends(lambda: self._writer.is_running or self._database.is_reading):
            log.warning("stopped without the database")
            self._database.cut()
        if await self._ends(lambda: self._writer.is_running):
            self._database.close(0)

    async def _ends(self, runs: Callable[[], bool]) -> bool:
        """True if something has ended in time. It is waited for without a thread: all of them may hang."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._config.stop_seconds):
                while runs():
                    await asyncio.sleep(0.005)
                return True
        return False

    # Commands

    async def create(
        self, request: MatchRequest, key: str = "", *, once: bool = False, identity: Identity | None = None
    ) -> Response:
        """A new match. A repeat with the same idempotency key gets the same response; another request is refused.
        ``once``: a repeat is refused too, so the key need not be a secret: it opens nothing. ``identity`` is the
        profile of who takes a seat."""
        self.profiles.check_requester()
        for seat in request.seats:
            self.profiles.check_name(seat.name)
        counts = self.scheduler.counts
        if counts.get("open", 0) + counts.get("live", 0) >= self._config.matches:
            raise NotAllowed("too_many.matches")
        key = self._key_of_seat(key, once=once)
        one, two, watch, seed = (tokens.derived(self._key, part, key) for part in ("1", "2", "watch", "seed"))
        if request.seed is None:
            request = request._replace(seed=int(tokens.digest(seed)[:8], 16))
        command = Create(self._new_match_id(key), request, (one, two, watch), once, identity)
        self._check_engine(command.match, request)
        counting = self.bots.computer_matches.creating(command.match, REQUESTER.get())
        with counting if _is_between_computers(request) else contextlib.nullcontext():
            created: Response = await self._execute(command)
        return created

    def _key_of_seat(self, key: str, *, once: bool) -> str:
        """The idempotency key from which the secrets of a seat derive. One that may have been chosen by several is
        derived first: else whoever sends it without ``once`` would be told the seat."""
        return tokens.derived(self._key, "once", idempotency_key(key)) if once and key else secret_idempotency_key(key)

    def _new_match_id(self, key: str) -> str:
        """The id of the match that is created with an idempotency key."""
        return tokens.digest(tokens.derived(self._key, "name", key))[:16]

    async def has_created(self, key: str) -> bool:
        """True if a match was created with this idempotency key, also if it was deleted."""
        match = self._new_match_id(key)
        try:
            await self._reader.hosted(match)
        except Refusal as refusal:
            if refusal.reason != "no_such_match":
                raise
            return bool(await self._reader.query(lambda connection: store.deleted_of(connection, [match])))
        return True

    def has_joined(self, hosted: HostedMatch, key: str) -> bool:
        """True if somebody has joined a public match with this idempotency key."""
        return is_joined(hosted, key, self._key)

    async def pair(
        self, game: str, clock: ClockRequest | None, name: str = "", key: str = "", identity: Identity | None = None
    ) -> Response:
        """A seat against somebody who asks for the same, or in a match in which the caller waits for them."""
        paired = await self._pairing.pair(game, clock, name, key, identity)
        self.presence.record_request(paired["match"], Viewer(paired["seat"]))
        return paired

    def _check_engine(self, match: str, request: MatchRequest) -> None:
        """Refuse a match with computers while too many moves of theirs wait, or too many play against each other, and
        computers that servers do not offer."""
        for seat in request.seats:
            if is_local(seat.player):
                raise no_such_player(find_game(request.game), seat.player)
        if not any(seat.player not in (HUMAN, OPEN) for seat in request.seats):
            return
        config, address = self._config, REQUESTER.get()
        if self.bots.waiting_from(address) >= config.engine_queue_each or self.bots.busy() >= config.engine_queue:
            raise NotAllowed("too_many.engine")
        others = self.bots.computer_matches
        if not _is_between_computers(request) or match in others:
            return
        if others.count(address) >= config.computer_matches_each or len(others) >= config.computer_matches:
            raise NotAllowed("too_many.computers")

    async def join(
        self,
        match: str,
        secret: str | None,
        name: str = "",
        key: str = "",
        *,
        once: bool = False,
        identity: Identity | None = None,
    ) -> Response:
        """A seat for the bearer of an invitation, or in a public match. The rest is as in ``create``."""
        self.profiles.check_name(name)
        command = Join(match, secret, name, self._key_of_seat(key, once=once), once, identity, REQUESTER.get())
        joined: Response = await self._execute(command)
        self.presence.record_request(match, Viewer(joined["seat"]))
        return joined

    async def act(
        self, match: str, token: str | None, key: str, version: int | None, action: Action, text: str = ""
    ) -> Response:
        """An action of the bearer of a token. ``text`` is a move as players type it."""
        command = Act(match, token, key, version, action, text, address=REQUESTER.get())
        return (await self.acknowledge(command)).document

    async def acknowledge(self, command: Act, *, connected: bool = False) -> Acknowledgement:
        """Execute an action. ``connected`` is True if it came through a socket, by which its seat is present anyhow."""
        try:
            acknowledged: Acknowledgement = await (self._execute if connected else self._execute_for_seat)(command)
            return acknowledged
        except Refusal as refusal:
            await self.explain(refusal, command.match)
            raise

    async def explain(self, refusal: Refusal, match: str) -> None:
        """Put the match into the refusal of an action, if the player has not seen all of it."""
        if refusal.reason in ("stale_version", "ended"):
            refusal.details["match"] = (await self.view(match)).document

    def begin(self, command: Act, on_response: Callable[[PendingResponse], object]) -> PendingResponse:
        """Begin to execute an action that came through a socket."""
        if self.stopping:
            raise unavailable()
        response = PendingResponse(on_response)
        self._writer.submit(command, response)
        return response

    def note_actor(self, match: str, address: str) -> None:
        """The computer's next moves in a match are for the address from which somebody has acted in it."""
        self.bots.shares.assign(match, address)

    async def note(self, match: str, token: str | None, kind: str, reason: str) -> None:
        """Add an unreadable attempt of the bearer of a token to the audit."""
        await self._execute_for_seat(Note(match, token, kind, reason))

    async def handover(self, match: str, token: str | None, key: str) -> Response:
        response: Response = await self._execute_for_seat(Handover(match, token, key))
        return response

    async def claim_absent(self, match: str, token: str | None, key: str) -> Response:
        seen_at = (await self.presence_at(match)).seen_at
        acknowledged: Acknowledgement = await self._execute_for_seat(ClaimAbsent(match, token, key, seen_at))
        return acknowledged.document

    async def rematch(self, match: str, token: str | None) -> Response:
        """Offer a rematch, or accept the one that the other player has offered. A declined one is offered anew."""
        id, address = tokens.new_id(), REQUESTER.get()
        offer = Rematch(match, token, id, address=address)
        again: Response = await self._execute_for_seat(offer)
        if again["match"] != id and await self._is_declined(again["match"]):
            again = await self._execute_for_seat(offer._replace(replaces=again["match"]))
        if address:
            self.bots.shares.assign(again["match"], address)
        with contextlib.suppress(Refusal):  # it has ended, or was deleted
            await self.arrive(again["match"], token)
        return again

    async def _is_declined(self, rematch: str) -> bool:
        """True also if it was deleted: then nobody can accept it any more."""
        try:
            found = (await self._reader.hosted(rematch)).match
        except Refusal as refusal:
            return refusal.reason == "no_such_match"
        return found.result is not None and not found.state.moves

    async def arrive(self, match: str, token: str | None) -> Response:
        """Take the seat that is reserved in a rematch."""
        present = (await self.presence_at(match)).present
        response: Response = await self._execute_for_seat(Arrive(match, token, present, REQUESTER.get()))
        return response

    async def _execute_for_seat(self, command: Act | Note | Handover | ClaimAbsent | Rematch | Arrive) -> Any:
        """Execute a command of a seat. The seat is present, also if the command is refused."""
        try:
            return await self._execute(command)
        finally:
            with contextlib.suppress(Refusal):
                if hosted := self.cache.get(command.match):
                    self.presence.record_request(command.match, hosted.viewer(command.token), wrote=True)

    async def _execute(self, command: Command) -> Any:
        if not tokens.is_id(command.match):
            raise no_such_match()
        response = await self.submit(command)
        if address := REQUESTER.get():  # only now: the bearer of no token must not have a match for theirs
            self.note_actor(command.match, address)
        return response

    async def submit(self, write: Command | DatabaseTask) -> Any:
        """Let the writer execute a command, or other SQL, and wait for the response."""
        future = self._submit(write)
        try:
            return await future
        finally:
            del future  # its exception refers to this frame: only a full garbage collection would free both

    def _submit(self, write: Command | DatabaseTask) -> asyncio.Future[Any]:
        if self.stopping:
            raise unavailable()
        future: asyncio.Future[Any] = self._loop.create_future()
        self._writer.submit(write, future)
        return future

    # Queries. ``viewer`` has to have allowed them.

    async def check_match(self, match: str) -> None:
        """Refuse a match that is not there: it may have been deleted."""
        await self._reader.hosted(match)

    async def viewer(self, match: str, token: str | None) -> Viewer:
        """Who the bearer of a token is in a match, or a refusal."""
        return (await self._reader.hosted(match)).viewer(token)

    async def invitation(self, match: str, invitation: str) -> InvitationDoc:
        """The seat that an invitation opens, for somebody who has not joined yet; a refusal if it opens none."""
        hosted = await self._reader.hosted(match)
        return invitation_doc(hosted, invited_seat(hosted, invitation))

    async def view(self, match: str) -> MatchSnapshot:
        hosted, rows = await self._reader.current(match)
        presence = self.presence.read(match, rows)
        return MatchSnapshot(hosted, presence, self.now(), self.scheduler.outages, self.cache.view)

    def view_now(self, match: str, written: HostedMatch | None = None) -> MatchSnapshot | None:
        """The same without waiting, as this process has written it if it has; None if the database has to be asked."""
        if self._database.is_postgres:
            hosted, presence = written, self.presence.last_known(match)
        else:
            hosted, presence = written or self.cache.get(match), self.presence.of(match)
        if hosted is None or presence is None:
            return None
        return MatchSnapshot(hosted, presence, self.now(), self.scheduler.outages, self.cache.view)

    async def events(self, match: str, after: int) -> list[EventDoc]:
        """The events of a match with an index greater than ``after``."""
        return events_after(await self._reader.hosted(match), after)

    async def log(self, match: str) -> str:
        return write_log(without_seed((await self._reader.hosted(match)).match), checksum=False)

    async def record(self, match: str) -> str:
        return write_record(without_seed((await self._reader.hosted(match)).match))

    async def picture(self, match: str) -> str:
        found = (await self._reader.hosted(match)).match
        return svg(found.game, found.position, last=last_changed(found.game, found.state))

    async def ended(self, match: str) -> tuple[Match, tuple[tuple[int, str], ...]]:
        """An ended match and its audit, which would show what a player thinks of while the match goes on."""
        hosted = await self._reader.hosted(match)
        if hosted.match.result is None:
            raise NotAllowed("not_ended.report")
        return hosted.match, hosted.refused

    async def share_key(self, match: str) -> str:
        """What opens the page of a finished game: the id of a public match, and a secret beside it of a private one."""
        hosted = await self._reader.hosted(match)
        if hosted.match.result is None:
            raise NotAllowed("not_ended.share")
        return f"{match}-{self._share_secret(match)}" if hosted.settings.private else match

    def _share_secret(self, match: str) -> str:
        return tokens.derived(self._key, "share", match)

    async def shared(self, key: str) -> SharedGame:
        """The finished game that a key opens. What was said in a private match stays there."""
        match, _, secret = key.partition("-")
        hosted = await self._reader.hosted(match)
        private, found = hosted.settings.private, hosted.match
        if private and not tokens.matches_digest(secret, tokens.digest(self._share_secret(match))):
            raise no_such_match()
        if found.result is None:
            raise NotAllowed("not_ended.share")
        return SharedGame(match, without_messages(found) if private else found, private)

    async def practice(self, match: str, token: str | None) -> Match:
        """A match in which the bearer of a token plays against the computer and is to move: hints are for those."""
        hosted = await self._reader.hosted(match)
        seat = seat_of(hosted, token)
        if hosted.seat_holder(3 - seat).holder != "computer":
            raise NotAllowed("no_hint")
        if hosted.status != "live" or hosted.match.to_act != seat or hosted.match.state.pending:
            raise NotAllowed("no_hint.turn")
        return hosted.match

    async def refused(self, match: str) -> list[Response]:
        """The audit of an ended match, attempt by attempt."""
        _, entries = await self.ended(match)
        return [json.loads(entry) for _, entry in entries]

    async def public_matches(self, status: str, before: str | None = None, most: int = PAGE_SIZE) -> Response:
        """Public matches that somebody is at, the newest first. ``next`` of a response is the ``before`` of the next
        page."""
        time, _, match = (before or "").partition("-")
        start = (int(time), match) if before else None
        page = await self._reader.public_matches(status, self._attendance(), start, most)
        next = "{}-{}".format(*page.last) if page.last else None
        return {"matches": [view.summary(hosted) for hosted in page.matches], "next": next}

    def _attendance(self) -> store.Attendance:
        now = self.now()
        return store.Attendance(
            self.presence.attended(), now - POLLING_MS, now - WORKER_MS if self._database.is_postgres else None
        )

    async def open_matches(self, most: int) -> list[HostedMatch]:
        """The newest public matches with an open seat that somebody is at."""
        return (await self._reader.public_matches("open", self._attendance(), None, most)).matches

    async def live_matches(self, most: int) -> list[HostedMatch]:
        """The newest public matches that are played, also those that nobody is at."""
        return (await self._reader.public_matches("live", store.EVERYWHERE, None, most)).matches

    async def presence_at(self, match: str) -> PresenceInfo:
        return self.presence.of(match, (await self._reader.current(match)).presence)

    def subscribe(self, match: str, on_change: Callable[[Change], bool] = lambda _: False) -> Subscription:
        return self.pubsub.subscribe(match, on_change)

    def connect(self, match: str, viewer: Viewer) -> contextlib.ExitStack:
        """Count a socket as present until the returned stack is closed."""
        return self.presence.connect(match, viewer, self._config.spectators)

    def health(self) -> Response:
        is_away = self._writer.is_disconnected or self._database.longest_call() > self._config.database_seconds
        return {
            "status": "stopping" if self.stopping else "unavailable" if is_away else "ok",
            "last_commit_seconds": round(self._writer.seconds_since_commit(), 1),
            "database": "postgresql" if self._database.is_postgres else "sqlite",
            "matches": dict(self.scheduler.counts),
            "moves": self.moves,
            "writes_waiting": self._writer.queue_size(),
            "bots_busy": self.bots.busy(),
        }

    # Callbacks. Those of the writer and the listener come from their threads.

    def _submit_later(self, task: DatabaseTask) -> None:
        self._writer.submit(task)

    def _context(self) -> HandlerContext:
        return HandlerContext(self.now(), self.scheduler.outages, self._key, bans=self.moderation.bans)

    def _on_begin(self, connection: Connection, was_away: bool) -> None:
        self.scheduler.begin(connection, was_away)
        if was_away:  # what was committed just before was not published
            self._call_soon(self.pubsub.publish_all)

    def _on_batch(self, batch: WrittenBatch) -> None:
        self._call_soon(self._deliver, batch)

    def _deliver(self, batch: WrittenBatch) -> None:
        """Respond first; then the sockets send what has happened."""
        batch.respond()
        self._loop.call_soon(self._publish, batch.changes)  # after those who have waited

    def _publish(self, changes: list[BatchChange]) -> None:
        for before, after in changes:
            try:
                self._publish_change(before, after)
            except Exception:  # the other matches of the batch are published all the same
                log.exception("match not published")

    def _publish_change(self, before: HostedMatch | None, after: HostedMatch) -> None:
        known = len(before.match.events) if before else 0
        for event in after.match.events[known:]:
            self.moves += event.action.kind == "move"
        only_log = (
            before is not None
            and before.seat_holders is after.seat_holders
            and before.match.setup is after.match.setup
            and before.rematch == after.rematch
        )
        self.pubsub.publish(after.id, Change(after, only_log=only_log))
        if after.match.result:
            self.bots.shares.forget(after.id)
            self.bots.computer_matches.remove(after.id)
        if is_computers_turn_now(before, after) and not self.stopping:
            self.bots.schedule(after)

    def _on_delete(self, matches: list[str]) -> None:
        """Matches were deleted, and the writer has dropped them from the cache."""
        for match in matches:
            self.bots.shares.forget(match)
            self.bots.computer_matches.remove(match)
            self.pubsub.publish(match)

    def _on_notification(self, match: str, revision: int | None) -> None:
        if self.pubsub.has_subscribers(match):  # most matches are followed at other workers, or by nobody
            self._call_soon(self.pubsub.publish_notified, match, revision)

    def _on_listening(self) -> None:
        self._call_soon(self.pubsub.publish_all)

    def _call_soon(self, call: Any, *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(call, *arguments)

    async def _lease(self, match: str, held: int, ms: int = LEASE_MS) -> int | None:
        until: int | None = (await self.submit(Lease(match, held, ms)))["until"]
        return until

    async def _take_over(self, match: str) -> None:
        """Let the computer act here: no worker has the lease."""
        if await self._lease(match, 0) is not None:
            self.bots.schedule(await self._reader.hosted(match))

    async def _act_as_bot(self, hosted: HostedMatch, seat: int, action: Action) -> bool:
        """True if the action was executed; False if it came too late."""
        version = hosted.match.version
        try:
            await self._execute(Act(hosted.id, None, f"computer-{version}", version, action, computer=seat))
        except Refusal as refusal:
            log.info("bot action refused", extra={"facts": {"reason": refusal.reason}})
            return False
        return True


def _is_between_computers(request: MatchRequest) -> bool:
    return all(seat.player not in (HUMAN, OPEN) for seat in request.seats)
