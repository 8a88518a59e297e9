"""Opening a match at a terminal: a request for a new one, or how one is continued at the line console."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core.position import Side
from ninefold.match.match import Match
from ninefold.server.hosting.commands import First, MatchRequest, SeatRequest


class Continuation(NamedTuple):
    """What the line console continues: a match and its file; a link to a seat, or to the one so many rematches later; a
    link to a match that is watched; or, without any of them, its menu."""

    match: Match | None = None
    file: str = ""
    link: str = ""
    name: str = ""  # of the player who joins by the link
    rematches: int = 0
    watches: bool = False


def new_seed() -> int:
    return int.from_bytes(os.urandom(4))


def local_request(
    game: str,
    x: SeatRequest,
    o: SeatRequest,
    *,
    player_1: Side = Side.X,
    first: First | None = None,
    options: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> MatchRequest:
    """A match at one screen of the players of X and O; player 1 has seat 1. A seed is drawn if none is given."""
    return MatchRequest(
        game,
        dict(options or {}),
        (x, o) if player_1 is Side.X else (o, x),
        sides="XO" if player_1 is Side.X else "OX",
        first=first,
        seed=new_seed() if seed is None else seed,
    )
