"""What this person chose before: colours, game, level, names. A small JSON file, which may be broken or missing."""

from __future__ import annotations

import contextlib
import json
import threading
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.client.device import user_folder
from ninefold.core.errors import Refusal
from ninefold.core.text import clean, clean_name

LARGEST = 100_000  # bytes of the file; more is not ours
LONGEST = 400  # characters of a value
PATIENCE = 1.0  # seconds that a slow disk is waited for at the end


class Preferences(NamedTuple):
    """Values as they are written: who uses one checks that it exists (still, or in this version)."""

    theme: str = ""
    game: str = ""
    opponent: str = ""
    level: str = ""
    other_level: str = ""
    side: str = ""
    names: tuple[str, str] = ("", "")  # of player 1 and 2
    numpad: bool = False  # cells are named as on the numpad
    threats: bool = False  # where somebody could win is shown
    server: str = ""  # on which the last match was begun


def settings_file() -> Path:
    """The file with the preferences of this person."""
    return user_folder("config") / "settings.json"


def read(file: Path) -> Preferences:
    """The preferences in a file. A value that is missing or makes no sense is as it is at first."""
    try:
        with file.open("rb") as opened:
            return from_json(json.loads(opened.read(LARGEST)))
    except (OSError, ValueError, RecursionError):
        return Preferences()


def from_json(fields: object) -> Preferences:
    """The preferences among values of any kind."""
    found: dict[str, Any] = {}
    if not isinstance(fields, dict):
        return Preferences()
    for name, default in Preferences()._asdict().items():
        value = fields.get(name)
        if isinstance(default, str) and isinstance(value, str):
            found[name] = clean(value)[:LONGEST]
        elif isinstance(default, bool) and isinstance(value, bool):
            found[name] = value
        elif isinstance(default, tuple) and isinstance(value, list) and list(map(type, value)) == [str, str]:
            found[name] = (clean_name(value[0]), clean_name(value[1]))
    return Preferences(**found)


class PreferencesFile:
    """Preferences, and the file that remembers them; without a file they are forgotten.

    A change is written in a thread: a slow disk holds nobody up, and one that cannot be written to is ignored. Only
    what was changed here is changed in the file: another window may have changed the rest.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self.current: Preferences = read(file) if file else Preferences()
        self._changes: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def remember(self, **changes: Any) -> None:
        before, self.current = self.current, self.current._replace(**changes)
        if self._file and self.current != before:
            self._changes |= changes
            thread = threading.Thread(target=self._write, args=(self._file,), name="ninefold-settings", daemon=True)
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()

    def close(self) -> None:
        """Wait a moment for the last write."""
        for thread in self._threads:
            thread.join(PATIENCE)

    def _write(self, file: Path) -> None:
        from ninefold.match.files import write_text

        with self._lock, contextlib.suppress(OSError, Refusal):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fields = read(file)._replace(**self._changes)._asdict()
            write_text(str(file), json.dumps(fields, indent=2) + "\n")
