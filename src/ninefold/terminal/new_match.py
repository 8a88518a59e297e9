"""Opening a match at a terminal: a request for a new one, or how one is continued at the line console."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.position import Side
from ninefold.match.match import Match
from ninefold.server.hosting.commands import OPEN, First, MatchRequest, SeatRequest

if TYPE_CHECKING:
    from ninefold.client.links import Link
    from ninefold.match.clock import ClockState, TimeControl


class Continuation(NamedTuple):
    """What the line console continues: a match and its file; a link to a seat, or to the one so many rematches later; a
    link to a match that is watched; or, without any of them, its menu."""

    match: Match | None = None
    file: str = ""
    link: str = ""
    name: str = ""  # of the player who joins by the link
    rematches: int = 0
    watches: bool = False
    control: TimeControl | None = None  # of the match
    clock: ClockState | None = None


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


def invite(address: str, request: MatchRequest) -> tuple[Link, Link]:
    """Begin a private match on a server: the links to both seats, that of player 1 first. Both seats are open, and ours
    is taken with its link too: so it is found again later."""
    from ninefold.client import Server

    server = Server(address)
    try:
        created = server.create(
            request.game,
            (OPEN, OPEN),
            options=request.options,
            private=True,
            clock=request.clock,
            sides=request.sides,
            first=request.first,
            seed=request.seed,
        )
    finally:
        server.close()
    return created.invitations[1], created.invitations[2]
