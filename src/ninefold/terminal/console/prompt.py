"""Questions and answers, a line at a time. The letters e, u, h and ? are commands at every prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple, Protocol, TextIO

from ninefold.core.errors import Refusal
from ninefold.core.rendering import PLAIN, Look
from ninefold.match.actions import Action

LONGEST_LINE = 4096
WIDTH = 79
PATIENCE = 1000


class Left(Exception):
    """The player typed e."""


class Undone(Exception):
    """The player typed u."""


class Spoken(Exception):
    """The player typed a word that is an action of its own, whatever was asked."""

    def __init__(self, action: Action) -> None:
        super().__init__(action)
        self.action = action


class News(Exception):
    """Something happened elsewhere while the player was being asked."""


class EndOfInput(Exception):
    """There is nobody to answer any more."""


def _no_hint() -> str:
    return "There is no hint here."


def _no_rules() -> str:
    return "e leaves, u takes back, h gives a hint, ? shows the rules of the game."


class Help(NamedTuple):
    """What h and ? say at a prompt."""

    hint: Callable[[], str] = _no_hint
    rules: Callable[[], str] = _no_rules


class Keyboard(Protocol):
    """Where lines are typed."""

    def readline(self, size: int, /) -> str: ...

    def isatty(self) -> bool: ...


class Terminal:
    """A pair of text streams, and how their owner likes the board."""

    def __init__(self, read: Keyboard | None = None, write: TextIO | None = None, look: Look = PLAIN) -> None:
        self._read = read or sys.stdin
        self._write = write or sys.stdout
        self.look = look
        self._refused = 0

    def refuse(self, refusal: Refusal | str) -> None:
        """Say that an answer was no good. When nobody at a keyboard gives them, a thousand such answers are enough."""
        from textwrap import fill

        self.say(fill(str(refusal), WIDTH, break_long_words=False))
        self._refused += 1
        if self._refused >= PATIENCE and not self._read.isatty():
            raise EndOfInput

    def heard(self) -> None:
        """An answer was good."""
        self._refused = 0

    def say(self, text: str = "") -> None:
        self._write.write(text + "\n")
        self._write.flush()

    def ask(self, question: str, help: Help = Help()) -> str:
        """The line a player types, as it is; commands are dealt with here, or raised."""
        while True:
            self._write.write(question)
            self._write.flush()
            line = self._line()
            match line.lower():
                case "e":
                    raise Left
                case "u":
                    raise Undone
                case "h":
                    self.say(help.hint())
                case "?":
                    self.say(help.rules())
                case _:
                    return line

    def _line(self) -> str:
        line = self._read.readline(LONGEST_LINE)
        if not line:
            self.say()
            raise EndOfInput
        while not line.endswith("\n") and len(line) >= LONGEST_LINE:
            # The rest of an endless line is dropped: what matters is that it was not an answer.
            rest = self._read.readline(LONGEST_LINE)
            if not rest or rest.endswith("\n"):
                break
        return line.removesuffix("\n")
