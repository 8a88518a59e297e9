"""A session: a match that somebody plays in or watches from here, wherever it is hosted.

``LocalSession`` hosts its match in this process, ``RemoteSession`` plays one on a server. Both are used alike:

    with session:                           # the computer thinks, the socket is read
        state = session.state               # a value: any thread may read it
        session.act(1, actions.move(4))     # a refusal is raised, and changes nothing
        state = session.wait(state)         # until something has changed
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple, Self

from ninefold.client.clock import SessionClock
from ninefold.core.errors import Refusal
from ninefold.match.actions import Action
from ninefold.match.clock import ClockReading
from ninefold.match.match import Match
from ninefold.match.state import HUMAN

Callback = Callable[[], object]
SeatAction = tuple[int, Action]  # a seat, and what it does


class SessionState(NamedTuple):
    """A match as it is known here at one moment."""

    match: Match
    seats: tuple[int, ...]  # those that are played from here; none for spectators
    clock: SessionClock | None = None
    is_remote: bool = False
    open_seats: frozenset[int] = frozenset()  # nobody has taken them yet
    absent_seats: frozenset[int] = frozenset()  # their players are disconnected
    is_connected: bool = True
    rematch: str = ""  # the id of the next match, once somebody has asked for it
    ended: Refusal | None = None  # why nothing more can be done or seen here

    @property
    def is_offered(self) -> bool:
        """True if the opponent's offer waits for an answer from here. At one screen people talk to each other."""
        offer = self.match.state.offer
        if offer is None or self.match.state.pending:
            return False
        return offer[0] not in self.seats and 3 - offer[0] in self.seats

    @property
    def to_act(self) -> int | None:
        """The seat here that has to move or to answer, or None while others act."""
        if self.ended or self.match.result or self.open_seats:
            return None
        if self.is_offered:
            return self.seats[0]
        return self.match.to_act if self.match.to_act in self.seats else None

    @property
    def awaited(self) -> int | None:
        """The seat that everybody waits for, or None: somebody has to take a seat first, or the game has ended."""
        return None if self.open_seats else self.match.to_act

    @property
    def has_hints(self) -> bool:
        """True if hints are fair: not on a server against a person."""
        opponents = [self.match.setup.seats[2 - seat].player for seat in self.seats]
        return not self.is_remote or (bool(opponents) and HUMAN not in opponents)


class Session(ABC):
    """Thread-safe. ``start`` begins the work in the background, ``close`` ends it."""

    def __init__(self, state: SessionState, now: Callable[[], int]) -> None:
        self._state = state
        self._now = now
        self._changed = threading.Condition()  # reentrant; it guards everything that changes
        self._callbacks: list[Callback] = []
        self._error: Exception | None = None
        self._closed = False

    @property
    def state(self) -> SessionState:
        return self._state

    @property
    def match(self) -> Match:
        return self._state.match

    @property
    def error(self) -> Exception | None:
        """The defect that ended the work in the background, if any: an error that is not a refusal."""
        return self._error

    def clock(self) -> ClockReading | None:
        """Both clocks now; None in a match without clocks."""
        clock = self._state.clock
        return clock and clock.read(self._now())

    def wait(self, known: SessionState, timeout: float | None = None) -> SessionState:
        """Block until the state is no longer ``known``, or the session is closed, or so many seconds have passed."""
        with self._changed:
            self._changed.wait_for(lambda: self._state is not known or self._error or self._closed, timeout)
            if self._error:
                raise self._error
            return self._state

    def subscribe(self, callback: Callback) -> Callback:
        """Call ``callback`` after every change, in any thread; it must not block. Returns a function that ends it."""
        with self._changed:
            self._callbacks.append(callback)

        def unsubscribe() -> None:
            with self._changed:
                self._callbacks.remove(callback)

        return unsubscribe

    @abstractmethod
    def start(self) -> None:
        """Begin the work in the background."""

    @abstractmethod
    def act(self, seat: int, action: Action, typed: str = "", *, version: int | None = None) -> None:
        """Take an action for a seat, or raise a refusal that changes nothing. ``typed`` is a move as players type it.
        ``version`` is the version of the match that the action is meant for; by default the latest known here."""

    @abstractmethod
    def undo_action(self, seat: int) -> Action:
        """The action with which a seat takes back its last move here: a take-back, or an offer of one."""

    @abstractmethod
    def rematch(self) -> Session:
        """The same players once more; the other one starts."""

    @abstractmethod
    def close(self) -> None:
        """End the session. The match is not ended by this."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # For the implementations

    def _publish(self, state: SessionState) -> None:
        with self._changed:
            self._state = state
            self._notify()

    def _end(self, refusal: Refusal) -> None:
        """Nothing more can be done here. The first reason stands."""
        with self._changed:
            if self._state.ended is None:
                self._publish(self._state._replace(ended=refusal))

    def _fail(self, error: Exception) -> None:
        with self._changed:
            self._error = error
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for callback in tuple(self._callbacks):
            callback()
