"""How much memory a hosted match takes in a server, and the view that its readers are sent.

python -m benchmarks.memory
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from ninefold.games import all_games
from ninefold.match.actions import move
from ninefold.server.hosting.commands import Act, Create, HandlerContext, MatchRequest, SeatRequest
from ninefold.server.hosting.handlers import dispatch
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import stored_view

MATCHES = 100
CONTEXT = HandlerContext(now=0)
TOKENS = ("the token of seat 1", "the token of seat 2", "")

S = TypeVar("S")
T = TypeVar("T")


def played(game: str, seed: int) -> HostedMatch:
    """A match of random moves, just before its end."""
    hosted, before, rng = _begun(game, seed), _begun(game, seed), Random(seed)
    while seat := hosted.match.to_act:
        action = move(rng.choice(hosted.match.position.moves()))
        version = hosted.match.version
        act = Act(hosted.id, TOKENS[seat - 1], f"move-{version}", version, action)
        before, (hosted,) = hosted, dispatch(hosted, act, CONTEXT).matches
    return before


def _begun(game: str, seed: int) -> HostedMatch:
    create = Create(f"match{seed}", MatchRequest(game, seats=(SeatRequest(), SeatRequest()), seed=seed), TOKENS)
    return dispatch(None, create, CONTEXT).matches[0]


def sizes(game: str, matches: int = MATCHES) -> tuple[float, float]:
    """KB of a hosted match, and of its view."""
    stored_view(played(game, 0))  # what all matches of a game share is made once
    tracemalloc.start()
    try:
        made, match_size = _measured(lambda seed: played(game, seed), range(matches))
        _, view_size = _measured(stored_view, made)
    finally:
        tracemalloc.stop()
    return match_size, view_size


def _measured(make: Callable[[S], T], given: Sequence[S]) -> tuple[list[T], float]:
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    made = [make(one) for one in given]
    gc.collect()
    return made, (tracemalloc.get_traced_memory()[0] - before) / len(made) / 1000


def main() -> None:
    print("| game | match | view | together |\n|---|---|---|---|")
    for game in all_games():
        match, view = sizes(game)
        print(f"| {game} | {match:.0f} KB | {view:.0f} KB | {match + view:.0f} KB |", flush=True)


if __name__ == "__main__":
    main()
