"""OpenSpiel's C++ MCTS for ultimate as a program that speaks UGI, so that an arena can play against it.

ninefold arena ultimate engine:time=1 "ugi:python -m benchmarks.openspiel_ugi --simulations 100000"

It searches so many simulations for every move, however much time it is given.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from benchmarks.openspiel import mcts
from ninefold.games import find_game
from ninefold.games.squared import Squared

GAME = find_game("ultimate")


class Player:
    def __init__(self, simulations: int, seed: int) -> None:
        self._bot, self._start = mcts(simulations, 1, seed=seed, solve=True)
        self._state: Any = self._start.clone()
        self._position = GAME.begin()

    def follow(self, moves: list[str]) -> None:
        """Both sets of rules follow the game; one that knew them differently would fail here."""
        self._state, self._position = self._start.clone(), GAME.begin()
        for text in moves:
            move = GAME.move_at(self._position, GAME.parse_move(text))
            # OpenSpiel splits a free choice into two actions: first the board, then the cell.
            for action in (move // 9, move % 9) if self._board is None else (move % 9,):
                self._state.apply_action(action)
            self._position = self._position.play(move)
        assert self._state.is_terminal() == (self._position.outcome is not None)

    @property
    def _board(self) -> int | None:
        assert isinstance(self._position, Squared)
        return self._position.board

    def choose(self) -> str:
        if self._board is not None:
            return GAME.name(self._board * 9 + self._bot.step(self._state))
        board = self._bot.step(self._state)
        chosen = self._state.clone()
        chosen.apply_action(board)
        return GAME.name(board * 9 + self._bot.step(chosen))


def answer(player: Player, words: list[str]) -> str | None:
    match words:
        case ["ugi"]:
            return "id name OpenSpiel MCTS\nugiok"
        case ["isready"]:
            return "readyok"
        case ["position", "startpos", *rest]:
            player.follow(rest[1:])
        case ["go", *_]:
            return f"bestmove {player.choose()}"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    player = Player(given.simulations, given.seed)
    for line in sys.stdin:
        if line.split() == ["quit"]:
            break
        if told := answer(player, line.split()):
            print(told, flush=True)


if __name__ == "__main__":
    main()
