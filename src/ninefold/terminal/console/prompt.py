"""Questions and answers, a line at a time. The letters e, u, h and ? are commands at every prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple, Protocol, TextIO

from ninefold.core.errors import Refusal, quoted
from ninefold.core.messages import text
from ninefold.core.rendering import PLAIN, BoardStyle
from ninefold.match.actions import Action

LONGEST_LINE = 4096
WIDTH = 79
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
    """Nobody answers any more."""


def _no_hint() -> str:
    return text("console.no_hint")


def _all_commands() -> str:
    return text("console.commands")


class Help(NamedTuple):
    """What h and ? show at a prompt."""

    hint: Callable[[], str] = _no_hint
    rules: Callable[[], str] = _all_commands


class LineReader(Protocol):
    """Where lines are typed."""

    def readline(self, size: int, /) -> str: ...

    def isatty(self) -> bool: ...


class Terminal:
    """A pair of text streams, and how their owner likes the board."""

    def __init__(self, read: LineReader | None = None, write: TextIO | None = None, look: BoardStyle = PLAIN) -> None:
        self._read = read or sys.stdin
        self._write = write or sys.stdout
        self.look = look
        self._refused = 0

    @property
    def is_interactive(self) -> bool:
        """True if a person types."""
        return self._read.isatty()

    def refuse(self, refusal: Refusal | str) -> None:
        """Say that an answer was refused. A script that is refused a thousand times in a row has no other one."""
        from textwrap import fill

        self.say(fill(str(refusal), WIDTH, break_long_words=False))
        self._refused += 1
        if self._refused >= MOST_REFUSED and not self.is_interactive:
            raise EndOfInput

    def end_game(self) -> None:
        """From now on only what can be done after the game is understood."""

    def accept(self) -> None:
        """Count refused answers from 0 again."""
        self._refused = 0

    def say(self, text: str = "") -> None:
        self._write.write(text + "\n")
        self._write.flush()

    def ask(self, question: str, help: Help = Help()) -> str:
        """The line that a player types, as it is. Commands are executed here, or raised. Without a question nothing is
        shown, also at the end of the input."""
        while True:
            self._write.write(question)
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

    def ask_yes(self, question: str, help: Help = Help()) -> bool:
        while True:
            answer = self.ask(question, help).lower()
            if answer in ("y", "n"):
                return answer == "y"
            self.refuse(text("console.not_yes_or_no", answer=quoted(answer)))

    def _line(self, question: str) -> str:
        line = self._read.readline(LONGEST_LINE)
        if not line:
            if question:
                self.say()
            raise EndOfInput
        while not line.endswith("\n") and len(line) >= LONGEST_LINE:
            # The rest of an endless line is dropped: what matters is that it was not an answer.
            rest = self._read.readline(LONGEST_LINE)
            if not rest or rest.endswith("\n"):
                break
        return line.removesuffix("\n").removesuffix("\r")  # lines may end as on Windows
