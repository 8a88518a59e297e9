"""Presence: which seats are connected, by socket or by request, here and (through the database) at other workers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from ninefold.core.errors import NotAllowed
from ninefold.server.hosting.model import PresenceInfo, Viewer
from ninefold.server.storage import shared_state
from ninefold.server.storage.writer import DatabaseTask

if TYPE_CHECKING:
    from sqlalchemy import Row

WORKER_MS = 60_000  # rows of a worker that are older do not count: it may have died
POLLING_MS = 30_000  # a seat without a socket is present for so long after each of its requests

CROWD = 50  # spectators of a match

Key = tuple[str, str]  # a match and a role


class Presence:
    """``on_change`` is called with a match when somebody comes or goes; ``write`` stores it for other workers.

    ``on_crowd`` is called instead when a spectator comes or goes where there are many: all of them are told the number.
    """

    def __init__(
        self,
        worker: str,
        now: Callable[[], int],
        on_change: Callable[[str], None],
        write: Callable[[DatabaseTask], object] | None,
        on_crowd: Callable[[str], None] | None = None,
    ) -> None:
        self._worker = worker
        self._now = now
        self._on_change = on_change
        self._on_crowd = on_crowd or on_change
        self._write = write
        self._started_at = now()
        self.sockets: dict[Key, int] = {}
        self._polling: dict[Key, bool] = {}  # seats that only send requests; True if that is in the database
        self._seen_at: dict[Key, int] = {}
        self._stored: dict[str, list[Row[Any]]] = {}  # as last read, of matches to which somebody is connected here

    def connect(self, match: str, viewer: Viewer, most_spectators: int) -> contextlib.ExitStack:
        """Count a socket until the returned stack is closed."""
        key = (match, viewer.role)
        if viewer.seat is None and self.sockets.get(key, 0) >= most_spectators:
            raise NotAllowed("too_many.spectators")
        self._count(key, 1)
        stack = contextlib.ExitStack()
        stack.callback(self._count, key, -1)
        return stack

    def _count(self, key: Key, change: int) -> None:
        self.sockets[key] = self.sockets.get(key, 0) + change
        self._polling.pop(key, None)
        if not self.sockets[key]:
            del self.sockets[key]
            if not any((key[0], role) in self.sockets for role in ("1", "2", "spectator")):
                self._stored.pop(key[0], None)
        if key[1] != "spectator":
            self._seen_at[key] = self._now()
        is_crowd = key[1] == "spectator" and self.sockets.get(key, 0) >= CROWD
        (self._on_crowd if is_crowd else self._on_change)(key[0])
        self._store([key])

    def record_request(self, match: str, viewer: Viewer, *, wrote: bool = False) -> None:
        """Count a request of a seat. After a write other workers are notified of the match anyhow."""
        key = (match, viewer.role)
        if viewer.seat is None or key in self.sockets:
            return
        self._seen_at[key] = self._now()
        if key not in self._polling:
            self._polling[key] = False
            self._on_change(match)
        if not wrote and not self._polling[key]:
            self._polling[key] = True
            self._store([key])

    def _connections(self, key: Key) -> int:
        return self.sockets.get(key, 0) + (key in self._polling and not self._has_expired(key))

    def _has_expired(self, key: Key) -> bool:
        return self._seen_at[key] <= self._now() - POLLING_MS

    def _store(self, keys: Collection[Key], *, notify: bool = True) -> None:
        if self._write and keys:
            rows = [shared_state.PresenceRow(*key, self._worker, self._connections(key), self._now()) for key in keys]
            self._write(lambda connection: shared_state.write_presence(connection, rows, notify=notify))

    def refresh(self) -> None:
        """End the presence of seats that have stopped sending requests; store the others again."""
        expired = [key for key in self._polling if self._has_expired(key)]
        self._store([key for key in expired if self._polling.pop(key)])
        for match, _ in expired:
            self._on_change(match)
        self._store([*self.sockets, *(key for key, stored in self._polling.items() if stored)], notify=False)

    def attended(self) -> list[str]:
        """Matches that somebody is at here, players and spectators, those of the latest requests last."""
        polling = (key for key in self._polling if not self._has_expired(key))
        return list(dict.fromkeys(match for match, _ in (*polling, *self.sockets)))

    def abandoned(self) -> list[str]:
        """Matches to which somebody was connected once, and nobody is now."""
        connected = {match for match, _ in (*self.sockets, *self._polling)}
        return list({match for match, _ in self._seen_at} - connected)

    def forget(self, matches: Collection[str]) -> None:
        """Drop the times at which seats of ended matches were seen, unless somebody has come back."""
        for key in ((match, role) for match in matches for role in ("1", "2")):
            if key not in self._polling:
                self._seen_at.pop(key, None)

    def read(self, match: str, stored: list[Row[Any]]) -> PresenceInfo:
        """Who is connected to a match by the rows that were just read. They are kept while anybody is connected here:
        this worker is notified when others change them."""
        if any((match, role) in self.sockets for role in ("1", "2", "spectator")):
            self._stored[match] = stored
        return self.of(match, stored)

    def last_known(self, match: str) -> PresenceInfo | None:
        """Who is connected to a match by the rows that were last read; None if there are none."""
        stored = self._stored.get(match)
        return None if stored is None else self.of(match, stored)

    def of(self, match: str, stored: Iterable[Row[Any]] = ()) -> PresenceInfo:
        """Who is connected to a match. ``stored`` are the rows of all workers for it.

        A seat that was not seen since the start of this process counts as seen then: it has time to come back.
        """
        one, two, spectators = (match, "1"), (match, "2"), (match, "spectator")
        now, sockets_of = self._now(), self.sockets
        if not stored and one in sockets_of and two in sockets_of:  # by far the most frequent case
            return PresenceInfo((True, True), (now, now), sockets_of.get(spectators, 0))
        sockets = {
            "1": self._connections(one), "2": self._connections(two), "spectator": self.sockets.get(spectators, 0)
        }  # fmt: skip
        seen = {"1": self._seen_at.get(one, self._started_at), "2": self._seen_at.get(two, self._started_at)}
        for row in stored:
            if row.worker == self._worker:
                continue
            if row.seen_at > now - WORKER_MS:
                sockets[row.role] += row.sockets
            if row.role in seen:
                seen[row.role] = max(seen[row.role], row.seen_at)
        present = (sockets["1"] > 0, sockets["2"] > 0)
        seen_at = (now if present[0] else seen["1"], now if present[1] else seen["2"])
        return PresenceInfo(present, seen_at, sockets["spectator"])
