"""The full-screen app: a screen to start from, and one for each match."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import rich
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from ninefold.terminal.new_match import Continuation
from ninefold.terminal.preferences import PreferencesFile
from ninefold.terminal.tui.gallery import INTERVAL
from ninefold.terminal.tui.start_screen import StartScreen
from ninefold.terminal.tui.themes import DARK, THEMES, has_no_colour

if TYPE_CHECKING:
    from ninefold.terminal.saves import GameSaver

    MakeSaver = Callable[[Path, Callable[[str], object]], GameSaver]


@runtime_checkable
class SessionScreen(Protocol):
    """A screen with a session that is closed with it."""

    def close_session(self) -> None: ...

    def action_console(self) -> None: ...


class NinefoldApp(App[Continuation]):
    """``folder`` is where games are saved; None for where this person's state is. ``make_saver`` makes what saves a
    game in a file. ``preferences`` are remembered in a file, if they have one."""

    TITLE = "Ninefold"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        # In dialogs too, through which nothing else comes.
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("f2", "console", show=False, priority=True),
        Binding("f3", "next_theme", show=False, priority=True),
    ]

    def __init__(
        self,
        folder: Path | None = None,
        *,
        theme: Theme = DARK,
        make_saver: MakeSaver | None = None,
        preferences: PreferencesFile | None = None,
        demo_interval: float = INTERVAL,
    ) -> None:
        super().__init__(ansi_color=True if has_no_colour() else None)
        self._folder, self._make_saver, self._demo_interval = folder, make_saver, demo_interval
        self.preferences: PreferencesFile = preferences or PreferencesFile()
        self.interrupted: bool = False
        self._waker: socket.socket | None = None  # to which signals are written
        self.afterwards: list[str] = []  # what is to be printed once the app has ended
        for one in THEMES:
            self.register_theme(one)
        # Before anything is parsed: a theme that is changed later has everything parsed again.
        self.set_reactive(App.theme, theme.name)
        self._refresh_truecolor_filter(self.ansi_theme)  # else the terminal's own colours are taken for Textual's
        self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> Screen[None]:
        return StartScreen(self._folder, self.preferences.current, demo_interval=self._demo_interval)

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._fail)
        if not self.is_headless and os.name == "posix":
            self._wake_up_by_signals()
        self.app_resume_signal.subscribe(self, lambda _: self._repaint())
        self.call_after_refresh(self._settle)

    def _wake_up_by_signals(self) -> None:
        """Let a signal wake up the event loop, between whose steps handlers run: one that comes just before the loop
        begins to wait would be handled only after the next key."""
        self._woken, self._waker = woken, waker = socket.socketpair()
        woken.setblocking(False)
        waker.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        asyncio.get_running_loop().add_reader(woken, woken.recv, 4096)

    async def on_event(self, event: events.Event) -> None:
        """Keys that were typed behind the one that ended the app find no screen any more."""
        if self.screen_stack or not isinstance(event, events.InputEvent):
            await super().on_event(event)

    def _settle(self) -> None:
        """After the first frame, until which garbage was not collected. What exists now stays: to look through all of
        it for garbage would hold keys up."""
        gc.freeze()
        gc.enable()

    def on_unmount(self) -> None:
        if self._waker:
            signal.set_wakeup_fd(-1)
            asyncio.get_running_loop().remove_reader(self._woken)
            self._woken.close()
            self._waker.close()
        gc.unfreeze()
        self.preferences.close()

    def _fail(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error between two messages like any other."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._handle_exception(error)

    def _fatal_error(self) -> None:
        """As Textual does it, but without the values of variables: there may be secrets among them."""
        from rich.traceback import Traceback

        self.panic(Traceback(width=None, suppress=[rich]))

    def make_saver(self, file: Path, on_close: Callable[[str], object]) -> GameSaver:
        """What saves a game in a file; its module is imported when the first game is opened."""
        if self._make_saver:
            return self._make_saver(file, on_close)
        from ninefold.terminal.saves import GameSaver

        return GameSaver(file, on_close)

    def session_screens(self) -> list[SessionScreen]:
        """The screens with a session, the uppermost first."""
        return [screen for screen in reversed(self.screen_stack) if isinstance(screen, SessionScreen)]

    def close_sessions(self) -> None:
        """Close every session, so that all games are on disk."""
        for screen in self.session_screens():
            screen.close_session()

    def report_afterwards(self, news: str) -> None:
        """News of a session whose screen is gone: on the first screen, or after the app has ended."""
        if not self.is_running:
            self.afterwards.append(news)
        elif isinstance(self.screen_stack[0], StartScreen):
            self.screen_stack[0].report(news)

    def action_interrupt(self) -> None:
        self.interrupted = True
        self.exit()

    def action_console(self) -> None:
        """Continue at the line console: with the match that is open, also under a dialog, or with the menu."""
        for screen in self.session_screens():
            screen.action_console()
            return
        self.exit(Continuation())

    def action_suspend_process(self) -> None:
        """With all that was started together, as the key does elsewhere: else ``make play`` would not stop. First the
        terminal is given back; it is taken again when we are continued."""
        if self._driver is not None and self._driver.can_suspend:
            self._driver.suspend_application_mode()
            os.killpg(0, signal.SIGSTOP)
            self._repaint()

    def _repaint(self) -> None:
        """Send everything to the terminal, which shows nothing of ours any more."""
        for screen in self.screen_stack:  # what lies under a dialog is seen too
            screen.refresh(layout=True)

    def action_next_theme(self) -> None:
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
        self.preferences.remember(theme=self.theme)
