"""Where in a match somebody looks: one of its positions, and the events since the last look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.core.grid import NUMPAD
from ninefold.core.messages import text
from ninefold.core.position import Path, Position
from ninefold.match.match import Match
from ninefold.match.narration import describe_event
from ninefold.match.state import Setup, State, Transition, steps


class HistoryView(NamedTuple):
    """A match at one of its positions: ``ply`` moves have been made there. ``match`` names cells as it was chosen."""

    match: Match
    positions: tuple[Position, ...]
    ply: int

    @property
    def position(self) -> Position:
        return self.positions[self.ply]

    @property
    def is_latest(self) -> bool:
        return self.ply == len(self.positions) - 1

    @property
    def last(self) -> frozenset[int]:
        """The squares that the last move changed."""
        if not self.ply:
            return frozenset()
        game, move = self.match.game, self.match.state.moves[self.ply - 1]
        return frozenset(game.effects(self.positions[self.ply - 1], move).cells)

    @property
    def lines(self) -> tuple[Path, ...]:
        """The lines that decided the game."""
        result = self.match.result if self.is_latest else None
        outcome = result.outcome if result else self.position.outcome
        return outcome.lines if outcome else ()


def view_at(match: Match, ply: int | None, *, numpad: bool = False) -> HistoryView:
    """A match at one of its positions; None is the latest."""
    positions: list[Position] = []
    state: State | None = match.state
    while state:
        positions.append(state.position)
        state = state.previous
    latest = len(positions) - 1
    game = match.game._replace(naming=NUMPAD) if numpad else match.game
    named = match._replace(setup=match.setup._replace(game=game))
    return HistoryView(named, tuple(reversed(positions)), latest if ply is None else min(ply, latest))


class Timeline:
    """The position that is looked at, and how cells are named."""

    def __init__(self) -> None:
        self.ply: int | None = None  # None: the latest position, whatever is played
        self.numpad: bool = False

    def at(self, match: Match) -> HistoryView:
        return view_at(match, self.ply, numpad=self.numpad)

    def toggle_numpad(self, match: Match) -> str:
        """Name cells the other way, and say so; or say why not."""
        if match.game.naming == NUMPAD:
            return text("timeline.always_numpad")
        self.numpad = not self.numpad
        return text("timeline.numpad" if self.numpad else "timeline.rules")

    def seek(self, match: Match, ply: int) -> str:
        """Look at another position, or say why not."""
        before, latest = self.at(match).ply, len(match.state.moves)
        ply = max(0, min(ply, latest))
        self.ply = None if ply == latest else ply
        if ply != before:
            return ""
        if not latest:
            return text("timeline.no_moves")
        if 0 < ply < latest:
            return ""
        return text("timeline.latest" if ply == latest else "timeline.first")


class EventDiff:
    """The events that are new since the last look."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def of(self, match: Match) -> Sequence[Transition]:
        known, self._match = self._match, match
        return list(steps(match.setup, match.events[len(known.events) :], known.state))


def describe_steps(setup: Setup, fresh: Sequence[Transition]) -> str:
    """Events in one text, as far as there is something to say; players' own words may lack a full stop."""
    lines = [describe_event(setup, step.after, step.event).partition("\n")[0] for step in fresh]
    *before, last = [line for line in lines if line] or [""]
    return " ".join([*(one if one.endswith((".", "!", "?")) else f"{one}." for one in before), last])
