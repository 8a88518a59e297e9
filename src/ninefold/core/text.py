"""Text from outside, made safe to show."""

from __future__ import annotations

from ninefold.core.errors import Unreadable

NAME_LENGTH = 40
PLAYER_LENGTH = 1000  # of the name of a computer, which may hold that of a file
MESSAGE_LENGTH = 280
UNCLEANED_LENGTH = 2000  # of a message as it arrives, with what is cleaned away


def clean(text: str) -> str:
    """Without control characters, terminal escapes, bidirectional overrides and lone surrogates.

    >>> clean("good\\x1b[31m game\\u202e")
    'good[31m game'
    """
    shown = (char if char.isprintable() else " " if char.isspace() else "" for char in text)
    return "".join(shown).strip()


def clean_name(text: str) -> str:
    return clean(text)[:NAME_LENGTH]


def read_message(text: str) -> str:
    """A message as it may be kept: clean, not empty, not too long."""
    if not isinstance(text, str):
        raise TypeError(f"A message must be a text, not {text!r}.")
    message = clean(text)
    if not message:
        raise Unreadable("no_text")
    if len(message) > MESSAGE_LENGTH:
        raise Unreadable("too_long", most=MESSAGE_LENGTH, found=len(message))
    return message
