"""What has happened in a match since it was last looked at."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.actions import Event
from ninefold.match import Match
from ninefold.terminal.screen.words import one_after_the_other
from ninefold.terminal.story import tell_event


class News:
    def __init__(self, match: Match) -> None:
        self._known = len(match.events)

    def of(self, match: Match) -> Sequence[Event]:
        """The events that are new; from now on they are not."""
        fresh = match.events[self._known :]
        self._known = len(match.events)
        return fresh


def told(match: Match, events: Sequence[Event]) -> str:
    """Events in a line, as far as they are worth words."""
    lines = [tell_event(match.setup, match.state, event).partition("\n")[0] for event in events]
    return one_after_the_other([line for line in lines if line]) if any(lines) else ""
