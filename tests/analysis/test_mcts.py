"""Monte Carlo tree search: the native one, the one in Python, and that they are the same search."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import chain
from random import Random

import pytest

from ninefold.analysis import engine
from ninefold.analysis.config import MOST_SIMULATIONS
from ninefold.analysis.playouts import Estimate, estimate, fast_estimate
from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position
from ninefold.core.random_choice import pick
from ninefold.core.solver import values
from ninefold.games import find_game
from tests.analysis.test_native import RULE_SETS  # skips all of this without the native core

CLASSIC, ULTIMATE = find_game("classic"), find_game("ultimate")
EVERY_RULE_SET = pytest.mark.parametrize(("game", "options"), RULE_SETS)
BOTH_SEARCHES = pytest.mark.parametrize("search", [estimate, fast_estimate], ids=["python", "native"])
Search = Callable[[Position, int, Random], list[Estimate]]

EMPTY = "........."
ONE_BOARD_SHORT = ["XXX......", "XXX......", "X...X....", "OOO......", "OOO......", *[EMPTY] * 4]  # of X


def before_the_end(game: str, options: dict[str, str], number: int, plies: int) -> Position:
    """A position some plies before the end of a random game."""
    position = find_game(game).begin(options)
    for move in engine.random_game(position, seed=3, game=number)[:-plies]:
        position = position.play(move)
    return position


def result_for(position: Position, move: int) -> int:
    """The result of a move that ends the game, for the side that makes it."""
    outcome = position.play(move).outcome
    assert outcome is not None
    return 0 if outcome.winner is None else 1 if outcome.winner is position.turn else -1


def loses_at_once(position: Position, move: int) -> bool:
    """True if the opponent can win with its reply."""
    after = position.play(move)
    return any(after.play(reply).outcome and result_for(after, reply) > 0 for reply in after.moves())


def most_visited(found: list[engine.VisitedMove]) -> engine.VisitedMove:
    return max(found, key=lambda one: one.visits)


# What is found.


@BOTH_SEARCHES
@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_a_win_in_one_is_found(game: str, search: Search) -> None:
    position = find_game(game).parse(f"{'/'.join(ONE_BOARD_SHORT)} X 9")
    assert search(position, 400, Random(1))[0].move == 2 * 9 + 8


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_a_loss_in_one_is_avoided(game: str) -> None:
    position = find_game(game).parse(f"{'/'.join(ONE_BOARD_SHORT)} O 6")
    losing = {move for move in position.moves() if loses_at_once(position, move)}
    assert 0 < len(losing) < len(position.moves())
    assert all(most_visited(engine.mcts(position, 20_000, seed=seed)).move not in losing for seed in range(5))


def test_the_search_in_python_avoids_a_loss_in_one() -> None:
    assert estimate(CLASSIC.parse("X.X/O../... O"), 300, Random(1))[0].move == 1


@EVERY_RULE_SET
def test_values_of_late_positions_converge_to_the_proven_ones(game: str, options: dict[str, str]) -> None:
    for number in range(4):
        position = before_the_end(game, options, number, 6)
        exact = {line.move: line.expectation for line in engine.Engine(2**20).search(position, lines=81).lines}
        best = most_visited(engine.mcts(position, 100_000, seed=1))
        assert exact[best.move] == max(exact.values()), position
        assert best.total / best.visits == pytest.approx(exact[best.move], abs=0.1), position


@pytest.mark.parametrize("text", ["XO./.X./... O", "X../.O./..X O", "O.X/.../X.O X", "X../.../... O", "XO./.../... X"])
def test_values_of_classic_converge_to_those_of_the_solver(text: str) -> None:
    position = CLASSIC.parse(text)
    exact = {move: value.sign for move, value in values(CLASSIC, position).items()}
    best = estimate(position, 3000, Random(1))[0]
    assert exact[best.move] == max(exact.values())
    assert 2 * best.points - 1 == pytest.approx(exact[best.move], abs=0.25)


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_the_search_in_python_visits_moves_as_often_as_the_native_one(game: str) -> None:
    position = before_the_end(game, {}, 5, 9)
    visits: dict[Search, Counter[int]] = {estimate: Counter(), fast_estimate: Counter()}
    for search, counter in visits.items():
        for seed in range(20):
            counter.update({one.move: one.visits for one in search(position, 400, Random(seed))})
    for move in position.moves():
        assert visits[estimate][move] == pytest.approx(visits[fast_estimate][move], abs=300), move


# How it counts.


@EVERY_RULE_SET
@pytest.mark.parametrize("simulations", [1, 2, 80, 81, 82, 10_000])
def test_the_visits_of_the_moves_sum_up_to_the_simulations(
    game: str, options: dict[str, str], simulations: int
) -> None:
    found = engine.mcts(find_game(game).begin(options), simulations, seed=4)
    assert sum(one.visits for one in found) == simulations
    assert len(found) == min(simulations, 81)  # moves that were not visited come first
    assert all(abs(one.total) <= one.visits for one in found)
    assert [one.move for one in found] == sorted({one.move for one in found})


def test_the_same_seed_gives_the_same_visits_and_another_one_others() -> None:
    start = ULTIMATE.begin()
    assert engine.mcts(start, 5000, seed=1) == engine.mcts(start, 5000, seed=1) != engine.mcts(start, 5000, seed=2)


def test_a_search_is_the_same_on_every_machine() -> None:
    """If the search changes on purpose, so do these figures."""
    found = engine.mcts(ULTIMATE.begin(), 20_000, seed=1)
    assert most_visited(found) == (40, 483, 76)


@EVERY_RULE_SET
def test_a_search_until_its_move_is_decided_finds_the_same_move_sooner(game: str, options: dict[str, str]) -> None:
    whole, shorter = 0, 0
    for number in range(6):
        position = before_the_end(game, options, number, 12 * number + 6)
        all_of_it = engine.mcts(position, 200_000, seed=number)
        decided = engine.mcts(position, 200_000, seed=number, until_decided=True)
        assert most_visited(decided).move == most_visited(all_of_it).move
        whole += sum(one.visits for one in all_of_it)
        shorter += sum(one.visits for one in decided)
    assert shorter < whole


@EVERY_RULE_SET
def test_moves_that_end_the_game_have_their_exact_result(game: str, options: dict[str, str]) -> None:
    ends = 0
    for number in range(40):
        position = before_the_end(game, options, number, 1)
        for move, visits, total in engine.mcts(position, 1000, seed=1):
            if position.play(move).outcome:
                ends += 1
                assert total == visits * result_for(position, move)
    assert ends >= 40


def test_without_exploration_a_winning_move_gets_all_visits_once_every_move_was_tried() -> None:
    position = ULTIMATE.parse(f"{'/'.join(ONE_BOARD_SHORT)} X 9")
    rest = len(position.moves()) - 1
    found = {one.move: one for one in engine.mcts(position, 1000, seed=6, exploration=0.0)}
    assert found[2 * 9 + 8].total == found[2 * 9 + 8].visits
    assert found[2 * 9 + 8].visits >= 1000 - 20 * rest


# Its random games.


def python_playout(position: Position, rng: Random) -> tuple[int, int]:
    """The first move of a random game by the Python rules, and its result for X."""
    first = pick(rng, position.moves())
    position = position.play(first)
    while position.outcome is None:
        position = position.play(pick(rng, position.moves()))
    winner = position.outcome.winner
    return first, 0 if winner is None else 1 - 2 * winner


def chi_square(one: Counter[Hashable], two: Counter[Hashable]) -> float:
    """How far two samples of the same size are from one distribution."""
    return sum((one[key] - two[key]) ** 2 / (one[key] + two[key]) for key in one | two)


def test_a_simulation_plays_a_random_game_as_the_python_rules_would() -> None:
    """One simulation is one random game: its first move and its result are compared over many games."""
    position, games = before_the_end("ultimate", {}, 5, 20), 1500
    sign = 1 - 2 * position.turn
    native = [engine.mcts(position, 1, seed=seed)[0] for seed in range(games)]
    rng = Random(7)
    python = [python_playout(position, rng) for _ in range(games)]
    moves = chi_square(Counter(one.move for one in native), Counter(move for move, _ in python))
    results = chi_square(Counter(sign * one.total for one in native), Counter(result for _, result in python))
    assert len(position.moves()) == 31
    assert moves < 59.7  # 30 degrees of freedom, p = 0.001
    assert results < 13.8  # 2 degrees of freedom, p = 0.001


@EVERY_RULE_SET
def test_a_simulation_plays_the_random_game_of_its_number(game: str, options: dict[str, str]) -> None:
    for number in range(60):
        position = before_the_end(game, options, number, 1 + number)
        ((first, visits, total),) = engine.mcts(position, 1, seed=number)
        moves = engine.random_game(position, seed=number, game=0)
        end = position
        for move in moves:
            end = end.play(move)
        assert end.outcome is not None
        won = end.outcome.winner
        assert (first, visits, total) == (moves[0], 1, 0 if won is None else 1 if won is position.turn else -1)


# Stopping, and what is refused.


@BOTH_SEARCHES
def test_a_search_stops_when_it_should_not_continue(search: Callable[..., list[Estimate]]) -> None:
    answers = chain([True, True], iter(lambda: False, True))
    found = search(ULTIMATE.begin(), 200_000, Random(1), lambda: next(answers))
    assert 0 < sum(one.visits for one in found) < 200_000


def test_an_error_while_a_search_is_asked_to_continue_ends_it() -> None:
    def fail() -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        engine.mcts(ULTIMATE.begin(), 200_000, seed=1, should_continue=fail)


def test_a_signal_interrupts_a_search() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)  # of the search's own time
        with pytest.raises(KeyboardInterrupt):
            engine.mcts(ULTIMATE.begin(), 20_000_000, seed=1)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("simulations", [0, MOST_SIMULATIONS + 1])
def test_simulations_out_of_range_are_refused(simulations: int) -> None:
    with pytest.raises(ValueError, match=f"Simulations are 1 to {MOST_SIMULATIONS:,}"):
        engine.mcts(ULTIMATE.begin(), simulations, seed=1)


@pytest.mark.parametrize("exploration", [-0.1, 101.0, float("nan"), float("inf")])
def test_exploration_out_of_range_is_refused(exploration: float) -> None:
    with pytest.raises(ValueError, match="Exploration is 0 to 100"):
        engine.mcts(ULTIMATE.begin(), 10, seed=1, exploration=exploration)


@pytest.mark.parametrize("value", [2**70, -1, "9", None, 1.5])
def test_arguments_of_the_wrong_kind_raise_and_nothing_crashes(value: object) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        engine.mcts(ULTIMATE.begin(), value, seed=1)  # type: ignore[arg-type]
    with pytest.raises((TypeError, ValueError, OverflowError)):
        engine.mcts(ULTIMATE.begin(), 1, seed=value)  # type: ignore[arg-type]


def test_an_ended_game_and_a_game_without_native_rules_are_refused() -> None:
    ended = ULTIMATE.parse("/".join(["XXX......"] * 3 + ["OO......."] * 3 + [EMPTY] * 3) + " O *")
    with pytest.raises(ValueError, match="The game has ended"):
        engine.mcts(ended, 10, seed=1)
    with pytest.raises(NotAllowed, match="squared and ultimate only"):
        engine.mcts(CLASSIC.begin(), 10, seed=1)


def test_more_simulations_than_memory_are_refused_with_a_sentence() -> None:
    program = (
        "import resource\n"
        "from ninefold.analysis import engine\n"
        "from ninefold.games import find_game\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "start = find_game('ultimate').begin()\n"
        "assert engine.mcts(start, 1000, seed=1)\n"
        "try:\n"
        "    engine.mcts(start, 100_000_000, seed=1)\n"
        "except Exception as refused:\n"
        "    print(refused)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "The machine does not have the 6675 MiB of memory that 100,000,000 simulations may take. "
        "Ask for fewer simulations.\n"
    )
