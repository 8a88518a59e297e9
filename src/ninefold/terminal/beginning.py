"""A new match as people at a terminal want it: who starts may be tossed for, and a seed is found if none is given."""

from __future__ import annotations

import os

from ninefold.core import Side
from ninefold.game import Game
from ninefold.match import Match, begin
from ninefold.state import Seat
from ninefold.terminal.clocks import now


def new_match(
    game: Game,
    options: dict[str, str],
    seats: tuple[Seat, Seat],
    player_1: Side = Side.X,
    first: str | None = None,
    seed: int | None = None,
) -> Match:
    """``seats`` are those of X and O; ``first`` is X, O or toss."""
    if seed is None:
        seed = int.from_bytes(os.urandom(4))
    toss = first == "toss"
    if toss:
        from random import Random

        first = Random(seed).choice("XO")
    if first:
        options = options | {"first": first}
    return begin(
        game,
        options,
        seats if player_1 is Side.X else (seats[1], seats[0]),
        at=now(),
        seed=seed,
        toss=toss,
    )
