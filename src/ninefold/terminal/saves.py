"""Saved games of this person, each in a file of its own, and links to seats on servers."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from ninefold.client.device import state_folder
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import text
from ninefold.core.text import clean
from ninefold.match.clock import ClockState, TimeControl
from ninefold.match.files import check_new, load, save, write_text
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.terminal.game_lock import GameLock

MOST_SHOWN = 100  # the games that were played last
SUFFIX = ".log"
LINK = ".link"
PATIENCE = 2.0  # seconds that a slow disk is waited for when a game is left

SaveMatch = Callable[[str, Match], object]


def games_folder() -> Path:
    return state_folder() / "games"


class SavedGame(NamedTuple):
    """A game in a file, with its clock if it has one."""

    file: Path
    played_at: float  # when it was last saved, in seconds
    match: Match
    control: TimeControl | None = None
    clock: ClockState | None = None


class SavedLink(NamedTuple):
    """A seat on a server that was taken from here with a link, or the one so many rematches later."""

    file: Path
    played_at: float
    title: str
    link: str
    rematches: int = 0
    side: str = ""  # of this seat
    opponent: str = ""
    invitation: str = ""  # the link for the opponent, if the match was begun here


SavedMatch = SavedGame | SavedLink


def _ignore(_: str) -> None:
    pass


def temporary_folder() -> Path:
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="ninefold-"))


def save_temporarily(write: Callable[[Path], object], name: str, make_folder: Callable[[], Path]) -> Path | None:
    """Save what could not be saved in its place: the file, or None if nothing more can be done."""
    with contextlib.suppress(Exception):
        folder = make_folder()
        try:
            write(folder / name)
            return folder / name
        except Exception:
            folder.rmdir()
    return None


def write_new(file: Path, name: str, write: Callable[[Path], object]) -> tuple[Path, GameLock]:
    """Write a game into a new file, or under ``name`` into a folder: the file, and its lock."""
    file = file / name if file.is_dir() else file
    check_new(str(file))
    lock = GameLock.acquire(file)
    try:
        write(file)
    except BaseException:
        lock.release()
        raise
    return file, lock


class GameSaver:
    """Writes one game into its file, in a thread: a slow disk holds nobody up.

    ``save`` may be called until ``close``, which waits a moment for the last write. ``on_error`` is called in the
    thread with what went wrong; ``on_close`` is called by ``close`` if the last write may have failed. A game whose
    last write has failed is saved in a temporary folder then. The game is locked by its first write, or by ``lock``.
    """

    def __init__(
        self,
        file: Path,
        on_close: Callable[[str], object] = _ignore,
        *,
        write: SaveMatch = save,
        patience: float = PATIENCE,
        temporary_folder: Callable[[], Path] = temporary_folder,
    ) -> None:
        self.file: Path = file
        self.lock: GameLock | None = None
        self.on_error: Callable[[str], object] = _ignore
        self._on_close, self._save_match, self._patience = on_close, write, patience
        self._temporary_folder = temporary_folder
        self._error = ""  # of the last write
        self._unsaved: SavedState | None = None  # what the last write could not save
        self._tasks: SimpleQueue[SavedState | None] = SimpleQueue()
        # A daemon: Python waits for every other thread before it ends, however long the disk takes.
        self._thread = threading.Thread(target=self._run, name="ninefold-saver", daemon=True)
        self._thread.start()

    def for_another(self, file: Path) -> GameSaver:
        """A saver like this one for the next game."""
        return GameSaver(
            file,
            self._on_close,
            write=self._save_match,
            patience=self._patience,
            temporary_folder=self._temporary_folder,
        )

    def save(self, match: Match, control: TimeControl | None = None, left: tuple[int, int] | None = None) -> None:
        self._tasks.put(SavedState(match, control, left))

    def save_elsewhere(
        self, file: Path, match: Match, control: TimeControl | None = None, left: tuple[int, int] | None = None
    ) -> None:
        """Save the game in another file from now on, which must be new. It blocks."""
        state = SavedState(match, control, left)
        file, lock = write_new(file, self.file.name, lambda new: self._write(new, state))
        if self.lock:
            self.lock.release()
        self.file, self.lock, self._error, self._unsaved = file, lock, "", None

    def close(self) -> bool:
        """True if everything was written."""
        self.on_error = _ignore
        self._tasks.put(None)
        self._thread.join(self._patience)
        if error := text("save.slow_disk") if self._thread.is_alive() else self._error:
            self._on_close(error)
        return not error

    @property
    def has_failed(self) -> bool:
        """True if the last write has failed."""
        return bool(self._error)

    def _run(self) -> None:
        while state := self._tasks.get():
            try:
                self.lock = self.lock or self._acquire()
                self._write(self.file, state)
                self._error, self._unsaved = "", None
            except Exception as error:  # whatever it is, the game is not saved
                self._error, self._unsaved = describe_failure(error), state
                self.on_error(self._error)
        if state := self._unsaved:
            file = save_temporarily(lambda file: self._write(file, state), self.file.name, self._temporary_folder)
            self._error = text("save.temporary", why=self._error, file=file) if file else self._error
        if self.lock:
            self.lock.release()

    def _acquire(self) -> GameLock:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return GameLock.acquire(self.file)

    def _write(self, file: Path, state: SavedState) -> None:
        self._save_match(str(file), state.match)
        save_clock(file, state.control, state.left)


class SavedState(NamedTuple):
    """A match and its clock, as they are written."""

    match: Match
    control: TimeControl | None = None
    left: tuple[int, int] | None = None


def describe_failure(error: Exception) -> str:
    """Why a game could not be saved, in a sentence."""
    why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return text("save.failed", why=f"{why.removesuffix('.')}.")


def new_file(match: Match, folder: Path) -> Path:
    """The file of a new game. No file is overwritten: of a game from a record, only the day may be known."""
    file = first = folder / f"{_name(match)}{SUFFIX}"
    number = 1
    while file.exists():
        number += 1
        file = first.with_stem(f"{first.stem}-{number}")
    return file


def new_saved_file(match: Match) -> str:
    """The file of a new game among the saved games of this person."""
    return str(new_file(match, games_folder()))


def _name(match: Match) -> str:
    """When it began, and which game it is."""
    from datetime import UTC, datetime

    began = datetime.fromtimestamp(match.setup.at / 1000, UTC).strftime("%Y-%m-%d-%H%M%S-%f")[:-3]
    return f"{began}-{match.game.id}"


def list_saved(folder: Path) -> list[SavedMatch]:
    """The games in a folder: those that have not ended first, then the one that was played last. Unreadable files are
    left out."""
    found = [saved for file in _files(folder)[:MOST_SHOWN] if (saved := _read(file))]
    return sorted(found, key=lambda saved: (_has_ended(saved), -saved.played_at))


def _has_ended(saved: SavedMatch) -> bool:
    return isinstance(saved, SavedGame) and saved.match.result is not None


def heading(folder: Path, saved: Sequence[SavedMatch]) -> str:
    """The heading of a list of saved games: it says how many are left out."""
    notes = left_out(folder, saved)
    return text("save.heading.left_out", left_out=notes) if notes else text("save.heading")


def left_out(folder: Path, saved: Sequence[SavedMatch]) -> str:
    """How many games in a folder are not in a list of saved games, and why; empty if all are."""
    files = len(_files(folder))
    counts = {"save.unreadable": min(files, MOST_SHOWN) - len(saved), "save.older": files - MOST_SHOWN}
    return "; ".join(text(code, count=count, folder=folder) for code, count in counts.items() if count > 0)


def _files(folder: Path) -> list[Path]:
    """The files of all games, the one that was written last first."""
    return sorted((*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*{LINK}")), key=_written_at, reverse=True)


def _written_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # it has just been deleted
        return 0.0


def _read(file: Path) -> SavedMatch | None:
    try:
        played_at = file.stat().st_mtime
        if file.suffix != LINK:
            return SavedGame(file, played_at, load(str(file)), *_read_clock(file))
        fields = json.loads(file.read_text(encoding="utf-8"))
        side, opponent, invitation = (clean(str(fields.get(name, ""))) for name in ("side", "opponent", "invitation"))
        title, link, rematches = clean(fields["title"]), clean(fields["link"]), int(fields.get("rematches", 0))
        return SavedLink(file, played_at, title, link, rematches, side, opponent, invitation)
    except (Refusal, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def columns() -> str:
    """What stands above the lines of saved games."""
    return _row(*(text(f"save.column.{name}") for name in ("game", "played", "players", "moves", "result")))


def describe_saved(saved: SavedMatch) -> str:
    """A saved game in a line: which, when it was last played, by whom, how far it is."""
    from datetime import datetime

    when = datetime.fromtimestamp(saved.played_at).strftime("%Y-%m-%d %H:%M")
    if isinstance(saved, SavedLink):
        opponent = saved.opponent or text("save.no_opponent")
        players = text("save.against", side=saved.side, opponent=opponent) if saved.side else ""
        return _row(saved.title, when, players, "", text("save.remote"))
    match = saved.match
    result = text("save.not_ended") if match.result is None else match.result.score
    return _row(match.game.title, when, _players(match), str(len(match.state.moves)), result)


def _row(game: str, when: str, players: str, moves: str, result: str) -> str:
    return f"{game[:20]:<20} {when:<16} {players[:23]:<23} {moves:>5} {result}"


def _players(match: Match) -> str:
    setup = match.setup
    people = [seat for seat in (1, 2) if setup.seats[seat - 1].player == HUMAN]
    if len(people) == 1:
        (me,) = people
        opponent = text("save.computer", level=setup.display_name(3 - me))
        name = setup.seats[me - 1].name
        if not name:
            return text("save.against", side=setup.side(me), opponent=opponent)
        return text("save.against.name", name=name, side=setup.side(me), opponent=opponent)
    return text("save.players", one=setup.display_name(1), two=setup.display_name(2), side=setup.side(1))


def save_link(
    folder: Path, link: str, match: Match, rematches: int = 0, *, seat: int = 0, invitation: str = ""
) -> None:
    """Save the link with which a seat was taken: on this device it opens the same seat again, and leads to its
    rematches. The link of a match that has ended is deleted."""
    file = folder / f"{_name(match)}{LINK}"
    with contextlib.suppress(OSError, Refusal):  # the link can be typed again
        if match.result:
            delete(file)
            return
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fields = {"title": match.game.title, "link": link, "rematches": rematches}
        if seat:
            fields |= {"side": str(match.setup.side(seat)), "opponent": match.setup.seats[2 - seat].name}
        if invitation:
            fields["invitation"] = invitation
        write_text(str(file), json.dumps(fields), secret=True)


def delete(file: Path) -> None:
    """Delete a game. One that another window plays is not deleted."""
    GameLock.acquire(file).release()
    try:
        for one in (file, _clock_file(file)):
            one.unlink(missing_ok=True)
    except OSError as error:
        raise NotAllowed("cannot_write.delete", file=file.name, why=error.strerror or error) from None


def save_clock(file: Path, control: TimeControl | None, left: tuple[int, int] | None) -> None:
    """Save what is left on the clocks beside a game, if it has clocks."""
    if control and left:
        fields = {"initial": control.initial, "increment": control.increment, "left": left}
        write_text(str(_clock_file(file)), json.dumps(fields))


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
