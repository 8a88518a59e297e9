"""A seat in a match that a server keeps, played at this terminal with the prompts of every other match."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Self, TextIO

from ninefold import actions
from ninefold.actions import Action
from ninefold.client import Link, Seat
from ninefold.core import NotAllowed, Refusal
from ninefold.match import Match
from ninefold.render import PLAIN, Look
from ninefold.terminal import claims
from ninefold.terminal.hints import hint
from ninefold.terminal.keys import Bell, Keys, can_interrupt
from ninefold.terminal.prompt import Help, Spoken, Terminal, Undone
from ninefold.terminal.remote import Remote

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
    """A table on a server. What is heard from there is taken in between two questions, or interrupts one."""

    def __init__(
        self, seat: Seat, link: Link, *, look: Look = PLAIN, read: TextIO | None = None, write: TextIO | None = None
    ) -> None:
        self._seat, self._link = seat, link
        self._bell = Bell()
        self._remote = Remote(seat, self._bell.ring)
        stream = read or sys.stdin
        keys = Keys(stream, self._bell, self._remote.hear) if can_interrupt(stream) else None
        self._reads_meanwhile = keys is not None and keys.isatty()
        self.terminal = Talking(keys or stream, write, look)

    def __enter__(self) -> Self:
        setup, me = self.match.setup, self._seat.number
        self.terminal.say(f"{setup.game.title}: you are {setup.label(me)}, against {setup.label(3 - me)}.")
        self._remote.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._remote.close()
        self._bell.close()

    # What the console asks of a table

    @property
    def match(self) -> Match:
        return self._remote.match

    @property
    def asked(self) -> int | None:
        me = self._seat.number
        return me if self.is_offered(me) or (self.match.asked == me and not self._remote.is_open) else None

    def is_offered(self, seat: int) -> bool:  # noqa: ARG002 - it is always ours
        return self._remote.is_offered()

    def act(self, seat: int, action: Action) -> None:
        self._remote.act(seat, action)

    def wait(self) -> None:
        if not self._reads_meanwhile:
            while not self._remote.hear():
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
        notes = self._remote.notes
        notes.append(f"The game is put aside. To go on with it here: ninefold play --join '{self._link}'")
        if self._link.kind == "code" or self._remote.is_lost:  # a new code would end that one, and the seat opens by it
            return
        with contextlib.suppress(Refusal):
            code = self._seat.handover()
            notes.append(f"On another device, within ten minutes: ninefold play --join '{code}'")

    def news(self) -> Sequence[str]:
        self._remote.hear()
        return self._remote.told()

    # Waiting

    def _ask_meanwhile(self) -> Action:
        """What can be done while the others have to act."""
        match, me = self.match, self._seat.number
        help = Help(lambda: hint(match), lambda: match.game.rules)
        whom = "somebody to sit down" if self._remote.is_open else match.setup.label(match.asked or 3 - me)
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
