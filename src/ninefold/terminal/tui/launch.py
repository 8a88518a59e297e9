"""Runs the app at this terminal, and leaves the terminal as it was, however the app ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ninefold.terminal.preferences import PreferencesFile, settings_file
from ninefold.terminal.tui.app import NinefoldApp
from ninefold.terminal.tui.themes import can_colour, theme_of_terminal

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import MakeSaver

# Mouse, bracketed paste, window size in band and keyboard protocol off; the line wraps, the cursor shows, and the
# screen is the one from before.
RESTORED = (
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[<u\x1b[?7h\x1b[?1049l"
    "\x1b[?25h\x1b[0m"
)
SWITCH = 0.001  # seconds that the screen waits for a thread that thinks
PATIENCE = 3.0  # seconds for a disk that does not respond
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def open_app(make_saver: MakeSaver | None = None, *, patience: float = PATIENCE) -> NinefoldApp:
    """Run the app, and return it after it has ended. Raises KeyboardInterrupt if that ended it."""
    sys.setswitchinterval(SWITCH)
    if not can_colour():
        os.environ["NO_COLOR"] = "1"  # as its owner would say it, and as Textual hears it
    preferences = PreferencesFile(settings_file())
    theme = theme_of_terminal(preferences.current.theme)
    app = NinefoldApp(theme=theme, make_saver=make_saver, preferences=preferences)
    with _handling_signals(app.close_sessions, patience):
        asyncio.run(app.run_async())
    for news in app.afterwards:
        print(news, file=sys.stderr)
    if app.interrupted:
        raise KeyboardInterrupt
    return app


@contextlib.contextmanager
def _handling_signals(close: Callable[[], None], patience: float) -> Iterator[None]:
    """When the process is to end, or the terminal hangs up: save the game, restore the terminal, and exit at once.
    Textual does not handle these signals, and may wait for a terminal that is gone."""
    restore = _restorer()

    def leave(number: int) -> None:
        restore()
        os._exit(128 + number)

    def end(number: int, _: object) -> None:
        for other in ENDINGS:  # a second one must not interrupt the saving
            signal.signal(other, signal.SIG_IGN)
        hurry = threading.Timer(patience, leave, (number,))
        hurry.daemon = True
        hurry.start()
        with contextlib.suppress(Exception):
            close()
        leave(number)

    before = {number: signal.signal(number, end) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _restorer() -> Callable[[], None]:
    """What brings the terminal back to how it is now."""
    try:
        import termios
    except ImportError:  # not a system with such terminals
        return lambda: None
    try:
        keyboard, screen = sys.stdin.fileno(), sys.stderr.fileno()
        attributes = termios.tcgetattr(keyboard)
    except (OSError, ValueError, termios.error):  # no terminal
        return lambda: None

    def restore() -> None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(keyboard, termios.TCSANOW, attributes)
            os.set_blocking(screen, False)  # a terminal that stands still is not waited for
            try:
                os.write(screen, RESTORED.encode())
            finally:
                os.set_blocking(screen, True)  # others have it too

    return restore
