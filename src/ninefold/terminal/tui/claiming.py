"""A claim while it is made: three cells, or one of the eight lines, and perhaps a move that goes with it."""

from __future__ import annotations

from ninefold.core.grid import LINES
from ninefold.core.position import Side
from ninefold.match import actions
from ninefold.terminal.tui.board import CLAIMED, Board
from ninefold.terminal.tui.prompts import Situation
from ninefold.terminal.tui.table_actions import Act, NotNow, check_claim, speaker


class Claiming:
    """From ``begin`` to ``stop`` cells are picked on the board, and nothing is played there. What cannot be done now is
    refused."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.placed: int | None = None  # the cell of the move that goes with the claim

    @property
    def is_begun(self) -> bool:
        return self._board.picked is not None

    def begin(self, now: Situation) -> None:
        check_claim(now)
        self._board.pick(frozenset())

    def stop(self) -> None:
        self.placed = None
        self._board.pick(None)

    def pick_line(self, number: int) -> None:
        self._board.pick(frozenset(LINES[number - 1]))

    def place(self, now: Situation) -> None:
        """The move that goes with the claim is where the cursor is; once more there: no move goes with it."""
        self._check_begun(now)
        self.placed = None if self.placed == self._board.cursor else self._board.cursor

    def claim(self, now: Situation, side: Side | None = None) -> Act:
        """The claim as it is picked, for a side; None: for the only one that is played from here. It is not stopped by
        this: what is refused can be mended."""
        self._check_begun(now)
        seat = _seat_of(now, side)
        cells = sorted(self._board.picked or ())
        if len(cells) != CLAIMED:
            raise NotNow("A claim is three cells.", "Pick them, or a line by its number.")
        if now.table.is_sending:
            raise NotNow("Your claim is on its way.")
        return seat, actions.claim(cells) if self.placed is None else actions.move((self.placed,), claim=cells)

    def _check_begun(self, now: Situation) -> None:
        if not self.is_begun:
            check_claim(now)
            raise NotNow("That belongs to a claim.", "c begins one.")


def _seat_of(now: Situation, side: Side | None) -> int:
    if side is None:
        if len(now.table.seats) > 1:
            raise NotNow("Whose line is it?", "x claims it for X, o for O.")
        return speaker(now)
    seat = now.match.setup.seat(side)
    if seat not in now.table.seats:
        raise NotNow("Your opponent speaks for himself.")
    return seat
