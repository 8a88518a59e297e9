"""A match that is kept in this process, under all the rules of the service and without its database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.match import Match
from ninefold.server.hosting import deadlines
from ninefold.server.hosting.commands import Act, Create, Moment, Write
from ninefold.server.hosting.handlers import attempt, noted
from ninefold.server.hosting.model import Kept
from ninefold.server.hosting.tokens import new_secret


class LocalMatch:
    """``kept`` is the match after everything that was written, with its audit and its clocks."""

    def __init__(self, create: Create, now: Callable[[], int]) -> None:
        self._now = now
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
        self.kept = noted(self.kept, seat, kind, refusal.reason, self._now())

    def wait(self, seat: int) -> None:
        """A seat that is asked says nothing. The referee does not wait here: the time of the match is the true one."""
        if self.match.to_act == seat:
            ruling = actions.SETTLE if self.match.state.pending else actions.gone(seat)
            self.kept = deadlines.advance(self.kept, REFEREE, ruling, self._now(), ())

    def _write(self, kept: Kept | None, write: Write) -> None:
        done = attempt(kept, write, Moment(self._now(), (), b""))
        if done.kept:
            self.kept = done.kept[0]
        if done.problem:
            raise done.problem

    def _attempt(self, seat: int, action: Action, text: str = "") -> Act:
        return Act("here", self._tokens[seat], self._request(), self.match.version, action, text)

    def _request(self) -> str:
        return f"request-{next(self._requests)}"
