"""Games of this person on this computer, each in a file of its own, kept after every event."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ninefold.core import Refusal
from ninefold.files import load, save, write_text
from ninefold.match import Match
from ninefold.service.kept import Clock, Time
from ninefold.text import clean

SHOWN = 100  # the newest
SUFFIX = ".log"
LINK = ".link"


def folder() -> Path:
    from platformdirs import user_state_path

    return user_state_path("ninefold", appauthor=False) / "games"


class KeptGame(NamedTuple):
    """A game as it was kept, with its clock where it has one."""

    file: Path
    match: Match
    clock: Clock | None = None
    time: Time | None = None


class KeptLink(NamedTuple):
    """A seat on a server that was taken from here: with a link, and perhaps so many rematches ago."""

    file: Path
    title: str
    link: str
    rematches: int = 0


class Saved:
    """The file of one game. It is written in a thread: a slow disk holds nobody up. ``keep`` may be called at any time,
    ``close`` waits for the last word to be written."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.on_trouble: Callable[[str], object] = lambda _: None
        self._writer = ThreadPoolExecutor(1, "ninefold-saves")

    def keep(self, match: Match, clock: Clock | None, left: tuple[int, int] | None) -> None:
        self._writer.submit(self._write, match, clock, left)

    def close(self) -> None:
        self._writer.shutdown()

    def _write(self, match: Match, clock: Clock | None, left: tuple[int, int] | None) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            save(str(self.file), match)
            if clock and left:
                fields = {"initial": clock.initial, "increment": clock.increment, "left": left}
                write_text(str(_clock_file(self.file)), json.dumps(fields))
        except (OSError, Refusal) as error:
            self.on_trouble(f"The game cannot be kept: {error}")


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
    files = sorted((*home.glob(f"*{SUFFIX}"), *home.glob(f"*{LINK}")), reverse=True)[:SHOWN]
    found = [kept for file in files if (kept := _read(file))]
    return sorted(found, key=lambda kept: isinstance(kept, KeptGame) and kept.match.result is not None)


def _read(file: Path) -> KeptGame | KeptLink | None:
    try:
        if file.suffix == LINK:
            fields = json.loads(file.read_text(encoding="utf-8"))
            return KeptLink(file, clean(fields["title"]), clean(fields["link"]), int(fields.get("rematches", 0)))
        return KeptGame(file, load(str(file)), *_read_clock(file))
    except (Refusal, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def remember(home: Path, link: str, match: Match, rematches: int = 0) -> None:
    """A seat that was taken with a link: the same link opens it again from here, and leads to the rematches after it. A
    match that is over is forgotten."""
    file = home / f"{_name(match)}{LINK}"
    with contextlib.suppress(OSError, Refusal):  # it can be typed again
        if match.result:
            forget(file)
            return
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_text(str(file), json.dumps({"title": match.game.title, "link": link, "rematches": rematches}))
        file.chmod(0o600)


def forget(file: Path) -> None:
    for one in (file, _clock_file(file)):
        one.unlink(missing_ok=True)


def _clock_file(file: Path) -> Path:
    return file.with_suffix(".clock")


def _read_clock(file: Path) -> tuple[Clock | None, Time | None]:
    try:
        fields = json.loads(_clock_file(file).read_text(encoding="utf-8"))
        numbers = (fields["initial"], fields["increment"], *fields["left"])
        initial, increment, x, o = (int(number) for number in numbers)
    except (OSError, ValueError, LookupError, TypeError):
        return None, None
    return Clock(initial, increment), Time((x, o))
