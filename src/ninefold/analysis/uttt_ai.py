"""The position strings of uttt.ai: 81 cells, 9 boards, the side to move, the board to play in (9 for any), the result.

Cells and boards are 0 free, 1 X, 2 O, and a drawn board is 3; the sides are 1 and 2; the result is 0 until the end.
"""

from __future__ import annotations

from ninefold.core.errors import Unreadable
from ninefold.core.grid import FULL, HAS_LINE
from ninefold.core.position import O, X
from ninefold.games.squared import ULTIMATE, Squared

__all__ = ["read_uttt", "write_uttt"]

LENGTH = 93
ANY = "9"


def write_uttt(position: Squared) -> str:
    """An ultimate position as 93 digits.

    >>> from ninefold import find_game
    >>> write_uttt(find_game("ultimate").begin().play(40))[-3:]
    '240'
    """
    cells = "".join("0" if mark is None else str(mark + 1) for mark in position.cells)
    boards = "".join({"": "0", "X": "1", "O": "2"}.get(owner, "3") for owner in position.owners)
    outcome = position.outcome
    result = "0" if outcome is None else "3" if outcome.winner is None else str(outcome.winner + 1)
    board = ANY if position.board is None else str(position.board)
    return f"{cells}{boards}{position.turn + 1}{board}{result}"


def read_uttt(text: str) -> Squared:
    """The ultimate position of 93 digits; digits that contradict each other are refused.

    >>> from ninefold import find_game
    >>> position = find_game("ultimate").begin().play(40)
    >>> read_uttt(write_uttt(position)) == position
    True
    """
    if len(text) != LENGTH or not (text.isascii() and text.isdigit()):
        raise Unreadable("not_a_position.uttt_length", length=LENGTH)
    x, o = (tuple(_mask(text[board * 9 : board * 9 + 9], side) for board in range(9)) for side in "12")
    won_x, won_o = (sum(1 << board for board in range(9) if HAS_LINE[marks[board]]) for marks in (x, o))
    drawn = sum(1 << board for board in range(9) if x[board] | o[board] == FULL) & ~(won_x | won_o)
    board = None if text[91] == ANY else int(text[91])
    turn = O if text[90] == "2" else X
    rules = ULTIMATE.begin().rules  # type: ignore[attr-defined]
    position = Squared(x, o, won_x, won_o, drawn, board, turn, rules)
    if write_uttt(position) != text or (board is not None and position.dead >> board & 1):
        raise Unreadable("not_a_position.uttt_contradiction")
    return position


def _mask(cells: str, side: str) -> int:
    return sum(1 << cell for cell, digit in enumerate(cells) if digit == side)
