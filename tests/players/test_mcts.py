"""The player by Monte Carlo tree search, by its name."""

from __future__ import annotations

import pytest

from ninefold.analysis import engine
from ninefold.arena.schedule import play_game, schedule
from ninefold.cli.main import main
from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.players.player import make_player
from tests.players.test_player import BIG_GAMES, SMALL_GAMES, ULTIMATE, match_at, share_of_points

WITH_AND_WITHOUT_THE_CORE = pytest.mark.parametrize("core", [True, False], ids=["with", "without"])
X_TO_WIN = "XXX....../XXX....../X...X..../OOO....../OOO......" + "/........." * 4 + " X 9"


@pytest.fixture
def _core(core: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not core:
        monkeypatch.setattr(engine, "plays", lambda _: False)


@pytest.mark.usefixtures("_core")
@WITH_AND_WITHOUT_THE_CORE
@BIG_GAMES
def test_it_takes_a_win(game: Game) -> None:
    assert make_player(game, "mcts:500", 1)(match_at(game, game.parse(X_TO_WIN))).move == 2 * 9 + 8


@pytest.mark.usefixtures("_core")
@WITH_AND_WITHOUT_THE_CORE
@BIG_GAMES
def test_the_same_seed_gives_the_same_move_and_others_vary(game: Game) -> None:
    moves = [make_player(game, "mcts:100", seed)(begin(game)).move for seed in (1, 2, 3)]
    assert moves == [make_player(game, "mcts:100", seed)(begin(game)).move for seed in (1, 2, 3)]
    assert len(set(moves)) > 1
    assert set(moves) <= set(begin(game).position.moves())


@BIG_GAMES
def test_it_beats_random(game: Game) -> None:
    assert share_of_points(game, "mcts:2000", "random", range(4)) == 1


def test_more_simulations_are_stronger() -> None:
    assert share_of_points(ULTIMATE, "mcts:2000", "mcts:81", range(4)) >= 0.75


def test_a_forced_move_is_played_without_a_search() -> None:
    def is_searching() -> bool:
        raise AssertionError

    position: Position = ULTIMATE.parse("XOXXOXO.O" + "/........." * 8 + " X 7")
    assert make_player(ULTIMATE, "mcts:100000", 1, is_searching)(match_at(ULTIMATE, position)).move == 7


@pytest.mark.usefixtures("_core")
@WITH_AND_WITHOUT_THE_CORE
def test_it_stops_when_it_should_not_continue() -> None:
    asked = []

    def should_continue() -> bool:
        asked.append(1)
        return len(asked) < 2

    make_player(ULTIMATE, "mcts:10000000", 1, should_continue)(begin(ULTIMATE))
    assert len(asked) == 2


@pytest.mark.parametrize(
    "name",
    ["mcts", "mcts:", "mcts:0", "mcts:-1", "mcts:1.5", "mcts:٣", "mcts:100000001", "mcts:" + 5000 * "9"],
)
def test_a_wrong_number_of_simulations_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        make_player(ULTIMATE, name, 0)
    assert refused.value.reason == "no_such_player"
    assert "from 1 to 100,000,000" in str(refused.value)
    assert refused.value.instead == "Write mcts:100000."


@SMALL_GAMES
def test_small_games_have_perfect_players_instead(game: Game) -> None:
    with pytest.raises(Unreadable, match="perfect"):
        make_player(game, "mcts:100", 0)


def test_tournaments_of_it_repeat_themselves() -> None:
    games = schedule(find_game("squared"), {}, ["mcts:300", "mcts:30"], 1, 3)
    assert [play_game(game) for game in games] == [play_game(game) for game in games]


def test_it_takes_a_seat_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "ultimate", "--x", "mcts:200", "--o", "random", "--pause", "0", "--seed", "1"]) == 0
    assert "X wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("classic", "XX./OO./... X", 2),  # wins
        ("classic", "X../OO./..X X", 5),  # blocks
        ("classic", "O.X/.X./... O", 6),  # blocks the diagonal
        ("squared", X_TO_WIN, 2 * 9 + 8),
        ("ultimate", X_TO_WIN, 2 * 9 + 8),
    ],
)
def test_the_search_in_python_finds_wins_and_blocks(game: str, text: str, move: int) -> None:
    chosen = find_game(game)
    assert make_player(chosen, "mcts-python:500", 1)(match_at(chosen, chosen.parse(text))).move == move


def test_the_search_in_python_finds_the_last_swap_that_wins() -> None:
    game = find_game("swap-nine")
    position = game.parse("XOX/OXX/XO. O")
    best = {move for move in position.moves() if (end := position.play(move).outcome) and end.winner is position.turn}
    assert best
    assert best < set(position.moves())
    assert make_player(game, "mcts-python:200", 1)(match_at(game, position)).move in best


def test_the_search_in_python_is_that_of_the_native_player_where_there_is_no_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_python = make_player(ULTIMATE, "mcts-python:90", 1)
    assert in_python(begin(ULTIMATE)).move in begin(ULTIMATE).position.moves()
    monkeypatch.setattr(engine, "mcts", None)  # it is never called
    assert in_python(begin(ULTIMATE)) == in_python(begin(ULTIMATE))
