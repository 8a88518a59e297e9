"""Colours: calm, distinguishable for people who are colour-blind, and never the only sign of anything."""

from __future__ import annotations

import os

from rich.console import Console
from textual.theme import BUILTIN_THEMES, Theme

from ninefold.core import palette


def _theme(name: str, colours: palette.Theme, *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=colours.x,
        accent=colours.note,
        success=colours.go,
        warning=colours.note,
        error=colours.danger,
        foreground=colours.ink,
        background=colours.ground,
        surface=colours.surface,
        panel=colours.rule,
        dark=dark,
        variables={
            "mark-x": colours.x,
            "mark-o": colours.o,
            "open": colours.go,
            "rule": colours.grid,
            "label": colours.soft,
            "faint": colours.faint,
            "note": colours.note,
        },
    )


DARK = _theme("ninefold-dark", palette.DARK, dark=True)
LIGHT = _theme("ninefold-light", palette.LIGHT, dark=False)
CONTRAST = _theme("ninefold-contrast", palette.CONTRAST, dark=True)
# The terminal's own sixteen colours, or none of them.
ANSI = Theme(
    name="ninefold-ansi",
    ansi=True,
    primary="ansi_bright_cyan",
    accent="ansi_yellow",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_bright_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables=BUILTIN_THEMES["ansi-dark"].variables
    | {
        "mark-x": "ansi_bright_cyan",
        "mark-o": "ansi_bright_yellow",
        "open": "ansi_bright_green",
        "rule": "ansi_default",
        "label": "ansi_default",
        "faint": "ansi_default",
        "note": "ansi_yellow",
        # Seen without a colour too.
        "block-cursor-text-style": "bold underline",
        "input-cursor-text-style": "underline",
    },
)
THEMES = (DARK, LIGHT, CONTRAST, ANSI)


def has_no_colour() -> bool:
    """True if the owner of the terminal wants no colour."""
    return bool(os.environ.get("NO_COLOR"))


def theme_of_terminal(preferred: str = "") -> Theme:
    """The preferred one, or ours, where the terminal has colours enough, else its own."""
    few = Console(force_terminal=True, _environ=os.environ).color_system in ("standard", None)
    if few or has_no_colour():
        return ANSI
    return next((theme for theme in THEMES if theme.name == preferred), DARK)


def can_colour() -> bool:
    """False if the system knows that terminals of this kind have no colours."""
    try:
        import curses
    except ImportError:  # not every system has it
        return True
    try:
        curses.setupterm()
        return curses.tigetnum("colors") > 0
    except (ValueError, OSError, curses.error):
        return True
