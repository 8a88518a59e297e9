"""A match that a server keeps, as it is known here. A thread listens; what it hears waits until it is taken in."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ninefold.actions import Action
from ninefold.client import Change, Seat, Watch
from ninefold.core import NotAllowed, Refusal
from ninefold.state import HUMAN
from ninefold.terminal.clocks import ClocksElsewhere

LOST = "The connection is lost. Trying to come back ..."
BACK = "The connection is back."
MOVED = NotAllowed("moved", "Your seat was carried to another device.", "Go on there.")
NO_HINT = "There are no hints against a person, only against the computer."
ONLY_WATCHING = NotAllowed("only_watching", "You are watching.", "e leaves, ? shows the rules.")


class Remote:
    """``ring`` is called by the listening thread when there is something to ``hear``. Everything else is called by one
    thread, which may have to wait for the server."""

    def __init__(self, watched: Watch, ring: Callable[[], object]) -> None:
        self._watched = watched
        self._ring = ring
        self._heard: queue.SimpleQueue[Change | Refusal] = queue.SimpleQueue()
        self.number = watched.number if isinstance(watched, Seat) else None  # of our seat, None for who watches
        self.match = watched.match()
        self.view = watched.view()
        self.clocks = ClocksElsewhere()
        self.clocks.hear(self.view)
        self.present: Mapping[str, bool] = {}
        self.notes: list[str] = []  # what there is to be told, once
        self.failure: Refusal | None = None  # after which there is nothing more to see here
        self.is_lost = False
        self.is_reached = True  # as the listening thread knows it, before anybody has taken it in
        self._changes = watched.changes(after=len(self.match.events) - 1)
        self._listener = threading.Thread(target=self._listen, name="ninefold-listener", daemon=True)

    def open(self) -> None:
        self._listener.start()

    def close(self) -> None:
        self._changes.close()
        if self._listener.is_alive():
            self._listener.join(1)
        self._watched.close()

    @property
    def is_open(self) -> bool:
        """Whether a seat is still free."""
        return bool(self.view["status"] == "open")

    @property
    def asked(self) -> int | None:
        """Our seat, if it has to act now."""
        me = self.number
        return me if self.is_offered or (self.match.asked == me and not self.is_open) else None

    @property
    def is_offered(self) -> bool:
        """Whether the opponent has offered us something."""
        offer, pending = self.match.state.offer, self.match.state.pending
        return self.number is not None and offer is not None and offer[0] != self.number and not pending

    @property
    def awaited(self) -> str:
        """Who is waited for."""
        return "somebody to sit down" if self.is_open else self.match.setup.label(self.match.asked or 1)

    @property
    def no_hint(self) -> str:
        """Why nobody is helped here; "" if somebody is."""
        opponent = self.match.setup.seats[2 - self.number] if self.number else None
        return NO_HINT if opponent is None or opponent.player == HUMAN else ""

    def act(self, seat: int, action: Action) -> None:
        if not isinstance(self._watched, Seat):
            raise ONLY_WATCHING
        if seat != self.number:
            raise NotAllowed("not_yours", "Your opponent speaks for himself.")
        if isinstance(action.move, int):
            action = action._replace(move=self.match.game.paths[action.move])
        try:
            self._watched.act(action, self.match.version)
        except NotAllowed as refusal:
            if refusal.reason != "stale_version":
                raise
            self._refresh()
            raise NotAllowed("stale_version", "Something has happened meanwhile.", "Look at it again.") from None
        self._refresh()

    def hear(self) -> bool:
        """Take in what was heard; whether anything of it is to be told."""
        before = self.match
        while not self._heard.empty():
            self._take(self._heard.get())
        return bool(self.notes) or self.match is not before or self.failure is not None

    def told(self) -> list[str]:
        """What is to be told now; raises what ends everything."""
        if self.failure:
            raise self.failure
        notes, self.notes = self.notes, []
        return notes

    def _listen(self) -> None:
        """In a thread of its own."""
        try:
            for change in self._changes:
                self.is_reached = change.kind != "lost"
                self._heard.put(change)
                self._ring()
        except Refusal as refusal:
            self._heard.put(refusal)
            self._ring()

    def _take(self, heard: Change | Refusal) -> None:
        if isinstance(heard, Refusal):
            self.failure = self.failure or (MOVED if heard.reason == "bad_token" else heard)
        elif heard.kind == "moved":
            self.failure = MOVED
        elif heard.kind == "presence":
            self.present = heard.seats
        elif heard.kind == "lost":
            self._lose()
        elif not self.failure:
            self._come_back()
            self._look(heard.view)

    def _lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.notes.append(LOST)

    def _come_back(self) -> None:
        if self.is_lost:
            self.is_lost = False
            self.notes.append(BACK)

    def _look(self, view: Mapping[str, Any]) -> None:
        before, self.view = self.view, view
        seated = before["status"] == "open" and view["status"] == "live"
        if seated or view["size"] > len(self.match.events):
            self._refresh()
        if view["size"] >= len(self.match.events):
            self.clocks.hear(view)
        if seated:
            self.notes.append(self._seated())
        if view["rematch"] and not before["rematch"]:
            self.notes.append("A rematch has been asked for.")

    def _seated(self) -> str:
        label = self.match.setup.label
        if self.number:
            return f"{label(3 - self.number)} has sat down."
        return f"{label(1)} and {label(2)} are at the board."

    def _refresh(self) -> None:
        """Read the log again. Who cannot be reached now is heard of again when the socket is back."""
        try:
            self.match = self._watched.match()
            if self.clocks.read():
                self.clocks.hear(self._watched.view())
        except NotAllowed as refusal:
            if refusal.reason != "no_connection":
                raise
