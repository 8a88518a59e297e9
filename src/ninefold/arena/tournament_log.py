"""The log of a tournament: a line that says which tournament it is, then a line a game."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.arena import journal
from ninefold.arena.schedule import Job, Played
from ninefold.core.errors import Unreadable, quoted

About = dict[str, object]  # game, options, players, pairs and seed


def resume(path: str, about: About, jobs: Sequence[Job]) -> dict[int, Played]:
    """The games that a log holds. The log of another tournament is refused; a line that a crash cut short is lost."""
    lines = journal.resume(path, {"arena": about}, "tournament")
    return {game.number: game for game in (_game(path, *line, jobs) for line in enumerate(lines, 2))}


def _game(path: str, number: int, line: journal.Line, jobs: Sequence[Job]) -> Played:
    try:
        played = Played(**line)
        if type(played.number) is int and played.number >= 0 and played.winner in ("", "X", "O"):
            job = jobs[played.number]
            if (job.x, job.o) == (played.x, played.o) and type(played.plies) is int:
                return played
    except (TypeError, IndexError):
        pass
    raise Unreadable("broken_file", f"{quoted(path, 100)}, line {number}: this is no game of this tournament.")
