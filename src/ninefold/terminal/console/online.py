"""A seat in a match that a server keeps, played at this terminal with the prompts of every other match."""

from __future__ import annotations

import contextlib
from typing import TextIO

from ninefold.client import Link, Seat
from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.core.rendering import PLAIN, Look
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.match.narration import describe_event
from ninefold.terminal.console import claims
from ninefold.terminal.console.afar import Afar, Timed
from ninefold.terminal.console.prompt import Help, Left, News, Spoken, Undone
from ninefold.terminal.hints import hint

WORDS = {"draw": actions.OFFER_DRAW, "resign": actions.RESIGN}
MEANWHILE = "Meanwhile: say TEXT, draw (to offer one), resign, u, ? or e."


class Talking(Timed):
    """A terminal at which some words are actions of their own, at every prompt."""

    def ask(self, question: str, help: Help = Help()) -> str:
        line = super().ask(question, help)
        while line == "resign" and not self._is_sure():
            line = super().ask(question, help)
        if line in WORDS:
            raise Spoken(WORDS[line])
        if line.startswith("say "):
            raise Spoken(actions.say(line.removeprefix("say ")))
        return line

    def _is_sure(self) -> bool:
        """A person is asked once more before the game is lost; a script is not."""
        while self._read.isatty():
            answer = super().ask("Resign? Your opponent wins the game (y/n) ").lower()
            if answer in ("y", "n"):
                return answer == "y"
            self.refuse(f"{quoted(answer)} is neither y nor n.")
        return True


class Online(Afar):
    """``link`` is what the seat was taken with; a rematch has none."""

    def __init__(
        self,
        seat: Seat,
        link: Link | None = None,
        *,
        look: Look = PLAIN,
        read: TextIO | None = None,
        write: TextIO | None = None,
    ) -> None:
        super().__init__(seat, Talking, look=look, read=read, write=write)
        self._seat, self._link = seat, link
        self.terminal.no_hint = self._remote.known.no_hint

    def _greeting(self) -> str:
        setup, me = self.match.setup, self._seat.number
        return f"you are {setup.label(me)}, against {setup.label(3 - me)}."

    # What the console asks of a table

    def wait(self) -> None:
        if not self._reads_meanwhile:
            self._wait_for_news()
            return
        try:
            self._do(self._ask_meanwhile())
        except Refusal as refusal:
            self.terminal.refuse(refusal)

    def _do(self, action: Action) -> None:
        try:
            self.act(self._seat.number, action)
            self.terminal.heard()
        except Refusal as refusal:
            self.terminal.refuse(refusal)

    def undo(self, seat: int) -> Action:  # noqa: ARG002 - it is always ours
        return actions.OFFER_TAKE_BACK

    def leave(self) -> None:
        """Nothing ends: the seat is kept for who comes back."""
        self._remote.notes.append("The game is put aside.")
        if self._link:
            self._remote.notes.append(f"To go on with it here: ninefold play --join '{self._link}'")
            if self._link.kind == "code":
                return  # another would end this one, which opens the seat here
        if self._remote.known.is_lost:
            return
        where = "On another device" if self._link else "To go on with it here or elsewhere"
        with contextlib.suppress(Refusal):
            self._remote.notes.append(f"{where}, within ten minutes: ninefold play --join '{self._seat.handover()}'")

    def tell_how_to_come_back(self) -> None:
        """To somebody who leaves in the middle of a question."""
        if self.match.result is None:
            self.leave()
            for line in ("", *self._remote.notes):
                self.terminal.say(line)

    # After the game

    def rematch(self) -> Seat | None:
        """The same players once more, when whoever sits at this keyboard wants that."""
        shown = self.match
        while self._reads_meanwhile and self.match.result and not self._remote.known.is_open:
            self._tell_since(shown)
            shown = self.match
            try:
                answer = self._ask_rematch()
            except (Left, Undone):
                break
            if answer is not None:
                return self._seat.rematch() if answer else None
        return None

    def _ask_rematch(self) -> bool | None:
        """None when there is something to tell first."""
        try:
            answer = self.terminal.ask("A rematch, with sides swapped (y/n)? ").lower()
            if answer in ("y", "n"):
                return answer == "y"
            self.terminal.refuse(f"{quoted(answer)} is neither y nor n.")
        except News:
            self.terminal.say()
        except Spoken as spoken:
            self._do(spoken.action)
        return None

    def _tell_since(self, shown: Match) -> None:
        for line in self.news():
            self.terminal.say(line)
        for event in self.match.events[len(shown.events) :]:
            self.terminal.say(describe_event(self.match.setup, self.match.state, event))

    # Waiting

    def _ask_meanwhile(self) -> Action:
        """What can be done while the others have to act."""
        match, me = self.match, self._seat.number
        help = Help(lambda: hint(match), lambda: match.game.console_rules)
        try:
            line = self.terminal.ask(f"Waiting for {self._remote.known.awaited} ... ", help)
        except Undone:
            return actions.OFFER_TAKE_BACK
        except Spoken as spoken:
            return spoken.action
        if match.setup.has_claims and line == "withdraw":
            return actions.WITHDRAW
        if match.setup.has_claims and line.startswith("claim"):
            return claims.read_move_or_claim(self.terminal, match, me, line, help)[1]
        raise NotAllowed("not_your_turn", f"It is {self._remote.known.awaited} that we are waiting for.", MEANWHILE)
