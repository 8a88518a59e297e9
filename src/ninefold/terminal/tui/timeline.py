"""Where in a match somebody looks, and what they call its cells."""

from __future__ import annotations

from ninefold.core.grid import NUMPAD
from ninefold.match.match import Match
from ninefold.terminal.tui.history_view import Seen, look_at


class Looking:
    def __init__(self) -> None:
        self.ply: int | None = None  # None: the latest position, whatever is played
        self.numpad = False

    def at(self, match: Match) -> Seen:
        return look_at(match, self.ply, numpad=self.numpad)

    def rename_cells(self, match: Match) -> str:
        """Call them otherwise, and say so; or say why not."""
        if match.game.naming == NUMPAD:
            return "The cells of this game are always called as on the numpad."
        self.numpad = not self.numpad
        return "Cells are called as on the numpad." if self.numpad else "Cells are called as in the rules."

    def seek(self, match: Match, ply: int) -> str:
        """Look at another position, or say why not."""
        before, latest = self.at(match).ply, len(match.state.moves)
        ply = max(0, min(ply, latest))
        self.ply = None if ply == latest else ply
        if ply != before:
            return ""
        if not latest:
            return "No move has been made yet."
        return "This is the latest position." if ply == latest else "This is the beginning." if not ply else ""
