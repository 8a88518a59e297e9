"""One transaction of the writer: it locks and loads what a batch of commands needs, executes them, and writes what has
changed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from ninefold.server.hosting.commands import (
    Act,
    Arrive,
    Command,
    Create,
    Forget,
    HandlerContext,
    Join,
    Rematch,
)
from ninefold.server.hosting.errors import unexpected, unreadable_match
from ninefold.server.hosting.handlers import execute, with_lease
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import profiles, store
from ninefold.server.storage.reader import MatchCache

if TYPE_CHECKING:
    from sqlalchemy import Connection

BatchChange = tuple[HostedMatch | None, HostedMatch]  # a match before and after a batch

log: logging.Logger = logging.getLogger(__name__)


class Transaction:
    """The matches that a batch has locked, as they were and as they are now, and what its handlers may know."""

    def __init__(self, connection: Connection, cache: MatchCache, context: HandlerContext) -> None:
        self._connection = connection
        self._cache = cache
        self._context = context
        self._before: dict[str, HostedMatch | None] = {}
        self._unreadable: set[str] = set()
        self._now: dict[str, HostedMatch] = {}
        self._change_set = store.ChangeSet()

    def load(self, commands: Sequence[Command], changed: list[str], *, trust_cache: bool) -> None:
        """Lock and load the matches of commands. Where no other process writes, a cached match is current, unless a
        task has changed it."""
        matches = dict.fromkeys(command.match for command in commands)
        cached = {match: hosted for match in matches if match not in changed and (hosted := self._cache.get(match))}
        queried = [match for match in matches if not (trust_cache and match in cached)]
        revisions = store.lock(self._connection, queried) if queried else {}
        outdated = [match for match, revision in revisions.items() if _is_outdated(cached.get(match), revision)]
        self._before = {match: cached.get(match) for match in matches if match in revisions or match not in queried}
        loaded = store.load(self._connection, outdated, cached)
        self._unreadable = set(outdated) - set(loaded)
        if self._unreadable:
            store.quarantine(self._connection, list(self._unreadable))
        self._before.update(loaded)
        self._now = {match: hosted for match, hosted in self._before.items() if hosted}
        self._load_context(commands)

    def _load_context(self, commands: Sequence[Command]) -> None:
        """Load what handlers may know besides the match; most batches need nothing of it. It is read after the lock,
        which waits for a deletion that is not committed."""
        context = self._context
        if new := [one.match for one in commands if isinstance(one, Create) and one.match not in self._now]:
            context = context._replace(deleted=store.deleted_of(self._connection, new))
        if named := set(_named_profiles(commands)):
            context = context._replace(profiles=profiles.existing(self._connection, named))
        if meeting := set(self._meeting_profiles(commands)):
            context = context._replace(blocks=profiles.blocks_between(self._connection, sorted(meeting)))
        self._context = context

    def _meeting_profiles(self, commands: Sequence[Command]) -> Iterator[tuple[str, str]]:
        """The pairs of profiles that may meet by these commands: newcomers and the players of each match."""
        joining: dict[str, set[str]] = {}  # by match
        for command in commands:
            hosted = self._now.get(command.match)
            if hosted is None or not isinstance(command, Join | Arrive | Act | Rematch):
                continue
            if hosted.status == "open" or isinstance(command, Rematch):
                joining.setdefault(hosted.id, set())
                if isinstance(command, Join) and command.identity:
                    joining[hosted.id].add(command.identity.profile)
        for match, newcomers in joining.items():
            yield from _pairs(self._now[match], newcomers)

    def execute(self, write: Command) -> Any:
        """The response, or the refusal as a value: one command never harms the others of its batch."""
        if write.match in self._unreadable:
            return unreadable_match()
        try:
            result = execute(self._now.get(write.match), write, self._context)
        except Exception:
            log.exception("command failed")
            return unexpected()
        for after in result.matches:
            before = self._now.get(after.id)
            self._change_set.add_events(before, after)
            self._now[after.id] = with_lease(before, after, self._context.now)
        return result.refusal or result.response

    def save(self, *, notify: bool) -> list[BatchChange]:
        """Write the matches that have changed, and return them."""
        changes: list[BatchChange] = []
        of_profiles: list[BatchChange] = []  # those in which somebody has a profile
        for match, after in self._now.items():
            before = self._before.get(match)
            if after is before:
                continue
            due_at = store.due_at(after, self._context.now, self._context.outages)
            hosted = after._replace(revision=after.revision + 1, due_at=due_at)
            self._change_set.add_match(before, hosted)
            changes.append((before, hosted))
            one, two = hosted.seat_holders
            if one.profile or two.profile:
                of_profiles.append((before, hosted))
        if of_profiles:
            profiles.record(self._connection, of_profiles, self._context.now)
        notifications = [store.notification_of(hosted) for _, hosted in changes] if notify else ()
        self._change_set.write(self._connection, notifications)
        return changes


def _named_profiles(commands: Sequence[Command]) -> Iterator[str]:
    for command in commands:
        if isinstance(command, Create | Join) and command.identity:
            yield command.identity.profile
        elif isinstance(command, Forget):
            yield command.profile


def _pairs(hosted: HostedMatch, newcomers: set[str]) -> Iterator[tuple[str, str]]:
    """The pairs of profiles that may meet in a match."""
    there = {holder.profile for holder in hosted.seat_holders if holder.profile}
    yield from combinations(there, 2)
    yield from product(there, newcomers)
    if all(holder.holder == "open" for holder in hosted.seat_holders):  # else only one of them gets a seat
        yield from combinations(newcomers, 2)


def _is_outdated(cached: HostedMatch | None, revision: int) -> bool:
    return cached is None or cached.revision != revision
