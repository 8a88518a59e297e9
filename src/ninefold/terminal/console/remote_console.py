"""The console of a match on a server: a seat, or a match that is watched. News interrupt every question."""

from __future__ import annotations

import contextlib
import sys
from typing import Self, TextIO

from ninefold.client.links import Link
from ninefold.client.remote import RemoteSession
from ninefold.client.session import SeatAction
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import text
from ninefold.core.rendering import PLAIN, BoardStyle
from ninefold.match import actions
from ninefold.match.narration import describe_last_claim
from ninefold.server.hosting.seats import CODE_MINUTES
from ninefold.terminal.console import claims
from ninefold.terminal.console.console import WAIT, Console
from ninefold.terminal.console.keyboard import InterruptibleInput, Wakeup, can_interrupt
from ninefold.terminal.console.prompt import (
    ActionTyped,
    Help,
    LineReader,
    Terminal,
    UndoRequested,
)

WORDS = {"draw": actions.OFFER_DRAW, "resign": actions.RESIGN}


class RemoteTerminal(Terminal):
    """A terminal with the clocks in every prompt. Players can talk, offer a draw and resign at every prompt too."""

    def __init__(
        self,
        read: LineReader,
        write: TextIO | None,
        look: BoardStyle,
        *,
        is_playing: bool,
        has_hints: bool,
    ) -> None:
        super().__init__(read, write, look)
        self._is_playing, self._has_hints = is_playing, has_hints

    def ask(self, question: str, help: Help) -> str:
        if self._is_playing and not self._has_hints:
            help = help._replace(hint=lambda: text("session.no_hints"))
        line = super().ask(question, help)
        while self._is_playing and line == "resign" and not self._is_sure():
            line = super().ask(question, help)
        if self._is_playing and line in WORDS:
            raise ActionTyped(WORDS[line])
        if self._is_playing and line.startswith("say "):
            raise ActionTyped(actions.say(line.removeprefix("say ")))
        return line

    def end_game(self) -> None:
        """Nobody is helped any more by a hint, and nothing is decided any more by a word."""
        self._is_playing = False

    def _is_sure(self) -> bool:
        """A person is asked again before the game is lost; a script is not."""
        help = Help(lambda: text("console.resign.help"))
        return not self.is_interactive or self.ask_yes(text("console.resign"), help)


class RemoteConsole(Console):
    """``link`` is what the seat was taken with; a rematch has none. Enter it to begin the session."""

    def __init__(
        self,
        session: RemoteSession,
        link: Link | None = None,
        *,
        look: BoardStyle = PLAIN,
        read: TextIO | None = None,
        write: TextIO | None = None,
    ) -> None:
        self._remote, self._link = session, link
        self._wakeup = Wakeup()
        session.subscribe(self._wakeup.wake)
        stream = read or sys.stdin
        keys = InterruptibleInput(stream, self._wakeup, self._has_news) if can_interrupt(stream) else None
        state = session.state
        terminal = RemoteTerminal(keys or stream, write, look, is_playing=bool(state.seats), has_hints=state.has_hints)
        self._asks_meanwhile = keys is not None and terminal.is_interactive
        super().__init__(terminal, session)

    def __enter__(self) -> Self:
        state = self._shown
        setup = state.match.setup
        if state.seats:
            me, opponent = setup.label(state.seats[0]), setup.label(3 - state.seats[0])
            self.terminal.say(text("console.playing", game=setup.game.title, me=me, opponent=opponent))
        else:
            self.terminal.say(text("console.watching", game=setup.game.title, one=setup.label(1), two=setup.label(2)))
        for line in describe_last_claim(state.match):
            self.terminal.say(line)
        self.session.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()
        self._wakeup.close()

    # Waiting

    def _wait(self) -> None:
        if not self._asks_meanwhile:
            self.terminal.say(self._waiting().rstrip())
            state = self._shown
            while not self._has_news():
                state = self.session.wait(state, WAIT)
        elif self._shown.seats:
            self._try(self._ask_meanwhile)
        else:
            with contextlib.suppress(UndoRequested):
                self.terminal.ask(self._waiting(), Help(rules=lambda: self._shown.match.game.console_help))
            self.terminal.refuse(NotAllowed("only_watching.console"))

    def _waiting(self) -> str:
        setup, awaited = self._shown.match.setup, self._shown.awaited
        if awaited is None:
            sides = [setup.side(seat) for seat in sorted(self._shown.open_seats)]
            code = "console.waiting.seats" if len(sides) > 1 else "console.waiting.seat"
            return text(code, sides=text("console.and").join(map(str, sides)))
        return text("console.waiting", player=setup.label(awaited))

    def _ask_meanwhile(self) -> SeatAction:
        """What can be done while the opponent has to act."""
        match, me, help = self._shown.match, self._shown.seats[0], self._help()
        try:
            line = self.terminal.ask(self._waiting(), help)
        except UndoRequested:
            return me, self.session.undo_action(me)
        except ActionTyped as typed:
            return me, typed.action
        if match.setup.has_claims and line == "withdraw":
            return me, actions.WITHDRAW
        if match.setup.has_claims and line.startswith("claim"):
            return claims.read_move_or_claim(self.terminal, match, me, line, help)
        raise NotAllowed("not_your_turn.console")

    # Leaving

    def _leave(self) -> None:
        if self._shown.seats:
            for line in self._ways_back():
                self.terminal.say(line)

    def say_how_to_return(self) -> None:
        """For a player who leaves in the middle of a question."""
        if self.session.match.result is None:
            self.terminal.say()
            self._leave()

    def _ways_back(self) -> list[str]:
        """Nothing has ended: the seat is kept for its player."""
        lines = [text("console.interrupted")]
        if self._link:
            lines.append(text("console.return", link=self._link))
            if self._link.kind == "code":
                return lines  # another code would void this one, which opens the seat here
        if self.session.state.is_connected:
            with contextlib.suppress(Refusal):
                code = self._remote.handover()
                here = "console.return.another_device" if self._link else "console.return.anywhere"
                lines.append(text(here, link=code, minutes=CODE_MINUTES))
        return lines
