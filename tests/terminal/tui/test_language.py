"""The full screen in another language: no text of it comes from anywhere but a catalogue."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.core.messages import ENGLISH, Template, use_language, use_texts
from ninefold.games import all_games
from tests.support.async_tests import async_test
from tests.support.languages import server_texts, terminal_texts
from tests.support.tui_person import LARGE, Person, at_screen

GREEK = {ord(one): chr(0x3B1 + place % 24) for place, one in enumerate(string.ascii_letters) if one not in "XO"}
# The program, keys, and what is typed.
NAMES = re.compile(r"Ninefold|enter|esc|home|end|del|space|tab|f2|\[row,col\]")


def marked(template: Template) -> Template:
    """A template in which every letter of a word is Greek, which is as wide as it was."""
    if isinstance(template, tuple):
        return marked_text(template[0]), marked_text(template[1])
    return marked_text(template)


def marked_text(text: str) -> str:
    return "".join(part if part.startswith("{") else part.translate(GREEK) for part in re.split(r"(\{[^}]*\})", text))


@pytest.fixture
def _marked() -> Iterator[None]:
    texts = server_texts() | terminal_texts()
    use_texts("de", {code: marked(template) for code, template in texts.items()})
    all_games.cache_clear()
    yield
    use_language(ENGLISH)
    all_games.cache_clear()


def unmarked(person: Person) -> list[str]:
    """The lines with words that come from no catalogue."""
    return [line for line in person.lines if re.search("[A-Za-z]{2}", NAMES.sub("", line))]


@pytest.mark.usefixtures("_marked")
@async_test
async def test_no_text_of_the_full_screen_bypasses_the_catalogue(tmp_path: Path) -> None:
    async with at_screen(tmp_path, LARGE) as person:
        assert unmarked(person) == []
        await person.press("2", "enter")
        await person.opens_match()
        await person.press("a", "c")
        assert unmarked(person) == []
        await person.press("escape", "question_mark")
        assert unmarked(person) == []
