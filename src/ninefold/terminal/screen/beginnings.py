"""How a match is come to: a new one, one that was kept, a record, a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

from ninefold.service.kept import Clock
from ninefold.terminal.screen.local import Local
from ninefold.terminal.screen.play import PlayScreen
from ninefold.terminal.screen.saves import Saved, new_file
from ninefold.terminal.screen.wishes import Wishes


def play_new(app: App[Any], wishes: Wishes, home: Path) -> None:
    match = wishes.match()
    clock = Clock(*(1000 * seconds for seconds in wishes.time)) if wishes.time else None
    app.push_screen(PlayScreen(Local(match, clock=clock, save=Saved(new_file(match, home)))))
