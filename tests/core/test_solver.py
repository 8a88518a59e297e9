"""The solver, against a plain minimax, and on a made-up game that goes round in circles."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import NamedTuple

import pytest

from ninefold.analysis.evaluation import analyze
from ninefold.core.errors import IllegalMove, NotAllowed
from ninefold.core.game import Game
from ninefold.core.grid import Naming
from ninefold.core.messages import Message
from ninefold.core.position import O, Outcome, Path, Position, Side, X
from ninefold.core.solver import Solution, Value, best, is_dead_draw, solve_table, values
from ninefold.core.state_table import IN_PROGRESS, NONE, TooBig, compile_from, table_of
from ninefold.games import all_games, find_game

CLASSIC = find_game("classic")
SQUARED = find_game("squared")
SMALL_GAMES = pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if game.small])
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@cache
def solution(game: Game) -> Solution:
    return solve_table(table_of(game, game.begin()))


def best_in_classic(text: str) -> list[str]:
    return [CLASSIC.name(move) for move in best(values(CLASSIC, CLASSIC.parse(text)))]


@cache
def minimax(position: Position) -> tuple[int, int]:
    """For the side to move: 1, 0 or -1, and the plies until it has come to that."""
    if position.outcome:
        winner = position.outcome.winner
        return (0, 0) if winner is None else (1 if winner is position.turn else -1, 0)
    replies = [minimax(position.play(move)) for move in position.moves()]
    wins = [plies for sign, plies in replies if sign == -1]
    draws = [plies for sign, plies in replies if sign == 0]
    if wins:
        return 1, min(wins) + 1
    return (0, 0) if draws else (-1, max(plies for _, plies in replies) + 1)


# Exact values.


@SMALL_GAMES
def test_value_and_distance_of_every_position_are_those_of_plain_minimax(game_id: str) -> None:
    solved = solution(find_game(game_id))
    for state, position in enumerate(solved.table.states):
        sign, plies = minimax(position)
        assert solved.of(state) == Value(sign, plies if sign else None), str(position)


@SMALL_GAMES
def test_best_moves_win_as_fast_and_lose_as_slowly_as_minimax_can(game_id: str) -> None:
    solved = solution(find_game(game_id))
    for state, position in enumerate(solved.table.states):
        sign, plies = minimax(position)
        good = [
            move
            for move in position.moves()
            if minimax(position.play(move))[0] == -sign and (sign == 0 or minimax(position.play(move))[1] == plies - 1)
        ]
        assert best(solved.moves(state)) == good, str(position)


def test_with_best_play_tic_tac_toe_is_a_draw_wherever_x_starts() -> None:
    assert solution(CLASSIC).of(0) == Value(0, None)
    assert best_in_classic(".../.../... X") == list("123456789")


def test_a_win_at_once_is_preferred_to_a_win_later() -> None:
    # Cell 5 would win as well, by three threats at once, two plies later.
    found = values(CLASSIC, CLASSIC.parse("XX./O../O.. X"))
    assert (found[2], found[4]) == (Value(1, 1), Value(1, 3))
    assert best_in_classic("XX./O../O.. X") == ["3"]


def test_a_loss_is_put_off_as_long_as_it_can_be() -> None:
    # X threatens to finish the left column; cell 7 stops that, and loses only to the double threat of cell 5.
    assert values(CLASSIC, CLASSIC.parse("XO./X../... O"))[6] == Value(-1, 4)
    assert best_in_classic("XO./X../... O") == ["7"]


def test_moves_are_ranked_from_the_fastest_win_to_the_fastest_loss() -> None:
    ordered = [Value(1, 1), Value(1, 3), Value(0, None), Value(-1, 4), Value(-1, 2)]
    assert sorted(ordered, key=lambda value: value.rank, reverse=True) == ordered
    analyzed = [line.value for line in analyze(CLASSIC, CLASSIC.parse("XO./X../... O")).lines]
    assert analyzed[0] == Value(-1, 4)
    assert analyzed[1:] == [Value(-1, 2)] * 5


def test_values_are_said_in_words() -> None:
    assert [str(value) for value in (Value(1, 3), Value(0, None), Value(-1, 2))] == ["win in 3", "draw", "loss in 2"]


def test_swap_nine_has_no_draw_anywhere() -> None:
    assert 0 not in solution(find_game("swap-nine")).value


# Dead draws, counted on the marks alone.


@cache
def somebody_can_win(marks: str, mover: str) -> bool:
    if any(marks[a] == marks[b] == marks[c] != "." for a, b, c in LINES):
        return True
    other = "O" if mover == "X" else "X"
    free = [cell for cell in range(9) if marks[cell] == "."]
    return any(somebody_can_win(f"{marks[:cell]}{mover}{marks[cell + 1 :]}", other) for cell in free)


def undecided() -> list[Position]:
    return [position for position in solution(CLASSIC).table.states if position.outcome is None]


def marks(position: Position) -> str:
    return str(position).split()[0].replace("/", "")


def test_of_4520_undecided_positions_120_are_dead_draws_and_40_have_all_lines_blocked() -> None:
    dead = [position for position in undecided() if not somebody_can_win(marks(position), position.turn.name)]
    blocked = [
        position
        for position in undecided()
        if all({"X", "O"} <= {marks(position)[cell] for cell in line} for line in LINES)
    ]
    assert (len(undecided()), len(dead), len(blocked)) == (4520, 120, 40)
    assert set(blocked) < set(dead)


def test_the_early_draw_is_exact() -> None:
    for position in undecided():
        dead = not somebody_can_win(marks(position), position.turn.name)
        assert is_dead_draw(CLASSIC, position) == dead, str(position)


# The table under the solver.


@SMALL_GAMES
def test_the_table_says_what_the_rules_say(game_id: str) -> None:
    game = find_game(game_id)
    table = table_of(game, game.begin())
    assert table.states[0] == game.begin()
    assert len(set(table.states)) == len(table.states)
    for state, position in enumerate(table.states):
        assert table.state(position) == state
        row = table.successor[state * table.width : (state + 1) * table.width]
        assert [move for move, after in enumerate(row) if after != NONE] == list(position.moves())
        assert all(table.states[after] == position.play(move) for move, after in table.moves(state))
        assert table.side[state] == position.turn
        assert table.result[state] == expected_result(position.outcome)


def expected_result(outcome: Outcome | None) -> int:
    return IN_PROGRESS if outcome is None else {X: 1, O: -1, None: 0}[outcome.winner]


@pytest.mark.parametrize("text", ["XX./.../... X", "XXX/OOO/... X", "O../.../... X", "X../.../... O first=O"])
def test_a_position_that_cannot_arise_in_play_is_refused(text: str) -> None:
    position = CLASSIC.parse(text)
    with pytest.raises(NotAllowed) as refused:
        values(CLASSIC, position)
    assert refused.value.reason == "unreachable"
    assert refused.value.sentence


def test_analysis_refuses_a_position_that_cannot_arise_in_play() -> None:
    nine = "/".join(["X........"] + ["........."] * 8)
    for game, text in ((CLASSIC, "XX./.../... X"), (SQUARED, f"{nine} X 7")):
        with pytest.raises(NotAllowed) as refused:
            analyze(game, game.parse(text))
        assert refused.value.reason == "unreachable"


@pytest.mark.parametrize("game_id", ["squared", "ultimate"])
def test_a_big_game_is_refused(game_id: str) -> None:
    game = find_game(game_id)
    with pytest.raises(TooBig) as refused:
        values(game, game.begin())
    assert refused.value.reason == "too_big"
    assert game.title in refused.value.sentence


def test_a_table_has_a_limit_and_says_so() -> None:
    with pytest.raises(TooBig) as refused:
        compile_from(SQUARED.begin(), 81, limit=1000)
    assert "1,000" in refused.value.sentence
    assert len(compile_from(CLASSIC.begin(), 9, limit=5478).states) == 5478
    with pytest.raises(TooBig):
        compile_from(CLASSIC.begin(), 9, limit=5477)


# A game with circles in it. Where both go round for ever, nobody wins.

GRAPH: dict[str, tuple[Side, tuple[str, ...]]] = {
    "fork": (X, ("trap", "merry")),  # X can go for the win, or round for ever
    "trap": (O, ("door",)),
    "door": (X, ("ring", "X wins")),
    "ring": (O, ("back", "X wins", "X wins")),  # two moves lose, to the same place; O rather goes round
    "back": (X, ("ring", "O wins")),  # and so does X
    "merry": (O, ("round",)),
    "round": (X, ("merry",)),
    "X wins": (O, ()),
    "O wins": (O, ()),
}


class Circle(NamedTuple):
    place: str

    @property
    def turn(self) -> Side:
        return GRAPH[self.place][0]

    @property
    def outcome(self) -> Outcome | None:
        return None if self.moves() else Outcome(Side[self.place[0]], "arrived", Message("arrived"))

    @property
    def options(self) -> dict[str, str]:
        return {}

    @property
    def cells(self) -> tuple[Side | None, ...]:
        return ()

    def moves(self) -> tuple[int, ...]:
        return tuple(range(len(GRAPH[self.place][1])))

    def play(self, move: int) -> Circle:
        return Circle(GRAPH[self.place][1][move])

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        return IllegalMove.from_text("no_way", f"There is no way {naming.format(path)}.", "")


@pytest.mark.parametrize(
    ("place", "value", "moves"),
    [
        ("door", Value(1, 1), [1]),
        ("trap", Value(-1, 2), [0]),
        ("fork", Value(1, 3), [0]),
        ("ring", Value(0, None), [0]),
        ("back", Value(0, None), [0]),
        ("merry", Value(0, None), [0]),
        ("X wins", Value(-1, 0), []),
    ],
)
def test_going_round_for_ever_is_a_draw_and_a_win_is_still_a_win(place: str, value: Value, moves: list[int]) -> None:
    solved = solve_table(compile_from(Circle("fork"), 3))
    state = solved.table.state(Circle(place))
    assert solved.of(state) == value
    assert best(solved.moves(state)) == moves


def test_only_where_no_end_can_be_reached_a_circle_is_dead() -> None:
    solved = solve_table(compile_from(Circle("fork"), 3))
    dead = {place for place in GRAPH if not solved.alive[solved.table.state(Circle(place))]}
    assert dead == {"merry", "round"}


def test_the_solver_asks_for_no_numpy() -> None:
    program = """
import sys
class Watch:
    def find_spec(self, name, *rest):
        assert name.split('.')[0] != 'numpy', 'numpy was asked for'
sys.meta_path.insert(0, Watch())
from ninefold.games import all_games, find_game
from ninefold.players.player import make_player
from ninefold.match.match import begin
game = find_game('classic')
make_player(game, 'perfect', 0)(begin(game))
assert 'numpy' not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
