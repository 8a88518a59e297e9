"""A match that is kept in this process, under all the rules of the service and without its database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ninefold.actions import Action
from ninefold.core import Refusal
from ninefold.match import Match
from ninefold.service import clocks
from ninefold.service.desk import absent_due, attempt, noted
from ninefold.service.kept import Kept
from ninefold.service.tokens import new_secret
from ninefold.service.writes import Absent, Act, Create, Moment, Tick, Write


class Clock:
    """UTC in milliseconds; time can also be said to have passed."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._skipped = 0

    def now(self) -> int:
        return self._now() + self._skipped

    def skip_to(self, moment: int) -> None:
        self._skipped += max(0, moment - self.now())


class LocalMatch:
    """``kept`` is the match after everything that was written, with its audit and its clocks."""

    def __init__(self, create: Create, clock: Clock) -> None:
        self.clock = clock
        self._tokens = {1: new_secret(), 2: new_secret()}
        self._requests = count(1)
        self.kept: Kept
        self._write(None, create._replace(match="here", secrets=(self._tokens[1], self._tokens[2], new_secret())))

    @property
    def match(self) -> Match:
        return self.kept.match

    def act(self, seat: int, action: Action, text: str = "") -> None:
        """An action of a seat, or the refusal of it. ``text`` is a move as players type it."""
        self._write(self.kept, self._attempt(seat, action, text))

    def note(self, seat: int, refusal: Refusal) -> None:
        kind = "confirm" if self.match.state.pending else "move"
        self.kept = noted(self.kept, seat, kind, refusal.reason, self.clock.now())

    def wait(self, seat: int) -> None:
        """A seat that is asked says nothing, until the referee or its opponent may do something about it."""
        due, absent = clocks.due(self.kept, ()), absent_due(self.kept, (0, 0), ())
        if self.match.asked != seat or due is None:
            return
        if absent is None or due.at <= absent:
            self.clock.skip_to(due.at)
            self._write(self.kept, Tick("here"))
        else:
            self.clock.skip_to(absent)
            self._write(self.kept, Absent("here", self._tokens[3 - seat], self._request(), (0, 0)))

    def _write(self, kept: Kept | None, write: Write) -> None:
        done = attempt(kept, write, Moment(self.clock.now(), (), b""))
        if done.kept:
            self.kept = done.kept[0]
        if done.problem:
            raise done.problem

    def _attempt(self, seat: int, action: Action, text: str = "") -> Act:
        return Act("here", self._tokens[seat], self._request(), self.match.version, action, text)

    def _request(self) -> str:
        return f"request-{next(self._requests)}"
