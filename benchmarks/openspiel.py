"""What OpenSpiel does in the same terms as ours: ultimate in C++, called once for many games or move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from random import Random
from typing import Any


def play_random_games(count: int) -> int:
    """A search of few nodes that plays a thousand random games at each: so the games stay inside C++."""
    return _search(count // 1000, 1000, solve=False) * 1000


def simulate(count: int) -> int:
    """As its own players search: one random game at each node, and ends of the game backed up as proven."""
    return _search(count, 1, solve=True)


def python_loop(games: int) -> Callable[[], int]:
    """Random games in a loop in Python as its documentation has it, with what our steps give as well: the legal moves,
    the end and the rewards."""

    def step(state: Any, rng: Random) -> Any:
        state.apply_action(rng.choice(state.legal_actions()))
        state.returns()
        return state

    return _random_games("ultimate_tic_tac_toe", games, step)


def position_loop(name: str, games: int) -> Callable[[], int]:
    """The same without the rewards."""

    def step(state: Any, rng: Random) -> Any:
        state.apply_action(rng.choice(state.legal_actions()))
        return state

    return _random_games(name, games, step)


def kept_position_loop(name: str, games: int) -> Callable[[], int]:
    """The same for who keeps positions, as ours are kept: the state before an action is not changed."""
    return _random_games(name, games, lambda state, rng: state.child(rng.choice(state.legal_actions())))


def _random_games(name: str, games: int, step: Callable[[Any, Random], Any]) -> Callable[[], int]:
    """Plays random games, and returns their moves, which are counted as ours are: a board that is freely chosen is an
    action of its own there."""
    import pyspiel

    game = pyspiel.load_game(name)

    def played() -> Iterator[Any]:
        rng = Random(1)
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state = step(state, rng)
            yield state

    turns = ([action.player for action in state.full_history()] for state in played())
    moves = sum(len(list(groupby(players))) for players in turns)

    def run() -> int:
        for _ in played():
            pass
        return moves

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
