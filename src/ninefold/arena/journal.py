"""The log of a tournament: a line that says which tournament it is, then a line a game."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ninefold.arena.games import Job, Played
from ninefold.core import NotAllowed, Unreadable, quoted
from ninefold.strict_json import read_json

About = dict[str, object]  # game, options, players, pairs and seed


def resume(path: str, about: About, jobs: Sequence[Job]) -> dict[int, Played]:
    """The games that a log holds. The log of another tournament is refused; a line that a crash cut short is lost."""
    try:
        with open(path, "a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            whole = file.read().rpartition("\n")[0]
            if not whole:
                file.truncate(0)
                file.write(json.dumps({"arena": about}) + "\n")
                return {}
            os.truncate(path, len(whole.encode()) + 1)
    except OSError as error:
        raise NotAllowed("cannot_write", f"Cannot keep a log in {quoted(path, 100)}: {error.strerror}.") from None
    head, *lines = whole.split("\n")
    if _read(head) != {"arena": about}:
        raise NotAllowed(
            "another_game", f"{quoted(path, 100)} is not the log of this tournament.", "Name another file."
        )
    return {game.number: game for game in (_game(path, *line, jobs) for line in enumerate(lines, 2))}


def _game(path: str, number: int, line: str, jobs: Sequence[Job]) -> Played:
    try:
        played = Played(**_read(line))
        if type(played.number) is int and played.number >= 0 and played.winner in ("", "X", "O"):
            job = jobs[played.number]
            if (job.x, job.o) == (played.x, played.o) and type(played.plies) is int:
                return played
    except (TypeError, IndexError):
        pass
    raise Unreadable("broken_file", f"{quoted(path, 100)}, line {number}: this is no game of this tournament.")


def _read(line: str) -> dict[str, Any]:
    try:
        found = read_json(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
