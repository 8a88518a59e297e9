"""Saving a match that is played at the console, also when the disk is full."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.core.messages import text
from ninefold.match.files import save
from ninefold.match.match import Match
from ninefold.terminal.console.prompt import Help, Terminal, UndoRequested
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.saves import SaveMatch, describe_failure, save_temporarily, temporary_folder, write_new

HELP = Help(lambda: text("console.another_file.help"))


class ConsoleSaver:
    """Saves a match after every event. No move is refused because the disk is full: the player is asked for another
    file before the next question. Nobody else opens the file meanwhile; what is not saved at the end is saved in a
    temporary folder."""

    def __init__(
        self,
        terminal: Terminal,
        file: Path,
        *,
        write: SaveMatch = save,
        temporary_folder: Callable[[], Path] = temporary_folder,
    ) -> None:
        self.file: Path = file
        self._terminal, self._write, self._temporary_folder = terminal, write, temporary_folder
        self._lock = GameLock.acquire(file)
        self._unsaved: Match | None = None
        self._error = ""
        self._has_declined = False

    @property
    def is_saved(self) -> bool:
        """True if the match as it is now is in the file."""
        return self._unsaved is None

    def store(self, match: Match) -> None:
        """Save the match. It may be called in any thread, and refuses nothing."""
        try:
            self._write(str(self.file), match)
            self._unsaved = None
        except Exception as error:  # whatever it is, the match is not saved
            self._unsaved, self._error = match, describe_failure(error)

    def ask_where(self) -> None:
        """If the match could not be saved, ask for another file until there is one, or the player goes on without. A
        script is refused: its next line is a move, not the name of a file."""
        while self._unsaved and not self._has_declined:
            if not self._terminal.is_interactive:
                raise NotAllowed("cannot_write.script", why=self._error)
            self._terminal.say(self._error)
            try:
                answer = self._terminal.ask(text("console.another_file"), HELP).strip()
                wants_same = False
            except UndoRequested:
                answer, wants_same = "", True
            match = self._unsaved  # None if meanwhile the computer has moved, and there was room
            if match and wants_same:
                self.store(match)
            elif match and answer:
                self._save_elsewhere(Path(os.path.expanduser(answer)), match)
            elif match:
                self._has_declined = True
                self._terminal.say(text("save.unsaved"))
            if self.is_saved:
                self._terminal.say(text("save.moved", file=self.file))

    def _save_elsewhere(self, file: Path, match: Match) -> None:
        try:
            file, lock = write_new(file, self.file.name, partial(self._write_to, match))
        except Refusal as refusal:
            self._terminal.refuse(refusal)
            return
        except OSError as error:
            self._terminal.refuse(NotAllowed("cannot_write", file=quoted(str(file), 100), why=error.strerror))
            return
        self._lock.release()
        self.file, self._lock, self._unsaved = file, lock, None

    def _write_to(self, match: Match, file: Path) -> None:
        self._write(str(file), match)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if match := self._unsaved:
            write = partial(self._write_to, match)
            file = save_temporarily(write, self.file.name, self._temporary_folder)
            self._terminal.say(text("save.temporary", why=self._error, file=file) if file else self._error)
        self._lock.release()
