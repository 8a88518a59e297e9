"""The app: one screen to start from, and one for each match."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import rich
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from ninefold.terminal.new_match import Lines
from ninefold.terminal.tui.start import StartScreen
from ninefold.terminal.tui.themes import DARK, THEMES, has_no_colour


@runtime_checkable
class Leaving(Protocol):
    """A screen with a table to be left."""

    def leave_table(self) -> None: ...

    def action_lines(self) -> None: ...


class Ninefold(App[Lines]):
    """``home`` is where games are kept; None for where this person keeps such things."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
        Binding("f2", "lines", show=False, priority=True),  # in dialogs too, which nothing else comes through to
        Binding("f3", "next_theme", show=False, priority=True),
    ]

    def __init__(self, home: Path | None = None, *, theme: Theme = DARK) -> None:
        super().__init__(ansi_color=True if has_no_colour() else None)
        self._home = home
        self.interrupted = False
        for one in THEMES:
            self.register_theme(one)
        # Before anything is parsed: a theme that is changed later has everything parsed again.
        self.set_reactive(App.theme, theme.name)
        self._refresh_truecolor_filter(self.ansi_theme)  # else the terminal's own colours are taken for Textual's
        self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> Screen[None]:
        return StartScreen(self._home)

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._fail)
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """The first frame is there, for which collecting was put off. What is here now stays; to look through all of it
        for garbage would hold keys up."""
        gc.freeze()
        gc.enable()

    def on_unmount(self) -> None:
        gc.unfreeze()

    def _fail(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What goes wrong between two messages is no less wrong."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._handle_exception(error)

    def _fatal_error(self) -> None:
        """As Textual does it, but without the values of variables: there may be secrets among them."""
        from rich.traceback import Traceback

        self.panic(Traceback(width=None, suppress=[rich]))

    def tables(self) -> list[Leaving]:
        """The screens with a table, the uppermost first."""
        return [screen for screen in reversed(self.screen_stack) if isinstance(screen, Leaving)]

    def put_aside(self) -> None:
        """Leave every table, so that what was played is on disk."""
        for screen in self.tables():
            screen.leave_table()

    def tell_afterwards(self, text: str) -> None:
        """Of a table whose screen is gone: on the first screen, or when the app has been left."""
        if not self.is_running:
            self.exit(self.return_value, self.return_code or 0, text)
        elif isinstance(self.screen_stack[0], StartScreen):
            self.screen_stack[0].tell(text)

    def action_interrupt(self) -> None:
        self.interrupted = True
        self.exit()

    def action_lines(self) -> None:
        """Go on line by line: with the match that is open, also under a dialog, or from the menu."""
        for screen in self.tables():
            screen.action_lines()
            return
        self.exit(Lines())

    def action_suspend_process(self) -> None:
        """With all that was started together, as the key does elsewhere: else ``make play`` would not stop. First the
        terminal is given back; it is taken again when we are continued."""
        if self._driver is not None and self._driver.can_suspend:
            self._driver.suspend_application_mode()
            os.killpg(0, signal.SIGSTOP)

    def action_next_theme(self) -> None:
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
