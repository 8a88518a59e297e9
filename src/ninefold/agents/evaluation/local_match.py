"""A match that is kept in this process, under all the rules of the service and without its database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.match import Match
from ninefold.server.hosting import deadlines
from ninefold.server.hosting.commands import Act, Command, Create, HandlerContext
from ninefold.server.hosting.handlers import execute, with_audit_entry
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.tokens import new_secret


class LocalMatch:
    """``kept`` is the match after everything that was written, with its audit and its clocks."""

    def __init__(self, create: Create, now: Callable[[], int]) -> None:
        self._now = now
        self._tokens = {1: new_secret(), 2: new_secret()}
        self._requests = count(1)
        self.hosted: HostedMatch
        self._write(None, create._replace(match="here", secrets=(self._tokens[1], self._tokens[2], new_secret())))

    @property
    def match(self) -> Match:
        return self.hosted.match

    def act(self, seat: int, action: Action, text: str = "") -> None:
        """An action of a seat, or the refusal of it. ``text`` is a move as players type it."""
        self._write(self.hosted, self._attempt(seat, action, text))

    def note(self, seat: int, refusal: Refusal) -> None:
        kind = "confirm" if self.match.state.pending else "move"
        self.hosted = with_audit_entry(self.hosted, seat, kind, refusal.reason, self._now())

    def wait(self, seat: int) -> None:
        """A seat that is asked says nothing. The referee does not wait here: the time of the match is the true one."""
        if self.match.to_act == seat:
            ruling = actions.SETTLE if self.match.state.pending else actions.gone(seat)
            self.hosted = deadlines.advance(self.hosted, REFEREE, ruling, self._now(), ())

    def _write(self, hosted: HostedMatch | None, write: Command) -> None:
        done = execute(hosted, write, HandlerContext(self._now()))
        if done.matches:
            self.hosted = done.matches[0]
        if done.refusal:
            raise done.refusal

    def _attempt(self, seat: int, action: Action, text: str = "") -> Act:
        return Act("here", self._tokens[seat], self._request(), self.match.version, action, text)

    def _request(self) -> str:
        return f"request-{next(self._requests)}"
