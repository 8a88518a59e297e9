"""The player from the weights of a network: what it plays, and which files and games it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from ninefold.core.game import Game
from ninefold.core.position import O, Position, Side, X
from ninefold.envs.batch import make
from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.players.alphazero import search
from ninefold.players.player import make_player
from ninefold.players.policy_network import (
    MAGIC,
    NetworkShape,
    PolicyNetwork,
    evaluate,
    initial_weights,
    read_policy_network,
    write_policy_network,
)
from tests.players.test_player import match_at

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "alphazero"
GAMES = pytest.mark.parametrize("game", [find_game(name) for name in ("classic", "swap-nine", "squared", "ultimate")])
# Of every file of weights: an opponent, and the share of the points that it makes at least. Nobody makes more than half
# of them against perfect.
SHARES = {
    "classic": ("perfect", 0.5),
    "swap-nine": ("perfect", 0.5),
    "squared": ("easy", 0.75),
    "squared-gpu": ("easy", 0.75),
    "ultimate-gpu": ("easy", 0.75),
}


def untrained(game: Game, seed: int = 1) -> PolicyNetwork:
    boards, planes = (9, 5) if game.picture.boards else (1, 3)
    shape = NetworkShape(boards, 9 * planes, len(game.paths), code=8, width=8, blocks=1)
    rng = np.random.default_rng(seed)
    weights = {name: one + rng.normal(0, 0.1, one.shape) for name, one in initial_weights(shape, seed).items()}
    options = {name: value for name, value in game.begin().options.items() if name != "first"}
    return PolicyNetwork(game.id, options, shape, weights, {"seed": seed})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "classic.az"
    write_policy_network(file, untrained(find_game("classic")))
    return file


@GAMES
def test_it_plays_a_game_to_its_end(game: Game, tmp_path: Path) -> None:
    write_policy_network(tmp_path / "a.az", untrained(game))
    player = make_player(game, f"alphazero:{tmp_path / 'a.az'},simulations=3", 1)
    match = begin(game)
    while match.result is None:
        match = match.act(match.to_act or 0, player(match))


def share_of_points(game: Game, player: str, opponent: str, games: int) -> float:
    """The share of the points that a player makes, half of the games with each side."""
    points = 0.0
    for seed in range(games):
        ours, theirs = make_player(game, player, seed), make_player(game, opponent, seed)
        match, side = begin(game), Side(seed % 2)
        while match.result is None:
            match = match.act(match.to_act or 0, (ours if match.position.turn is side else theirs)(match))
        winner = match.result.outcome.winner
        points += 0.5 if winner is None else float(winner is side)
    return points / games


def test_there_are_weights_for_every_game() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.az")} == set(SHARES)


@pytest.mark.parametrize("name", SHARES)
def test_the_weights_of_the_examples_have_learned_their_game(name: str) -> None:
    """Networks of the same shape that were not trained make a quarter of the points, or less."""
    opponent, share = SHARES[name]
    player = f"alphazero:{EXAMPLES / name}.az,simulations=10"
    assert share_of_points(find_game(name.removesuffix("-gpu")), player, opponent, 6) >= share


@GAMES
def test_a_position_has_the_planes_of_the_environments(game: Game) -> None:
    network, env = untrained(game), make(game)
    state = env.init(1)
    for counter in range(6):
        view, position = env.view(state), env.positions(state)[0]
        logits, value = evaluate(network.weights, network.shape, view.observation, np)
        odds = np.exp(logits[0][view.legal[0]])
        priors, found = network.evaluate(game, position)
        assert np.allclose(priors, odds / odds.sum(), atol=1e-5)
        assert np.allclose(found, value[0], atol=1e-5)
        state = env.random_step(state, seed=1, counter=counter)


def judge_nothing(position: Position) -> tuple[list[float], float]:
    moves = len(position.moves())
    return [1 / moves] * moves, 0.0


@pytest.mark.parametrize(("text", "move"), [("XX./OO./... X", 2), ("X../OO./..X X", 5), ("O.X/.X./... O", 6)])
def test_the_search_takes_a_win_and_blocks_one(text: str, move: int) -> None:
    assert search(find_game("classic").parse(text), 200, judge_nothing) == move


def test_the_search_follows_the_priors_until_values_speak() -> None:
    def favour(move: int, value: float) -> int:
        def judge(position: Position) -> tuple[list[float], float]:
            moves = position.moves()
            worth = (value if position.turn is O else -value) if position.cells[move] is X else 0.0
            return [0.9 if one == move else 0.1 / max(1, len(moves) - 1) for one in moves], worth

        return search(find_game("classic").begin(), 50, judge)

    assert favour(7, 0.0) == 7
    assert favour(7, 1.0) != 7  # good for the opponent


def test_weights_are_the_same_after_they_were_written(file: Path) -> None:
    network, read = untrained(find_game("classic")), read_policy_network(file)
    assert read[:3] == network[:3]
    assert read.about == {"seed": 1}
    for name, weights in network.weights.items():
        assert np.allclose(read.weights[name], weights, rtol=1e-3, atol=1e-6)


def changed_head(file: Path, **changes: object) -> bytes:
    head, _, weights = file.read_bytes()[len(MAGIC) :].partition(b"\n")
    return MAGIC + json.dumps(json.loads(head) | changes).encode() + b"\n" + weights


DAMAGES: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "an empty file": (lambda _: b"", "does not hold the weights"),
    "text": (lambda _: b"hello\n" * 100, "does not hold the weights"),
    "a network of the engine": (lambda _: b"ninefold network 1\n{}\n", "does not hold the weights"),
    "the beginning": (lambda file: file.read_bytes()[:-50], "is damaged"),
    "one other byte": (lambda file: file.read_bytes()[:-1] + b"\x7f", "is damaged"),
    "more": (lambda file: file.read_bytes() + b"\0", "is damaged"),
    "a cut head": (lambda file: file.read_bytes()[: len(MAGIC) + 20], "does not hold the weights"),
    "a head that is no object": (lambda _: MAGIC + b"[1]\n", "does not hold the weights"),
    "a deep head": (lambda _: MAGIC + b"[" * 100_000 + b"\n", "does not hold the weights"),
    "too few sizes": (lambda file: changed_head(file, shape=[1]), "does not hold the weights"),
    "a size of no bytes": (lambda file: changed_head(file, shape=[1, 27, 9, 8, 0, 1]), "does not hold the weights"),
    "a size of a truth": (lambda file: changed_head(file, shape=[True, 27, 9, 8, 8, 1]), "does not hold the weights"),
    "a huge size": (lambda file: changed_head(file, shape=[1, 27, 9, 10**9, 8, 1]), "does not hold the weights"),
    "other sizes": (lambda file: changed_head(file, shape=[1, 27, 9, 8, 9, 1]), "is damaged"),
    "another game": (lambda file: changed_head(file, game="squared"), "was trained for 'squared'"),
    "a game of other sizes": (lambda file: changed_head(file, game="swap-nine"), "was trained for 'swap-nine'"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_as_it_was_written_is_refused_with_a_sentence(file: Path, damage: str) -> None:
    write, sentence = DAMAGES[damage]
    file.write_bytes(write(file))
    with pytest.raises(Refusal) as refused:
        make_player(find_game("classic"), f"alphazero:{file}", 1)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("name", ["alphazero:/none.az", "alphazero:/", "alphazero:a\0b", "alphazero:/dev/null"])
def test_a_file_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        make_player(find_game("classic"), name, 1)


@pytest.mark.parametrize("rest", ["", ",simulations=", ",simulations=0", ",simulations=-1", ",simulations=²"])
def test_a_name_without_a_file_or_a_number_is_refused(file: Path, rest: str) -> None:
    with pytest.raises(Refusal) as refused:
        make_player(find_game("classic"), f"alphazero:{file if rest else ''}{rest}", 1)
    assert refused.value.reason == "no_such_player"


def test_other_rules_are_refused_but_either_side_may_begin(file: Path) -> None:
    game = find_game("classic")
    player = make_player(game, f"alphazero:{file}", 1)
    assert player(begin(game, {"first": "O"})).move in range(9)
    with pytest.raises(Refusal) as refused:
        player(begin(game, {"line_ends": "no", "early_draw": "no"}))
    assert "trained with line_ends=yes" in str(refused.value)


def test_it_takes_part_in_a_tournament(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = f"alphazero:{file},simulations=20"
    assert main(["arena", "classic", spec, "random", "--pairs", "2", "--workers", "1"]) == 0
    assert "alphazero:" in capsys.readouterr().out


def test_it_takes_a_seat_at_the_terminal_from_a_file_with_a_long_name(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = file.rename(file.with_name(200 * "a" + ".az"))
    assert main(["play", "classic", "--x", f"alphazero:{long},simulations=50", "--o", "random", "--pause", "0"]) == 0
    assert "X wins" in capsys.readouterr().out or "draw" in capsys.readouterr().out


def test_a_forced_move_is_played_without_a_search(file: Path) -> None:
    game = find_game("classic")
    player = make_player(game, f"alphazero:{file},simulations=100000000", 1)
    assert player(match_at(game, game.parse("XOX/XOO/OX. X"))).move == 8
