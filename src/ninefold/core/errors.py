"""What can go wrong: a refusal with a reason, a sentence, and what is possible instead."""

from __future__ import annotations


def quoted(text: str, longest: int = 20) -> str:
    """Somebody's input, short and printable, to be repeated in a sentence.

    >>> quoted("\\x1b[2J"), quoted("no")
    ("'\\\\x1b[2J'", "'no'")
    """
    return repr(text if len(text) <= longest else text[:longest] + "...")


class Refusal(ValueError):
    """Something was asked that cannot be done; nothing has changed.

    ``reason`` is a stable code for programs, ``sentence`` says what was wrong, ``instead`` what is possible.
    """

    def __init__(self, reason: str, sentence: str, instead: str = "") -> None:
        super().__init__(reason, sentence, instead)
        self.reason = reason
        self.sentence = sentence
        self.instead = instead

    def __str__(self) -> str:
        return f"{self.sentence} {self.instead}".strip()


class Unreadable(Refusal):
    """Cannot read this: not a number, not a move, not a position."""


class NotAllowed(Refusal):
    """Cannot do this: readable, and not allowed here and now."""


class IllegalMove(NotAllowed):
    """Cannot play this move here."""
