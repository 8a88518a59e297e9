"""A hint, looked for beside the screen: in the big games that takes its time."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.core.position import Path
from ninefold.match import move_input
from ninefold.terminal.hints import hint
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.threads import Work


class Hinting:
    """One hint at a time. ``say`` is called with it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._work: Work[str] | None = None

    def look(self, seen: Seen, way: Path) -> None:
        """For the next choice on a way to a move; what is not asked is not hinted at."""
        self._say("Looking for a hint ...")
        match = seen.match
        start = way or move_input.begun(match.game, match.position)
        self._work = self._work or Work(lambda _: hint(match, start), self._found)

    def stop(self) -> None:
        if self._work:
            self._work.stop()

    def _found(self, text: str) -> None:
        self._work = None
        self._say(text.partition("\n")[0])
