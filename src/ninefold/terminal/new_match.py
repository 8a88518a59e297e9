"""How a match begins at a terminal: a new one, as people want it, or one that is there already."""

from __future__ import annotations

import os
from typing import NamedTuple

from ninefold.client.clock import now
from ninefold.core.game import Game
from ninefold.core.position import Side
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat


class Lines(NamedTuple):
    """What the line console goes on with: a match and the file it is kept in; a link to a seat, or to the one so many
    rematches later; a link to a match that is watched; or (nothing) its menu."""

    match: Match | None = None
    file: str = ""
    link: str = ""
    name: str = ""  # of who joins by it
    rematches: int = 0
    watches: bool = False


def new_match(
    game: Game,
    options: dict[str, str],
    seats: tuple[Seat, Seat],
    player_1: Side = Side.X,
    first: str | None = None,
    seed: int | None = None,
) -> Match:
    """``seats`` are those of X and O; ``first`` is X, O or toss; a seed is found if none is given."""
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
