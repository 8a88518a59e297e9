"""Games of this person on this computer, each in a file of its own, kept after every event."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.text import clean
from ninefold.match.clock import ClockState, TimeControl
from ninefold.match.files import load, save, write_text
from ninefold.match.match import Match

SHOWN = 100  # the newest
SUFFIX = ".log"
LINK = ".link"
PATIENCE = 2.0  # seconds for a disk that does not answer, when a game is left
UNSURE = "The disk does not answer. The last move may not be kept."


def folder() -> Path:
    try:
        from platformdirs import user_state_path
    except ImportError:  # the line console plays with nothing but Python
        return Path.home() / ".ninefold" / "games"
    return user_state_path("ninefold", appauthor=False) / "games"


class KeptGame(NamedTuple):
    """A game as it was kept, with its clock where it has one."""

    file: Path
    match: Match
    clock: TimeControl | None = None
    time: ClockState | None = None


class KeptLink(NamedTuple):
    """A seat on a server that was taken from here with a link, or the one so many rematches later."""

    file: Path
    title: str
    link: str
    rematches: int = 0


def _nobody(_: str) -> None:
    """Nobody listens."""


class Saved:
    """The file of one game. It is written in a thread: a slow disk holds nobody up. ``keep`` may be called until
    ``close``, which waits for the last word to be written. ``on_trouble`` is told, in that thread, what cannot be
    written; ``afterwards`` is told by ``close`` if what was written last may not be there."""

    def __init__(self, file: Path, afterwards: Callable[[str], object] = _nobody) -> None:
        self.file = file
        self.on_trouble: Callable[[str], object] = _nobody
        self._afterwards = afterwards
        self._trouble = ""  # with what was written last
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A daemon: Python waits for every other thread before it ends, however long the disk takes.
        self._writer = threading.Thread(target=self._run, name="ninefold-saves", daemon=True)
        self._writer.start()

    def another(self, file: Path) -> Saved:
        """For a game that comes after this one."""
        return Saved(file, self._afterwards)

    def keep(self, match: Match, clock: TimeControl | None, left: tuple[int, int] | None) -> None:
        self._waiting.put(partial(self._write, match, clock, left))

    def close(self) -> None:
        self.on_trouble = _nobody
        self._waiting.put(None)
        self._writer.join(PATIENCE)
        if trouble := UNSURE if self._writer.is_alive() else self._trouble:
            self._afterwards(trouble)

    def _run(self) -> None:
        while write := self._waiting.get():
            try:
                write()
                self._trouble = ""
            except Exception as error:  # whatever it is, the game is not kept
                self._trouble = f"The game cannot be kept: {str(error) or type(error).__name__}"
                self.on_trouble(self._trouble)

    def _write(self, match: Match, clock: TimeControl | None, left: tuple[int, int] | None) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        save(str(self.file), match)
        if clock and left:
            fields = {"initial": clock.initial, "increment": clock.increment, "left": left}
            write_text(str(_clock_file(self.file)), json.dumps(fields))


def new_file(match: Match, home: Path) -> Path:
    """Where a new game is kept. No game is written over another: of a record, only the day may be known."""
    file = first = home / f"{_name(match)}{SUFFIX}"
    number = 1
    while file.exists():
        number += 1
        file = first.with_stem(f"{first.stem}-{number}")
    return file


def _name(match: Match) -> str:
    """Says when it began."""
    from datetime import UTC, datetime

    began = datetime.fromtimestamp(match.setup.at / 1000, UTC).strftime("%Y-%m-%d-%H%M%S-%f")[:-3]
    return f"{began}-{match.game.id}"


def all_kept(home: Path) -> list[KeptGame | KeptLink]:
    """The games of a folder: those that go on first, then the newest; what cannot be read is left out."""
    found = [kept for file in _files(home) if (kept := _read(file))]
    return sorted(found, key=lambda kept: isinstance(kept, KeptGame) and kept.match.result is not None)


def heading(home: Path, kept: Sequence[KeptGame | KeptLink]) -> str:
    """What is above them."""
    damaged = len(_files(home)) - len(kept)
    files = "a file" if damaged == 1 else f"{damaged} files"
    return "Go on with a game" + (f" ({files} in {home} cannot be read)" if damaged > 0 else "")


def _files(home: Path) -> list[Path]:
    return sorted((*home.glob(f"*{SUFFIX}"), *home.glob(f"*{LINK}")), reverse=True)[:SHOWN]


def _read(file: Path) -> KeptGame | KeptLink | None:
    try:
        if file.suffix == LINK:
            fields = json.loads(file.read_text(encoding="utf-8"))
            return KeptLink(file, clean(fields["title"]), clean(fields["link"]), int(fields.get("rematches", 0)))
        return KeptGame(file, load(str(file)), *_read_clock(file))
    except (Refusal, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def told(kept: KeptGame | KeptLink) -> str:
    """A kept game in a line."""
    if isinstance(kept, KeptLink):
        return f"{kept.title[:20]:<20} {_began(kept)}  on a server  {kept.link.partition('#')[0]}"
    match = kept.match
    players = " and ".join(map(match.setup.display_name, (1, 2)))
    standing = "going on" if match.result is None else match.result.score
    many = len(match.state.moves)
    moves = f"{many:>2} move{'' if many == 1 else 's'}"
    return f"{match.game.title[:20]:<20} {_began(kept)} {players[:21]:<21} {moves:<8} {standing}"


def _began(kept: KeptGame | KeptLink) -> str:
    """The day, from the name of the file."""
    return kept.file.name[:10]


def remember(home: Path, link: str, match: Match, rematches: int = 0) -> None:
    """Note a seat that was taken with a link: from here the same link opens it again, and leads to the rematches after
    it. A match that is over is forgotten."""
    file = home / f"{_name(match)}{LINK}"
    with contextlib.suppress(OSError, Refusal):  # the link can be typed again
        if match.result:
            forget(file)
            return
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        fields = {"title": match.game.title, "link": link, "rematches": rematches}
        write_text(str(file), json.dumps(fields), secret=True)


def forget(file: Path) -> None:
    try:
        for one in (file, _clock_file(file)):
            one.unlink(missing_ok=True)
    except OSError as error:
        raise NotAllowed("cannot_write", f"{file.name} cannot be removed: {error.strerror or error}.") from None


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
