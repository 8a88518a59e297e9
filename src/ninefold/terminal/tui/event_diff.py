"""What has happened in a match since it was last looked at."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.match.actions import Event
from ninefold.match.match import Match
from ninefold.match.narration import describe_event
from ninefold.match.state import Setup, State, steps
from ninefold.terminal.tui.prompts import one_after_the_other


class News:
    def __init__(self, match: Match) -> None:
        self._match = match  # as it was

    def of(self, match: Match) -> Sequence[tuple[Event, State]]:
        """The events that are new, with the states after them; from now on they are not."""
        known, self._match = self._match, match
        fresh = match.events[len(known.events) :]
        return [(event, after) for _, event, after in steps(match.setup, fresh, known.state)]


def told(setup: Setup, fresh: Sequence[tuple[Event, State]]) -> str:
    """Events in a line, as far as they are worth words."""
    lines = [describe_event(setup, state, event).partition("\n")[0] for event, state in fresh]
    return one_after_the_other([line for line in lines if line]) if any(lines) else ""
