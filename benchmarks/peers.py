"""Ours and OpenSpiel's, side by side, in one run on one core: random games, search speed, and how early we can prove.

make bench-peers
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

from ninefold import engine
from ninefold.core import Position
from ninefold.engine import Engine
from ninefold.games import find_game
from ninefold.games.squared import Squared
from ninefold.players import pick

ULTIMATE = find_game("ultimate")
ROUNDS = 5


def rate(count: int, run: Callable[[], object]) -> float:
    """How many a second of processor time: other work on the machine counts less that way."""
    begun = time.process_time()
    run()
    return count / (time.process_time() - begun)


def their_rollouts(count: int) -> float:
    """Random games inside OpenSpiel's C++: a search of a few nodes that rolls out a thousand times at each."""
    import pyspiel

    game = pyspiel.load_game("ultimate_tic_tac_toe")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1000, 1), 2.0, count // 1000, 1000, False, 1, False)
    state = game.new_initial_state()
    return rate(count, lambda: bot.step(state))


def their_simulations(count: int) -> float:
    import pyspiel

    game = pyspiel.load_game("ultimate_tic_tac_toe")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, count, 2000, True, 1, False)
    state = game.new_initial_state()
    return rate(count, lambda: bot.step(state))


def our_playouts(count: int, processor: str) -> float:
    start = ULTIMATE.begin()
    return rate(count, lambda: engine.playouts(start, count, seed=1, processor=processor))


def our_nodes() -> float:
    thought = Engine(64 * 2**20).think(ULTIMATE.begin(), nodes=30_000_000)
    return thought.speed


def proven_share(game: str, empty: int, positions: int) -> float:
    """The share of random positions with so many free cells on live boards that are proven within a second."""
    proven = 0
    for number in range(positions):
        position = _late(game, empty, number)
        proven += Engine(256 * 2**20).think(position, seconds=1).lines[0].proven
    return proven / positions


def _late(game: str, empty: int, number: int) -> Position:
    for attempt in range(100_000):
        rng = Random(f"{game}/{empty}/{number}/{attempt}")
        position = find_game(game).begin()
        while position.moves():
            assert isinstance(position, Squared)
            live = sum(position.cells[9 * b : 9 * b + 9].count(None) for b in range(9) if not position.owners[b])
            if live == empty:
                return position
            position = position.play(pick(rng, position.moves()))
    raise AssertionError("no such position was met")


def main() -> None:
    print(f"Native core: {engine.processor()}")
    theirs = median(their_rollouts(20_000) for _ in range(ROUNDS))
    print(f"random games of ultimate: OpenSpiel 2.0.2, C++      {theirs:>12,.0f} a second")
    kinds = ["scalar"] + (["avx512"] if "avx512" in engine.processor() else [])
    for kind in kinds:
        ours = median(our_playouts(500_000, kind) for _ in range(ROUNDS))
        print(
            f"random games of ultimate: Ninefold, {kind:<16} {ours:>12,.0f} a second, {ours / theirs:.0f} times as many"
        )
    simulations = median(their_simulations(30_000) for _ in range(3))
    print(f"search: OpenSpiel's MCTS                            {simulations:>12,.0f} simulations a second")
    nodes = median(our_nodes() for _ in range(3))
    print(f"search: Ninefold's alpha-beta                       {nodes:>12,.0f} nodes a second")
    for game in ("ultimate", "squared"):
        for empty in range(20, 45):
            share = proven_share(game, empty, 40)
            print(
                f"{game}: {share:.0%} of random positions with {empty} free cells are proven within a second",
                flush=True,
            )
            if share < 0.95:
                break


if __name__ == "__main__":
    main()
