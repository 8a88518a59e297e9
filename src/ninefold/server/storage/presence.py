"""Who is there: by socket or by request, in this process and, through the database, in the other workers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from ninefold.core.errors import NotAllowed
from ninefold.server.hosting.model import PresenceInfo, Viewer
from ninefold.server.storage import store
from ninefold.server.storage.writer import Job

if TYPE_CHECKING:
    from sqlalchemy import Row

PRESENT_MS = 60_000  # what a worker said longer ago counts for nothing
REFRESH_S = 20.0
VISIT_MS = 30_000  # a seat that only sends requests is there for so long after each

Key = tuple[str, str]  # a match and a role


class Presence:
    """``tell`` is called with a match when who is there has changed; ``submit`` writes it down for other workers."""

    def __init__(
        self,
        worker: str,
        now: Callable[[], int],
        tell: Callable[[str], None],
        submit: Callable[[Job], object] | None,
    ) -> None:
        self._worker = worker
        self._now = now
        self._tell = tell
        self._submit = submit
        self._began = now()
        self.sockets: dict[Key, int] = {}
        self._visits: dict[Key, bool] = {}  # of seats without a socket; whether other workers are told
        self._seen_at: dict[Key, int] = {}

    def arrived(self, match: str, reader: Viewer, most_spectators: int) -> contextlib.ExitStack:
        """Somebody opens a socket; closing what is returned says that it is gone."""
        key = (match, reader.role)
        if reader.seat is None and self.sockets.get(key, 0) >= most_spectators:
            raise NotAllowed("too_many.spectators")
        self._count(key, 1)
        stack = contextlib.ExitStack()
        stack.callback(self._count, key, -1)
        return stack

    def _count(self, key: Key, change: int) -> None:
        self.sockets[key] = self.sockets.get(key, 0) + change
        self._visits.pop(key, None)
        if not self.sockets[key]:
            del self.sockets[key]
        if key[1] != "spectator":
            self._seen_at[key] = self._now()
        self._tell(key[0])
        self._share([key])

    def seen(self, match: str, reader: Viewer, *, wrote: bool = False) -> None:
        """Somebody reads or writes by request. Of a write the match itself tells the other workers."""
        key = (match, reader.role)
        if reader.seat is None or key in self.sockets:
            return
        self._seen_at[key] = self._now()
        if key not in self._visits:
            self._visits[key] = False
            self._tell(match)
        if not wrote and not self._visits[key]:
            self._visits[key] = True
            self._share([key])

    def _here(self, key: Key) -> int:
        visits = key in self._visits and self._seen_at[key] > self._now() - VISIT_MS
        return self.sockets.get(key, 0) + visits

    def _share(self, keys: Collection[Key], *, tell: bool = True) -> None:
        if self._submit and keys:
            there = [store.PresenceRow(*key, self._worker, self._here(key), self._now()) for key in keys]
            self._submit(lambda connection: store.tell_presence(connection, there, tell=tell))

    def refresh(self) -> None:
        """Say again who is there; a worker that died is not heard any more. Visits come to their end."""
        over = [key for key in self._visits if self._seen_at[key] <= self._now() - VISIT_MS]
        self._share([key for key in over if self._visits.pop(key)])
        for match, _ in over:
            self._tell(match)
        self._share([*self.sockets, *(key for key, shared in self._visits.items() if shared)], tell=False)

    def remembered(self) -> list[str]:
        """Matches in which somebody was seen who is not there any more."""
        here = {match for match, _ in (*self.sockets, *self._visits)}
        return list({match for match, _ in self._seen_at} - here)

    def forget(self, matches: Collection[str]) -> None:
        """They are over: it does not matter any more who was there, unless somebody has come to look at them."""
        for key in ((match, role) for match in matches for role in ("1", "2")):
            if key not in self._visits:
                self._seen_at.pop(key, None)

    def of(self, match: str, elsewhere: Iterable[Row[Any]] = ()) -> PresenceInfo:
        """``elsewhere`` is what all workers have written down of this match.

        Nobody knows who was there before this process: they have the time from its start to come back.
        """
        sockets = {role: self._here((match, role)) for role in ("1", "2", "spectator")}
        seen = {role: self._seen_at.get((match, role), self._began) for role in ("1", "2")}
        for row in elsewhere:
            if row.worker == self._worker:
                continue
            if row.seen_at > self._now() - PRESENT_MS:
                sockets[row.role] += row.sockets
            if row.role in seen:
                seen[row.role] = max(seen[row.role], row.seen_at)
        there = (sockets["1"] > 0, sockets["2"] > 0)
        one, two = (self._now() if there[seat - 1] else seen[str(seat)] for seat in (1, 2))
        return PresenceInfo(there, (one, two), sockets["spectator"])
