"""What OpenSpiel does in the same terms as ours: ultimate in C++, called once for many games or move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ninefold.envs.interop import to_openspiel
from ninefold.games import find_game


def play_random_games(count: int) -> int:
    """A search of few nodes that plays a thousand random games at each: so the games stay inside C++."""
    return _search(count // 1000, 1000, solve=False) * 1000


def simulate(count: int) -> int:
    """As its own players search: one random game at each node, and ends of the game backed up as proven."""
    return _search(count, 1, solve=True)


def replay(games: Sequence[Sequence[int]]) -> Callable[[], int]:
    """A loop in Python through our moves of whole games, asking for the legal ones and the end at each."""
    import pyspiel

    ultimate = pyspiel.load_game("ultimate_tic_tac_toe")
    translated = [to_openspiel(find_game("ultimate"), moves) for moves in games]

    def run() -> int:
        for actions in translated:
            state = ultimate.new_initial_state()
            for action in actions:
                state.legal_actions()
                state.apply_action(action)
            assert state.is_terminal()
        return sum(map(len, games))

    return run


def _search(simulations: int, games_each: int, *, solve: bool) -> int:
    bot, state = mcts(simulations, games_each, seed=1, solve=solve)
    bot.step(state)
    return simulations


def mcts(simulations: int, games_each: int, *, seed: int, solve: bool) -> tuple[Any, Any]:
    """OpenSpiel's C++ MCTS for ultimate, and the start of a game."""
    import pyspiel

    game = pyspiel.load_game("ultimate_tic_tac_toe")
    rollouts = pyspiel.RandomRolloutEvaluator(games_each, seed)
    exploration, megabytes, talkative = 2.0, 2000, False
    bot = pyspiel.MCTSBot(game, rollouts, exploration, simulations, megabytes, solve, seed, talkative)
    return bot, game.new_initial_state()
