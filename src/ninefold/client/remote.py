"""A match that a server keeps, heard of from here. A thread listens; what it hears waits until it is taken in."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ninefold.client import Change, Seat, Watch
from ninefold.client.known import Known
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.match.actions import Action
from ninefold.match.clock import ClocksElsewhere
from ninefold.match.match import Match

T = TypeVar("T")
LOST = "The connection is lost. Trying to come back ..."
BACK = "The connection is back."
MOVED = NotAllowed("moved", "Your seat was carried to another device.", "Go on there.")
ONLY_WATCHING = NotAllowed("only_watching", "You are watching.", "e leaves, ? shows the rules.")


class Remote:
    """``ring`` is called by the listening thread when there is something to ``hear``. ``known`` and ``is_reached`` may
    be read by any thread: one is replaced as a whole, the other is a single word. Everything else is called by one
    thread, which may have to wait for the server."""

    def __init__(self, watched: Watch, ring: Callable[[], object]) -> None:
        self._watched = watched
        self._ring = ring
        self._heard: queue.SimpleQueue[Change | Exception] = queue.SimpleQueue()
        number = watched.number if isinstance(watched, Seat) else None
        match, view = watched.match(), watched.view()
        self.known = Known(number, match, view, ClocksElsewhere.heard(view))
        self.notes: list[str] = []  # what there is to be told, once
        self.failure: Refusal | None = None  # after which there is nothing more to see here
        self.is_reached = True  # as the listening thread knows it, before anybody has taken it in
        self._changes = watched.changes(after=len(match.events) - 1)
        self._listener = threading.Thread(target=self._listen, name="ninefold-listener", daemon=True)

    def open(self) -> None:
        self._listener.start()

    def close(self) -> None:
        self._changes.close()
        if self._listener.is_alive():
            self._listener.join(1)
        self._watched.close()

    def act(self, seat: int, action: Action) -> None:
        if not isinstance(self._watched, Seat):
            raise ONLY_WATCHING
        match = self.known.match
        if seat != self.known.number:
            raise NotAllowed("not_yours", "Your opponent speaks for himself.")
        if isinstance(action.move, int):
            action = action._replace(move=match.game.paths[action.move])
        try:
            self._watched.act(action, match.version)
        except NotAllowed as refusal:
            if refusal.reason != "stale_version":
                raise
            self._refresh()
            raise NotAllowed("stale_version", "Something has happened meanwhile.", "Look at it again.") from None
        self._refresh()

    def hear(self) -> bool:
        """Take in what was heard; whether anything of it is to be told."""
        before = self.known.match
        while not self._heard.empty():
            self._take(self._heard.get())
        return bool(self.notes) or self.known.match is not before or self.failure is not None

    def told(self) -> list[str]:
        """What is to be told now; raises what ends everything."""
        if self.failure:
            raise self.failure
        notes, self.notes = self.notes, []
        return notes

    def _listen(self) -> None:
        """In a thread of its own. What goes wrong here is for whoever takes it in."""
        try:
            for change in self._changes:
                self.is_reached = change.kind != "lost"
                self._heard.put(change)
                self._ring()
        except Exception as error:
            self.is_reached = False
            self._heard.put(error)
            self._ring()

    def _take(self, heard: Change | Exception) -> None:
        if isinstance(heard, Refusal):
            self.failure = self.failure or (MOVED if heard.reason == "bad_token" else heard)
        elif isinstance(heard, Exception):
            raise heard
        elif heard.kind == "moved":
            self.failure = MOVED
        elif heard.kind == "presence":
            self.known = self.known._replace(present=heard.seats)
        elif heard.kind == "lost":
            self._lose()
        elif not self.failure:
            self._come_back()
            self._look(heard.view)

    def _lose(self) -> None:
        if not self.known.is_lost:
            self.known = self.known._replace(is_lost=True)
            self.notes.append(LOST)

    def _come_back(self) -> None:
        if self.known.is_lost:
            self.known = self.known._replace(is_lost=False)
            self.notes.append(BACK)

    def _look(self, view: Mapping[str, Any]) -> None:
        before = self.known
        seated = before.is_open and view["status"] == "live"
        match: Match | None = before.match
        if seated or view["size"] > len(before.match.events):
            match = _answered(self._watched.match)
        if match is None:
            return
        is_late = view["size"] < len(match.events)  # there is more to come, with a clock of its own
        clocks = before.clocks if is_late else ClocksElsewhere.heard(view)
        self.known = before._replace(match=match, view=view, clocks=clocks)
        if seated:
            self.notes.append(self._seated())
        if view["rematch"] and not before.view["rematch"]:
            self.notes.append("A rematch has been asked for.")

    def _seated(self) -> str:
        label, me = self.known.match.setup.label, self.known.number
        if me:
            return f"{label(3 - me)} has sat down."
        return f"{label(1)} and {label(2)} are at the board."

    def _refresh(self) -> None:
        """Look at what we have done ourselves, and at the clocks after it."""
        match = _answered(self._watched.match)
        if match is None:
            return
        view = _answered(self._watched.view) if self.known.clocks.told else None
        clocks = self.known.clocks if view is None else ClocksElsewhere.heard(view)
        self.known = self.known._replace(match=match, clocks=clocks)


def _answered(ask: Callable[[], T]) -> T | None:
    """None if the server cannot be reached now: it is heard of again when the socket is back."""
    try:
        return ask()
    except NotAllowed as refusal:
        if refusal.reason != "no_connection":
            raise
        return None
