"""How much memory a match takes in a server: as it is kept, and with the view that its readers are sent.

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
from ninefold.server.hosting.commands import Act, Create, HandlerContext
from ninefold.server.hosting.handlers import dispatch
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import lasting

MATCHES = 100
MOMENT = HandlerContext(0, (), b"")
TOKENS = ("the token of seat 1", "the token of seat 2", "")

S = TypeVar("S")
T = TypeVar("T")


def played(game: str, seed: int) -> HostedMatch:
    """A match of random moves, just before its end: with all that is kept of it."""
    kept, before, rng = _begun(game, seed), _begun(game, seed), Random(seed)
    while seat := kept.match.to_act:
        action = move(rng.choice(kept.match.position.moves()))
        version = kept.match.version
        write = Act(kept.id, TOKENS[seat - 1], f"move-{version}", version, action)
        before, (kept,) = kept, dispatch(kept, write, MOMENT).kept
    return before


def _begun(game: str, seed: int) -> HostedMatch:
    return dispatch(None, Create(f"match{seed}", game, seed=seed, secrets=TOKENS), MOMENT).kept[0]


def sizes(game: str, matches: int = MATCHES) -> tuple[float, float]:
    """KB of a match, as it is kept and as its view."""
    lasting(played(game, 0))  # what all matches of a game share is made once
    tracemalloc.start()
    try:
        kept, kept_size = _measured(lambda seed: played(game, seed), range(matches))
        _, view_size = _measured(lasting, kept)
    finally:
        tracemalloc.stop()
    return kept_size, view_size


def _measured(make: Callable[[S], T], given: Sequence[S]) -> tuple[list[T], float]:
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    made = [make(one) for one in given]
    gc.collect()
    return made, (tracemalloc.get_traced_memory()[0] - before) / len(made) / 1000


def main() -> None:
    print("| game | kept | view | together |\n|---|---|---|---|")
    for game in all_games():
        kept, view = sizes(game)
        print(f"| {game} | {kept:.0f} KB | {view:.0f} KB | {kept + view:.0f} KB |", flush=True)


if __name__ == "__main__":
    main()
