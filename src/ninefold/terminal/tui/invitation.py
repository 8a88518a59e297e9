"""The dialog with the link that invites a friend, also as a QR code."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ninefold.core.messages import text
from ninefold.terminal.qr_code import half_blocks, qr_code
from ninefold.terminal.tui.dialogs import Dialog, link_to

INTERVAL = 0.25  # seconds between two looks whether the friend has come
HERE = ("localhost", "127.0.0.1", "::1")
WORDS = 34  # columns beside the code
FRAME = 5  # columns of the dialog's edges


class InvitationDialog(Dialog[None]):
    """It closes when ``has_come``. The code is shown where it fits, dark on light; without colours it is made for a
    dark terminal."""

    DEFAULT_CSS = """
    InvitationDialog .dialog { width: auto; max-width: 100%; padding: 0 1; }
    InvitationDialog Horizontal { width: auto; height: auto; }
    InvitationDialog .words { height: auto; margin-left: 1; }
    InvitationDialog #code { width: auto; height: auto; color: #000000; background: #ffffff; }
    InvitationDialog #link { height: auto; margin-bottom: 1; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,q", "dismiss(None)", "Back")]

    def __init__(self, link: str, has_come: Callable[[], bool]) -> None:
        super().__init__()
        self._link, self._has_come = link, has_come
        modules = qr_code(link)
        self._code = half_blocks(modules) if modules else []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"), Horizontal():
            yield Static(id="code")
            with Vertical(classes="words"):
                yield Static(Content(text("invite.heading")), classes="heading")
                yield Static(Content(self._link), id="link")
                yield Static(Content(text("invite.how")))
                if urlsplit(self._link).hostname in HERE:
                    yield Static(Content(text("invite.only_here")))
                yield Static(id="how", classes="note")
                yield Static(link_to(text("dialog.back"), "None"), classes="note")

    def on_mount(self) -> None:
        self.set_interval(INTERVAL, self._close_when_here)

    def on_resize(self) -> None:
        width = len(self._code[0]) + WORDS + FRAME if self._code else 0
        fits = 0 < width <= self.size.width and len(self._code) + 2 <= self.size.height
        code = self.query_one("#code", Static)
        code.display = fits
        code.update(Content("\n".join(self._code if not self.app.no_color else map(_inverted, self._code))))
        self.query_one(".words").styles.width = max(1, min(WORDS, self.size.width - FRAME))
        self.query_one("#how", Static).update(Content(text("invite.scan" if fits else "invite.no_room")))

    def _close_when_here(self) -> None:
        if self._has_come():
            self.dismiss(None)


def _inverted(row: str) -> str:
    return row.translate(str.maketrans(" ▀▄█", "█▄▀ "))
