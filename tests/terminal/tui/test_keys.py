"""Every key of a match is explained: on the page behind the question mark, and in docs/screen.md."""

from __future__ import annotations

import re
from pathlib import Path

from textual.binding import Binding

from ninefold.terminal.tui.app import NinefoldApp
from ninefold.terminal.tui.key_bindings import keys_help
from ninefold.terminal.tui.match_screen import MatchScreen

PAGE = Path(__file__).parents[3] / "docs" / "screen.md"
CALLED = {"question_mark": "?", "comma": ",", "full_stop": ".", "escape": "esc", "plus": "+"}
# The same as others for people who expect them, and what every program in a terminal does.
SILENT = {"f1", "q", "pageup", "pagedown", "ctrl+c", "ctrl+z"}


def bound() -> set[str]:
    bindings = [one for screen in (NinefoldApp, MatchScreen) for one in screen.BINDINGS]
    keys = {key for one in bindings if isinstance(one, Binding) for key in one.key.split(",")}
    return {CALLED.get(key, key) for key in keys - SILENT}


def test_every_key_is_on_the_page_behind_the_question_mark() -> None:
    left = [line[:16] for line in keys_help().splitlines()]
    assert bound() - {"?"} <= set(" ".join(left).split())


def test_every_key_is_in_the_documentation() -> None:
    assert bound() <= set(re.findall(r"`([^` ]+)`", PAGE.read_text(encoding="utf-8")))
