"""The engine against OpenSpiel's C++ MCTS on ultimate: balanced openings, both sides each. Resumes from its log.

python -m benchmarks.openspiel_match --pairs 50 --seconds 1 --simulations 100000 --log match.jsonl
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.openspiel import mcts
from ninefold.arena.games import Job, Played, schedule
from ninefold.arena.rating import points_of
from ninefold.engine import Engine
from ninefold.games import find_game
from ninefold.games.squared import Squared

GAME = find_game("ultimate")


def play(job: Job, ours: str, seconds: float, simulations: int) -> Played:
    """One game between the engine, called ``ours``, and their search; both follow it by their own rules."""
    bot, state = mcts(simulations, 1, seed=job.seed, solve=True)
    engine = Engine(64 * 2**20)
    position, moves = GAME.begin(), 0
    while position.outcome is None:
        assert isinstance(position, Squared)
        free = position.board is None
        if moves < len(job.opening):
            move = job.opening[moves]
        elif (job.x, job.o)[position.turn] == ours:
            move = engine.think(position, seconds=seconds).lines[0].move
        else:
            move = _their_move(bot, state, position)
        # OpenSpiel splits a free choice into two actions: first the board, then the cell.
        for action in (move // 9, move % 9) if free else (move % 9,):
            state.apply_action(action)
        position, moves = position.play(move), moves + 1
    winner = position.outcome.winner
    assert state.is_terminal()
    assert state.returns()[0] == (0 if winner is None else 1 - 2 * winner), "both know the same rules"
    return Played(job.number, job.x, job.o, "" if winner is None else str(winner), moves)


def _their_move(bot: Any, state: Any, position: Squared) -> int:
    if position.board is not None:
        return int(position.board * 9 + bot.step(state))
    board = bot.step(state)
    chosen = state.clone()
    chosen.apply_action(board)
    return int(board * 9 + bot.step(chosen))


def read_log(path: Path) -> dict[int, Played]:
    """The games of a log, an arena's or ours, by their numbers."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["number"]: Played(**row) for row in rows if "arena" not in row}  # an arena says first which one it is


def play_all(jobs: list[Job], done: dict[int, Played], given: argparse.Namespace) -> None:
    """Play what is not done; every finished game is in the log at once."""
    ours = jobs[0].x
    with ProcessPoolExecutor(given.workers) as pool, given.log.open("a", encoding="utf-8") as log:
        left = [job for job in jobs if job.number not in done]
        for finished in as_completed(pool.submit(play, job, ours, given.seconds, given.simulations) for job in left):
            played = finished.result()
            done[played.number] = played
            log.write(json.dumps(played._asdict()) + "\n")
            log.flush()
            points = sum(points_of(one, ours) for one in done.values())
            print(f"{len(done)}/{len(jobs)} games, {points:g} points ({points / len(done):.0%})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--workers", type=int, help="games at a time (default: one a processor)")
    parser.add_argument("--log", type=Path, default=Path("openspiel_match.jsonl"))
    given = parser.parse_args()
    players = [f"engine:time={given.seconds:g}", f"openspiel:simulations={given.simulations}"]
    jobs = schedule(GAME, {}, players, given.pairs, 1)
    done = read_log(given.log) if given.log.exists() else {}
    assert all((jobs[number].x, jobs[number].o) == (one.x, one.o) for number, one in done.items()), "of another match"
    play_all(jobs, done, given)


if __name__ == "__main__":
    main()
