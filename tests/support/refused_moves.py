"""Moves of the agents' game, in which O has played [0,0], that every surface refuses, and refuses alike."""

from __future__ import annotations

from typing import NamedTuple

import pytest

OPENING = "[0,0]"


class RefusedMove(NamedTuple):
    """A text, the reason why it is refused, and whether it could be read."""

    text: str
    reason: str

    @property
    def is_readable(self) -> bool:
        return self.reason != "not_a_move"


REFUSED_MOVES = (
    *(RefusedMove(text, "outside") for text in ("[3,0]", "[0,3]", "[-1,0]", "[9,9]", "[100,2]", "3,0", "-1,0")),
    RefusedMove(OPENING, "taken"),
    *(RefusedMove(text, "not_a_move") for text in ("x", "10", "[1,1", "[1,1,1]", "[a,b]", "[1.0,1]", "[1,1][1,2]")),
)
EVERY_REFUSED_MOVE = pytest.mark.parametrize("refused", REFUSED_MOVES, ids=[one.text for one in REFUSED_MOVES])
