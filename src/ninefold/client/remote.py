"""A session on a server. It downloads the log once; from then on it folds the events that arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ninefold.client.api import RemoteMatch, RemoteSeat, Server
from ninefold.client.clock import SessionClock, monotonic_ms
from ninefold.client.errors import invalid_response, seat_moved, spectators_cannot_act
from ninefold.client.links import Link
from ninefold.client.session import Session, SessionState
from ninefold.client.socket import ChangeStream, Document, MatchChange
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.position import Side
from ninefold.core.text import clean_name
from ninefold.match import actions
from ninefold.match.actions import Action, Event
from ninefold.match.log import parse_event
from ninefold.match.match import Match
from ninefold.server.hosting.deadlines import is_running

T = TypeVar("T")
JOIN_TIMEOUT = 1.0  # seconds for the listener to end


class RemoteSession(Session):
    """A seat on a server, or a match that is watched there.

    Making one sends requests, and so does everything but reading: it may block for the client's timeout. The events
    of the log are numbered, so it does not matter that our own arrive twice, from the response to an action and over
    the socket. What does not fit is a reason to download the log again.
    """

    def __init__(self, remote: RemoteMatch) -> None:
        self._remote = remote
        self._stream: ChangeStream | None = None
        self._listener: threading.Thread | None = None
        match, view = remote.match(), self._checked(_View.read, remote.view())
        seats = (remote.number,) if isinstance(remote, RemoteSeat) else ()
        super().__init__(view.update(SessionState(match, seats, is_remote=True)), monotonic_ms)

    @property
    def seat(self) -> RemoteSeat:
        """The seat that is played from here."""
        if not isinstance(self._remote, RemoteSeat):
            raise spectators_cannot_act()
        return self._remote

    def start(self) -> None:
        self._stream = self._remote.changes(after=len(self.match.events) - 1, views=False)
        self._listener = threading.Thread(target=self._listen, name="ninefold-listener", daemon=True)
        self._listener.start()

    def act(self, seat: int, action: Action, typed: str = "", *, version: int | None = None) -> None:
        if seat != self.seat.number:
            raise NotAllowed("not_yours")
        self.act_from(self.seat, action, typed, version=version)

    def act_from(self, mine: RemoteSeat, action: Action, typed: str = "", *, version: int | None = None) -> None:
        """Take an action from a seat of this match."""
        match = self.match
        try:
            result = mine.act(action, match.version if version is None else version, typed=typed)
        except NotAllowed as refusal:
            if refusal.reason == "no_connection":
                raise NotAllowed("no_connection.unsure", server=mine.server.address) from None
            if refusal.reason == "stale_version":  # the socket brings what has happened
                raise NotAllowed("stale_version.meanwhile") from None
            raise
        self._apply_events(result.events)

    def undo_action(self, seat: int) -> Action:  # noqa: ARG002 - it is always ours
        """The opponent has to agree."""
        return actions.OFFER_TAKE_BACK

    def handover(self) -> Link:
        """A link that moves the seat to another device."""
        return self.seat.handover()

    def rematch(self) -> RemoteSession:
        again = self.seat.rematch()
        # Over a client of its own: this session closes the one that it has.
        return RemoteSession(RemoteSeat(Server(again.server.address), again.id, again.token or "", again.number))

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._stream:
            self._stream.close()
        if self._listener and self._listener is not threading.current_thread():
            self._listener.join(JOIN_TIMEOUT)
        self._remote.close()

    # In the listener's thread

    def _listen(self) -> None:
        try:
            for change in self._stream or ():
                self._apply(change)
                if self._state.ended:
                    return
        except Refusal as refusal:
            self._end(seat_moved() if refusal.reason == "bad_token" else refusal)
        except Exception as error:
            self._fail(error)

    def _apply(self, change: MatchChange) -> None:
        match change.kind:
            case "events" if change.view:
                self._apply_events(change.events, self._checked(_View.read, change.view))
            case "events":
                self._apply_events(change.events, clock=self._checked(_clock, change.clock) if change.clock else None)
            case "presence":
                absent = self._checked(_absent_seats, change.seats)
                self._update(lambda state: state._replace(absent_seats=absent - state.open_seats))
            case "moved":
                self._end(seat_moved())
            case "lost":
                self._update(lambda state: state._replace(is_connected=False))

    # In any thread

    def _apply_events(
        self, events: Sequence[Document], view: _View | None = None, clock: SessionClock | None = None
    ) -> None:
        """Add events, and the view or the clock after them: they become known together."""
        with self._changed:
            match = _extended(self.match, events)
            if match and (view is None or len(match.events) >= view.size):
                is_latest = bool(events) and events[-1]["index"] == len(match.events) - 1
                self._publish(self._known(match, view, clock if is_latest else None))
                return
        downloaded = self._download()
        with self._changed:
            if downloaded:
                newest = max(self.match, downloaded, key=lambda match: len(match.events))
                self._publish(self._known(newest, view))
            elif view:
                self._publish(self._state._replace(is_connected=True))

    def _known(self, match: Match, view: _View | None, clock: SessionClock | None = None) -> SessionState:
        if view:
            return view.update(self._state._replace(match=match, is_connected=True))
        return self._state._replace(match=match, clock=clock or self._clock_after(match))

    def _clock_after(self, match: Match) -> SessionClock | None:
        """The clocks after our own action, until the server says so."""
        clock = self._state.clock
        kinds = {event.action.kind for event in match.events[len(self.match.events) :]}
        if clock is None or kinds <= {"say"}:
            return clock
        running = match.position.turn if is_running(match.state) else None
        return clock.after(running, self._now(), moved="move" in kinds)

    def _download(self) -> Match | None:
        """The whole log, because something is missing; None if the server cannot be reached now. At the next change it
        is found to be missing again."""
        try:
            return self._remote.match()
        except NotAllowed as refusal:
            if refusal.reason != "no_connection":
                raise
            return None

    def _update(self, change: Callable[[SessionState], SessionState]) -> None:
        with self._changed:
            self._publish(change(self._state))

    def _checked(self, read: Callable[[Mapping[str, Any]], T], document: Mapping[str, Any]) -> T:
        """The content of a server's document; a refusal if it is not one of Ninefold's."""
        try:
            return read(document)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise invalid_response(self._remote.server.address) from None


class _View(NamedTuple):
    """The part of a server's view that the log does not have."""

    size: int
    names: tuple[str, str]
    clock: SessionClock | None
    open_seats: frozenset[int]
    absent_seats: frozenset[int]
    rematch: str

    @classmethod
    def read(cls, view: Mapping[str, Any]) -> _View:
        one, two = sorted(view["seats"], key=lambda seat: int(seat["seat"]))
        open_seats = frozenset(int(seat["seat"]) for seat in (one, two) if seat["player"] == "open")
        absent = frozenset(int(seat["seat"]) for seat in (one, two) if not seat["present"])
        names = (clean_name(str(one["name"])), clean_name(str(two["name"])))
        rematch = str(view["rematch"] or "")
        return cls(int(view["size"]), names, _clock(view["clock"]), open_seats, absent - open_seats, rematch)

    def update(self, state: SessionState) -> SessionState:
        match = state.match
        first, second = match.setup.seats
        seats = (first._replace(name=self.names[0]), second._replace(name=self.names[1]))
        if seats != match.setup.seats:
            match = match._replace(setup=match.setup._replace(seats=seats))
        # A view may be older than what is known; the clocks of the newest events come with another one.
        clock = self.clock if self.size >= len(match.events) else state.clock
        return state._replace(
            match=match,
            clock=clock,
            open_seats=self.open_seats,
            absent_seats=self.absent_seats,
            rematch=self.rematch,
        )


def _clock(document: Mapping[str, Any] | None) -> SessionClock | None:
    if document is None:
        return None
    running = Side[document["running"]] if document["running"] else None
    return SessionClock((int(document["X"]), int(document["O"])), running, monotonic_ms(), int(document["increment"]))


def _absent_seats(present: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(int(seat) for seat, is_present in present.items() if not is_present)


def _extended(match: Match, documents: Sequence[Document]) -> Match | None:
    """The match with those events that are new; None if they do not fit."""
    try:
        fresh = [document for document in documents if document["index"] >= len(match.events)]
        if [document["index"] for document in fresh] != list(range(len(match.events), len(match.events) + len(fresh))):
            return None
        return match.extend_checked([_event(document) for document in fresh]) if fresh else match
    except (Refusal, LookupError, TypeError):
        return None


def _event(document: Document) -> Event:
    return parse_event({name: value for name, value in document.items() if name != "index"})
