"""Colours: calm, distinguishable for people who are colour-blind, and never the only sign of anything."""

from __future__ import annotations

import os

from rich.console import Console
from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="ninefold-dark",
    primary="#6cb6ff",
    accent="#e2c08d",
    success="#7fc8a9",
    warning="#e2c08d",
    error="#e88388",
    foreground="#d3d7de",
    background="#15171c",
    surface="#1b1e25",
    panel="#242933",
    variables={
        "mark-x": "#6cb6ff",
        "mark-o": "#f2a65a",
        "open": "#7fc8a9",
        "rule": "#474e5b",
        "label": "#8f98a8",
        "faint": "#5a6270",
        "note": "#e2c08d",
    },
)
LIGHT = Theme(
    name="ninefold-light",
    primary="#0b5cad",
    accent="#8a5a00",
    success="#0b7a4b",
    warning="#8a5a00",
    error="#b3261e",
    foreground="#22262e",
    background="#fafaf7",
    surface="#f1f1ec",
    panel="#e4e4dd",
    dark=False,
    variables={
        "mark-x": "#0b5cad",
        "mark-o": "#b45309",
        "open": "#0b7a4b",
        "rule": "#b9bcc4",
        "label": "#5d6472",
        "faint": "#8a909c",
        "note": "#8a5a00",
    },
)
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
THEMES = (DARK, LIGHT, ANSI)


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
