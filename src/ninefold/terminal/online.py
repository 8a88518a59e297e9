"""A seat in a match that a server keeps, played at this terminal with the prompts of every other match."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Self, TextIO

from ninefold import actions
from ninefold.actions import Action
from ninefold.client import Change, Link, Seat
from ninefold.core import NotAllowed, Refusal
from ninefold.match import Match
from ninefold.render import PLAIN, Look
from ninefold.terminal import claims
from ninefold.terminal.hints import hint
from ninefold.terminal.keys import Bell, Keys, can_interrupt
from ninefold.terminal.prompt import Help, Spoken, Terminal, Undone
from ninefold.terminal.story import tell_claim

LOST = "The connection is lost. Trying to come back ..."
BACK = "The connection is back."
MOVED = NotAllowed("moved", "Your seat was carried to another device.", "Go on there.")
WORDS = {"draw": actions.OFFER_DRAW, "resign": actions.RESIGN}
MEANWHILE = "Meanwhile: say TEXT, draw (to offer one), resign, u, h, ? or e."


class Talking(Terminal):
    """A terminal at which some words are actions of their own, at every prompt."""

    def ask(self, question: str, help: Help = Help()) -> str:
        line = super().ask(question, help)
        if line in WORDS:
            raise Spoken(WORDS[line])
        if line.startswith("say "):
            raise Spoken(actions.say(line.removeprefix("say ")))
        return line


class Online:
    """A table on a server. A thread listens; what it hears is taken in between two questions, or interrupts one."""

    def __init__(
        self, seat: Seat, link: Link, *, look: Look = PLAIN, read: TextIO | None = None, write: TextIO | None = None
    ) -> None:
        self._seat, self._link = seat, link
        self._bell = Bell()
        self._heard: queue.SimpleQueue[Change | Refusal] = queue.SimpleQueue()
        self._notes: list[str] = []
        self._failure: Refusal | None = None  # after which there is nothing more to play here
        self._is_lost = False
        stream = read or sys.stdin
        keys = Keys(stream, self._bell, self._hear) if can_interrupt(stream) else None
        self._reads_meanwhile = keys is not None and keys.isatty()
        self.terminal = Talking(keys or stream, write, look)
        self._match = seat.match()
        self._is_open = seat.view()["status"] == "open"
        self._changes = seat.changes(after=len(self._match.events) - 1)
        self._listener = threading.Thread(target=self._listen, name="ninefold-listener", daemon=True)

    def __enter__(self) -> Self:
        setup, me = self._match.setup, self._seat.number
        self.terminal.say(f"{setup.game.title}: you are {setup.label(me)}, against {setup.label(3 - me)}.")
        for line in tell_claim(self._match):
            self.terminal.say(line)
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._changes.close()
        self._listener.join(1)
        self._bell.close()
        self._seat.close()

    # What the console asks of a table

    @property
    def match(self) -> Match:
        return self._match

    @property
    def asked(self) -> int | None:
        me = self._seat.number
        return me if self.is_offered(me) or (self.match.asked == me and not self._is_open) else None

    def is_offered(self, seat: int) -> bool:
        offer = self.match.state.offer
        return offer is not None and offer[0] != seat and not self.match.state.pending

    def act(self, seat: int, action: Action) -> None:
        if seat != self._seat.number:
            raise NotAllowed("not_yours", "Your opponent speaks for himself.")
        if isinstance(action.move, int):
            action = action._replace(move=self.match.game.paths[action.move])
        try:
            self._seat.act(action, self.match.version)
        except NotAllowed as refusal:
            if refusal.reason != "stale_version":
                raise
            self._refresh()
            raise NotAllowed("stale_version", "Something has happened meanwhile.", "Look at it again.") from None
        self._refresh()

    def wait(self) -> None:
        if not self._reads_meanwhile:
            while not self._hear():
                self._bell.wait()
            return
        try:
            self.act(self._seat.number, self._ask_meanwhile())
            self.terminal.heard()
        except Refusal as refusal:
            self.terminal.refuse(refusal)

    def undo(self, seat: int) -> Action:  # noqa: ARG002 - it is always ours
        return actions.OFFER_TAKE_BACK

    def leave(self) -> None:
        """Nothing ends: the seat is kept for who comes back."""
        self._notes.append(f"The game is put aside. To go on with it here: ninefold play --join '{self._link}'")
        if self._link.kind == "code" or self._is_lost:  # a new code would end that one, which opens the seat here
            return
        with contextlib.suppress(Refusal):
            code = self._seat.handover()
            self._notes.append(f"On another device, within ten minutes: ninefold play --join '{code}'")

    def news(self) -> Sequence[str]:
        self._hear()
        if self._failure:
            raise self._failure
        told, self._notes = self._notes, []
        return told

    # Waiting

    def _ask_meanwhile(self) -> Action:
        """What can be done while the others have to act."""
        match, me = self.match, self._seat.number
        help = Help(lambda: hint(match), lambda: match.game.rules)
        whom = "somebody to sit down" if self._is_open else match.setup.label(match.asked or 3 - me)
        try:
            line = self.terminal.ask(f"Waiting for {whom} ... ", help)
        except Undone:
            return actions.OFFER_TAKE_BACK
        except Spoken as spoken:
            return spoken.action
        if match.setup.has_claims and line == "withdraw":
            return actions.WITHDRAW
        if match.setup.has_claims and line.startswith("claim"):
            return claims.read_move_or_claim(self.terminal, match, me, line, help)[1]
        raise NotAllowed("not_your_turn", f"It is {whom} that we are waiting for.", MEANWHILE)

    # Listening

    def _listen(self) -> None:
        """In a thread of its own."""
        try:
            for change in self._changes:
                if change.kind != "presence":
                    self._heard.put(change)
                    self._bell.ring()
        except Refusal as refusal:
            self._heard.put(refusal)
            self._bell.ring()

    def _hear(self) -> bool:
        """Take in what was heard; whether anything of it is to be told."""
        before = self._match
        while not self._heard.empty():
            self._take(self._heard.get())
        return bool(self._notes) or self._match is not before or self._failure is not None

    def _take(self, heard: Change | Refusal) -> None:
        if isinstance(heard, Refusal):
            self._failure = self._failure or (MOVED if heard.reason == "bad_token" else heard)
        elif heard.kind == "moved":
            self._failure = MOVED
        elif heard.kind == "lost":
            self._lose()
        elif not self._failure:
            self._come_back()
            self._look(heard.view)

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._notes.append(LOST)

    def _come_back(self) -> None:
        if self._is_lost:
            self._is_lost = False
            self._notes.append(BACK)

    def _look(self, view: Mapping[str, Any]) -> None:
        sat_down = self._is_open and view["status"] != "open"
        if sat_down or view["size"] > len(self._match.events):
            self._refresh()
        if sat_down:
            self._is_open = False
            self._notes.append(f"{self.match.setup.label(3 - self._seat.number)} has sat down.")

    def _refresh(self) -> None:
        """Read the log again. Who cannot be reached now is heard of again when the socket is back."""
        try:
            self._match = self._seat.match()
        except NotAllowed as refusal:
            if refusal.reason != "no_connection":
                raise
