"""Saving at the line console: after every change, and somewhere else when the disk does not take it."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.match.files import check_new, save
from ninefold.match.match import Match
from ninefold.terminal.console.prompt import Terminal, UndoRequested


class MatchSaver:
    """Saves a match in a file. What cannot be written is kept in memory until the player has said where to save it:
    ``ask_where`` asks, in the player's own thread. Without a ``file`` nothing is saved any more."""

    def __init__(self, file: str, write: Callable[[str, Match], object] = save) -> None:
        self.file = file
        self._write = write
        self._failed: tuple[Refusal, Match] | None = None

    @property
    def has_failed(self) -> bool:
        """True if the last change is not in the file."""
        return self._failed is not None

    def save(self, match: Match, *, strict: bool = False) -> None:
        """Called in any thread, before anybody sees the change. If it is strict, what cannot be written is refused."""
        try:
            if self.file:
                self._write(self.file, match)
            self._failed = None
        except Refusal as refusal:
            if strict:
                raise
            self._failed = refusal, match

    def ask_where(self, terminal: Terminal) -> None:
        """If the last change was not saved: save it in another file, or go on unsaved. A script is refused."""
        while self._failed:
            refusal, match = self._failed
            if not terminal.is_interactive:
                raise refusal
            terminal.refuse(refusal)
            try:
                answer = terminal.ask(text("console.save_where")).strip()
                if answer:
                    check_new(answer)
                self.file = answer
            except UndoRequested:
                pass  # the same file once more: there may be room now
            except Refusal as unusable:
                terminal.refuse(unusable)
                continue
            self.save(match)
            if not self._failed:
                terminal.say(text("console.saved", file=self.file) if self.file else text("console.unsaved"))
