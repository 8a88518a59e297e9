"""Saved games of this person, each in a file of its own, and links to seats on servers."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from ninefold.client.device import state_folder
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import text
from ninefold.core.text import clean
from ninefold.match.clock import ClockState, TimeControl
from ninefold.match.files import load, save, write_text
from ninefold.match.match import Match

MOST_SHOWN = 100  # the newest
SUFFIX = ".log"
LINK = ".link"
PATIENCE = 2.0  # seconds that a slow disk is waited for when a game is left

SaveMatch = Callable[[str, Match], object]


def games_folder() -> Path:
    return state_folder() / "games"


class SavedGame(NamedTuple):
    """A game in a file, with its clock if it has one."""

    file: Path
    match: Match
    control: TimeControl | None = None
    clock: ClockState | None = None


class SavedLink(NamedTuple):
    """A seat on a server that was taken from here with a link, or the one so many rematches later."""

    file: Path
    title: str
    link: str
    rematches: int = 0


def _ignore(_: str) -> None:
    pass


class GameSaver:
    """Writes one game into its file, in a thread: a slow disk holds nobody up.

    ``save`` may be called until ``close``, which waits a moment for the last write. ``on_error`` is called in the
    thread with what went wrong; ``on_close`` is called by ``close`` if the last write may have failed.
    """

    def __init__(
        self,
        file: Path,
        on_close: Callable[[str], object] = _ignore,
        *,
        write: SaveMatch = save,
        patience: float = PATIENCE,
    ) -> None:
        self.file = file
        self.on_error: Callable[[str], object] = _ignore
        self._on_close, self._save_match, self._patience = on_close, write, patience
        self._error = ""  # of the last write
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A daemon: Python waits for every other thread before it ends, however long the disk takes.
        self._thread = threading.Thread(target=self._run, name="ninefold-saver", daemon=True)
        self._thread.start()

    def for_another(self, file: Path) -> GameSaver:
        """A saver like this one for the next game."""
        return GameSaver(file, self._on_close, write=self._save_match, patience=self._patience)

    def save(self, match: Match, control: TimeControl | None = None, left: tuple[int, int] | None = None) -> None:
        self._tasks.put(partial(self._write, match, control, left))

    def close(self) -> None:
        self.on_error = _ignore
        self._tasks.put(None)
        self._thread.join(self._patience)
        if error := text("save.slow_disk") if self._thread.is_alive() else self._error:
            self._on_close(error)

    def _run(self) -> None:
        while write := self._tasks.get():
            try:
                write()
                self._error = ""
            except Exception as error:  # whatever it is, the game is not saved
                self._error = text("save.failed", why=str(error) or type(error).__name__)
                self.on_error(self._error)

    def _write(self, match: Match, control: TimeControl | None, left: tuple[int, int] | None) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._save_match(str(self.file), match)
        if control and left:
            fields = {"initial": control.initial, "increment": control.increment, "left": left}
            write_text(str(_clock_file(self.file)), json.dumps(fields))


def new_file(match: Match, folder: Path) -> Path:
    """The file of a new game. No file is overwritten: of a game from a record, only the day may be known."""
    file = first = folder / f"{_name(match)}{SUFFIX}"
    number = 1
    while file.exists():
        number += 1
        file = first.with_stem(f"{first.stem}-{number}")
    return file


def _name(match: Match) -> str:
    """When it began, and which game it is."""
    from datetime import UTC, datetime

    began = datetime.fromtimestamp(match.setup.at / 1000, UTC).strftime("%Y-%m-%d-%H%M%S-%f")[:-3]
    return f"{began}-{match.game.id}"


def list_saved(folder: Path) -> list[SavedGame | SavedLink]:
    """The games in a folder: those that have not ended first, then the newest. Unreadable files are left out."""
    found = [saved for file in _files(folder) if (saved := _read(file))]
    return sorted(found, key=lambda saved: isinstance(saved, SavedGame) and saved.match.result is not None)


def heading(folder: Path, saved: Sequence[SavedGame | SavedLink]) -> str:
    """The heading of a list of saved games."""
    unreadable = len(_files(folder)) - len(saved)
    if unreadable <= 0:
        return text("save.heading")
    return text("save.heading.unreadable", count=unreadable, folder=folder)


def _files(folder: Path) -> list[Path]:
    return sorted((*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*{LINK}")), reverse=True)[:MOST_SHOWN]


def _read(file: Path) -> SavedGame | SavedLink | None:
    try:
        if file.suffix == LINK:
            fields = json.loads(file.read_text(encoding="utf-8"))
            return SavedLink(file, clean(fields["title"]), clean(fields["link"]), int(fields.get("rematches", 0)))
        return SavedGame(file, load(str(file)), *_read_clock(file))
    except (Refusal, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def describe_saved(saved: SavedGame | SavedLink) -> str:
    """A saved game in a line."""
    day = saved.file.name[:10]
    if isinstance(saved, SavedLink):
        return f"{saved.title[:20]:<20} {day}  {text('save.remote')}  {saved.link.partition('#')[0]}"
    match = saved.match
    players = text("save.players", one=match.setup.display_name(1), two=match.setup.display_name(2))
    result = text("save.not_ended") if match.result is None else match.result.score
    moves = text("save.moves", count=len(match.state.moves))
    return f"{match.game.title[:20]:<20} {day} {players[:21]:<21} {moves:<8} {result}"


def save_link(folder: Path, link: str, match: Match, rematches: int = 0) -> None:
    """Save the link with which a seat was taken: on this device it opens the same seat again, and leads to its
    rematches. The link of a match that has ended is deleted."""
    file = folder / f"{_name(match)}{LINK}"
    with contextlib.suppress(OSError, Refusal):  # the link can be typed again
        if match.result:
            delete(file)
            return
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fields = {"title": match.game.title, "link": link, "rematches": rematches}
        write_text(str(file), json.dumps(fields), secret=True)


def delete(file: Path) -> None:
    try:
        for one in (file, _clock_file(file)):
            one.unlink(missing_ok=True)
    except OSError as error:
        raise NotAllowed("cannot_write.delete", file=file.name, why=error.strerror or error) from None


def _clock_file(file: Path) -> Path:
    return file.with_suffix(".clock")


def _read_clock(file: Path) -> tuple[TimeControl | None, ClockState | None]:
    try:
        fields = json.loads(_clock_file(file).read_text(encoding="utf-8"))
        numbers = (fields["initial"], fields["increment"], *fields["left"])
        initial, increment, x, o = (int(number) for number in numbers)
    except (OSError, ValueError, LookupError, TypeError):
        return None, None
    return TimeControl(initial, increment), ClockState((x, o))
