"""Questions and answers, a line at a time. The letters e, u, h and ? are commands at every prompt."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, TextIO

from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.core.rendering import PLAIN, BoardStyle
from ninefold.match.actions import Action

if TYPE_CHECKING:
    from ninefold.match.clock import ClockReading

LONGEST_LINE = 4096
WIDTH = 79  # where the width of the terminal is not known
WIDEST = 100  # longer lines are hard to read
MOST_REFUSED = 1000  # answers of a script in a row


class PlayerLeft(Exception):
    """The player typed e."""


class UndoRequested(Exception):
    """The player typed u."""


class ActionTyped(Exception):
    """The player typed a word that is an action at every prompt."""

    def __init__(self, action: Action) -> None:
        super().__init__(action)
        self.action = action


class PromptInterrupted(Exception):
    """Something has happened while the player was being asked."""


class EndOfInput(Exception):
    """Nobody answers any more; it may say why."""


def _no_clock() -> ClockReading | None:
    return None


def _no_hint() -> str:
    return text("console.no_hint")


class Help(NamedTuple):
    """What ? and h show at a prompt."""

    rules: Callable[[], str]
    hint: Callable[[], str] = _no_hint


class LineReader(Protocol):
    """Where lines are typed."""

    def readline(self, size: int, /) -> str: ...

    def isatty(self) -> bool: ...


class Terminal:
    """A pair of text streams, and how their owner likes the board."""

    def __init__(self, read: LineReader | None = None, write: TextIO | None = None, look: BoardStyle = PLAIN) -> None:
        self.reader: LineReader = read or sys.stdin
        self._write = write or sys.stdout
        self.look = look
        self.clock: Callable[[], ClockReading | None] = _no_clock  # what every question begins with
        self._refused = 0

    @property
    def is_interactive(self) -> bool:
        """True if a person types."""
        return self.reader.isatty()

    @property
    def width(self) -> int:
        """The columns of a paragraph: those of the terminal, as far as people like to read them."""
        try:
            columns = os.get_terminal_size(self._write.fileno()).columns
        except (OSError, ValueError):  # not a terminal
            columns = 0
        return min(WIDEST, max(20, columns - 1)) if columns else WIDTH

    def refuse(self, refusal: Refusal) -> None:
        """Say that an answer was refused. A script that is refused a thousand times in a row has no other one."""
        from textwrap import fill

        self.say(fill(str(refusal), self.width, break_long_words=False, break_on_hyphens=False))
        self._refused += 1
        if self._refused >= MOST_REFUSED and not self.is_interactive:
            raise EndOfInput(text("console.too_many_refused", count=MOST_REFUSED))

    def end_game(self) -> None:
        """From now on only what can be done after the game is understood."""

    def accept(self) -> None:
        """Count refused answers from 0 again."""
        self._refused = 0

    def say(self, text: str = "") -> None:
        self._write.write(text + "\n")
        self._write.flush()

    def ask(self, question: str, help: Help) -> str:
        """The line that a player types, as it is. Commands are executed here, or raised. Without a question nothing is
        shown, also at the end of the input."""
        while True:
            clock = self.clock() if question else None
            self._write.write(f"[{clock}] {question}" if clock else question)
            self._write.flush()
            line = self._line(question)
            match line.lower():
                case "e":
                    raise PlayerLeft
                case "u":
                    raise UndoRequested
                case "h":
                    self.say(help.hint())
                case "?":
                    self.say(help.rules())
                case _:
                    return line

    def ask_yes(self, question: str, help: Help) -> bool:
        while True:
            answer = self.ask(question, help).lower()
            if answer in ("y", "n"):
                return answer == "y"
            self.refuse(Unreadable("not_an_answer.yes_or_no", answer=quoted(answer)))

    def ask_side(self, question: str, help: Help, *, enter: str = "") -> Side:
        """The side that is typed; an empty line is ``enter``."""
        default = text("menu.enter.side", side=enter) if enter else ""
        while True:
            answer = self.ask(text("menu.side", question=question, enter=default), help) or enter
            if answer.upper() in ("X", "O"):
                return Side[answer.upper()]
            self.refuse(Unreadable("not_an_answer.side", answer=quoted(answer)))

    def _line(self, question: str) -> str:
        try:
            line = self.reader.readline(LONGEST_LINE)
        except OSError as error:  # a folder as input, or a terminal that is gone
            raise EndOfInput(text("console.cannot_read", why=error.strerror)) from None
        if not line:
            if question:
                self.say()
            raise EndOfInput
        while not line.endswith("\n") and len(line) >= LONGEST_LINE:
            # The rest of an endless line is dropped: what matters is that it was not an answer.
            rest = self.reader.readline(LONGEST_LINE)
            if not rest or rest.endswith("\n"):
                break
        return line.removesuffix("\n").removesuffix("\r")  # lines may end as on Windows


def ask_player_1_side(terminal: Terminal, game: Game) -> Side:
    """Player 1 chooses a side; player 2 gets the other one."""
    while True:
        try:
            return terminal.ask_side(text("menu.player_1_side"), Help(rules=lambda: game.console_help))
        except UndoRequested:
            terminal.say(text("menu.nothing_to_undo"))
