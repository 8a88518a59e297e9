"""The engine against OpenSpiel's C++ MCTS on ultimate: balanced openings, both sides each. Resumes from its log.

python benchmarks/openspiel_match.py --openings 50 --seconds 1 --simulations 100000 --log match.jsonl
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from ninefold.arena.games import openings
from ninefold.engine import Engine
from ninefold.games import find_game
from ninefold.games.squared import Squared

GAME = find_game("ultimate")


def play(number: int, opening: tuple[int, ...], ours: int, seconds: float, simulations: int) -> dict[str, Any]:
    """One game; ``ours`` is the side (0 for X) that the engine plays. Points are the engine's."""
    import pyspiel

    theirs = pyspiel.load_game("ultimate_tic_tac_toe")
    rollout = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(theirs, rollout, 2.0, simulations, 2000, True, number, False)
    engine = Engine(64 * 2**20)
    position, state = GAME.begin(), theirs.new_initial_state()
    moves = list(opening)
    while position.outcome is None:
        assert isinstance(position, Squared)
        free = position.board is None
        if moves:
            move = moves.pop(0)
        elif position.turn == ours:
            move = engine.think(position, seconds=seconds).lines[0].move
        else:
            move = _their_move(bot, state, position, free)
        # OpenSpiel splits a free choice into two actions: first the board, then the cell.
        for action in (move // 9, move % 9) if free else (move % 9,):
            state.apply_action(action)
        position = position.play(move)
    assert state.is_terminal()
    winner = position.outcome.winner
    assert state.returns()[0] == (0 if winner is None else 1 - 2 * winner), "both know the same rules"
    return {"number": number, "points": 0.5 if winner is None else float(winner == ours)}


def _their_move(bot: Any, state: Any, position: Any, free: bool) -> int:
    if not free:
        return int(position.board * 9 + bot.step(state))
    board = bot.step(state)
    chosen = state.clone()
    chosen.apply_action(board)
    return int(board * 9 + bot.step(chosen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, default=Path("openspiel_match.jsonl"))
    given = parser.parse_args()
    done = {}
    if given.log.exists():
        done = {row["number"]: row for row in map(json.loads, given.log.read_text().splitlines())}
    book = openings(GAME, {}, given.openings, 1)
    games = [(2 * n + side, opening, side) for n, opening in enumerate(book) for side in (0, 1)]
    with ProcessPoolExecutor(given.workers) as pool, given.log.open("a") as log:
        waiting = [pool.submit(play, *game, given.seconds, given.simulations) for game in games if game[0] not in done]
        for finished in as_completed(waiting):
            row = finished.result()
            done[row["number"]] = row
            log.write(json.dumps(row) + "\n")
            log.flush()
            points = sum(one["points"] for one in done.values())
            print(f"{len(done)}/{len(games)} games, {points:g} points ({points / len(done):.0%})", flush=True)


if __name__ == "__main__":
    main()
