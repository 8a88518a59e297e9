"""Text from outside: made safe, cut short, or refused."""

from __future__ import annotations

import pytest

from ninefold.core.errors import Unreadable
from ninefold.core.text import MESSAGE_LENGTH, NAME_LENGTH, clean, clean_name, read_message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("good game", "good game"), (" a\tb\n", "a b"), ("\x1b[2Jhi", "[2Jhi"), ("\u202eabc", "abc"), ("\ud800x", "x"),
        ("Änne ☺", "Änne ☺"), ("\x00", ""), ("\u200bzero", "zero"),
    ],
)  # fmt: skip
def test_only_what_can_be_shown_is_left(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_name_is_cut_short() -> None:
    assert clean_name("n" * 100) == "n" * NAME_LENGTH


def test_a_message_is_refused_when_it_is_empty_or_too_long() -> None:
    assert read_message("m" * MESSAGE_LENGTH) == "m" * MESSAGE_LENGTH
    for text, reason in (("", "no_text"), ("\x1b", "no_text"), ("m" * (MESSAGE_LENGTH + 1), "too_long")):
        with pytest.raises(Unreadable) as refused:
            read_message(text)
        assert refused.value.reason == reason
