"""``ninefold`` alone: the full screen, or what the terminal can do instead."""

from __future__ import annotations

import argparse
import os
import sys

import ninefold.terminal  # noqa: F401 - it registers its texts
from ninefold.core.messages import text


def menu(given: argparse.Namespace) -> int:
    if given.plain:
        return _line_menu()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(text("start.no_terminal"), end="")
        return 0
    if not can_fill_screen():
        return _line_menu()
    if not _has_textual():
        print(text("start.no_tui"))
        return _line_menu()
    return _full_screen()


def can_fill_screen() -> bool:
    """True if this terminal can show more than lines, and its owner wants that: screen readers read lines."""
    lines = any(os.environ.get(name) for name in ("NINEFOLD_PLAIN", "ACCESSIBLE"))
    able = os.environ.get("TERM", "dumb") not in ("", "dumb") or os.name == "nt"
    able = able and sys.stderr.encoding.lower().startswith("utf")
    return able and not lines and sys.stderr.isatty()


def _has_textual() -> bool:
    from importlib.util import find_spec

    try:
        return find_spec("textual") is not None
    except ValueError:  # it was made impossible to import
        return False


def _full_screen() -> int:
    import gc

    gc.disable()  # nothing is garbage before the first frame; the app enables it then
    os.environ.setdefault("TEXTUAL_FPS", "120")  # else a key may wait a sixtieth of a second for its frame
    from ninefold.terminal.tui.launch import open_app

    app = open_app()
    if app.return_value is None:
        return app.return_code or 0
    from ninefold.cli.commands.play import continue_at_console

    return continue_at_console(app.return_value)


def _line_menu() -> int:
    from ninefold.cli.commands.play import line_menu

    return line_menu()
