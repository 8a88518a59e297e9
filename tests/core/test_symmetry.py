"""The symmetries of the square hold in every game: its rules do not change when the board is turned."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.grid import LINES, SYMMETRIES
from ninefold.core.symmetry import IDENTITY, canonical, compose, inverse, move_table, transform, transform_move
from ninefold.games import all_games

NUMBERS = st.integers(0, 7)
GAMES = all_games()


def some_position(game: Any, seed: int, plies: int) -> Any:
    rng, position = random.Random(seed), game.begin()
    for _ in range(plies):
        if moves := position.moves():
            position = position.play(rng.choice(moves))
    return position


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), plies=st.integers(0, 60), symmetry=NUMBERS)
def test_playing_a_turned_move_is_turning_the_position_after_it(
    name: str, seed: int, plies: int, symmetry: int
) -> None:
    game = GAMES[name]
    position = some_position(game, seed, plies)
    turned: Any = transform(position, symmetry)
    assert turned.turn is position.turn
    assert turned.options == position.options
    assert sorted(transform_move(game, move, symmetry) for move in position.moves()) == list(turned.moves())
    for move in position.moves():
        assert transform(position.play(move), symmetry) == turned.play(transform_move(game, move, symmetry))
    if position.outcome:
        assert (turned.outcome.winner, turned.outcome.reason) == (position.outcome.winner, position.outcome.reason)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), plies=st.integers(0, 60), one=NUMBERS, other=NUMBERS)
def test_symmetries_are_a_group_on_the_positions_and_moves_of_a_game(
    name: str, seed: int, plies: int, one: int, other: int
) -> None:
    game = GAMES[name]
    position = some_position(game, seed, plies)
    assert transform(position, IDENTITY) == position
    assert transform(transform(position, one), inverse(one)) == position
    assert transform(transform(position, one), other) == transform(position, compose(one, other))
    assert game.parse_position(str(transform(position, one)), game.settle_options()) == transform(position, one)
    for move in range(len(game.paths)):
        both = transform_move(game, transform_move(game, move, one), other)
        assert both == transform_move(game, move, compose(one, other))


@given(one=NUMBERS, other=NUMBERS, third=NUMBERS)
def test_symmetries_are_composed_by_the_laws_of_a_group(one: int, other: int, third: int) -> None:
    assert compose(compose(one, other), third) == compose(one, compose(other, third))
    assert compose(one, inverse(one)) == compose(inverse(one), one) == IDENTITY


def test_one_to_three_are_quarter_turns_clockwise_and_four_to_seven_turn_over() -> None:
    assert [SYMMETRIES[number][0] for number in range(4)] == [0, 2, 8, 6]
    assert [compose(1, number) for number in range(3)] == [1, 2, 3]
    assert all(compose(number, number) == IDENTITY for number in range(4, 8))
    lines = {frozenset(line) for line in LINES}
    assert all({frozenset(goes[cell] for cell in line) for line in LINES} == lines for goes in SYMMETRIES)


@pytest.mark.parametrize("name", GAMES)
def test_symmetric_positions_have_one_canonical_position(name: str) -> None:
    position = some_position(GAMES[name], 3, 4)
    images = [transform(position, symmetry) for symmetry in range(8)]
    assert len(set(images)) >= 4
    assert len({canonical(image)[0] for image in images}) == 1
    for image in images:
        found, symmetry = canonical(image)
        assert transform(image, symmetry) == found


@pytest.mark.parametrize("name", GAMES)
def test_every_symmetry_moves_every_move_to_a_move_of_its_own(name: str) -> None:
    for goes in move_table(GAMES[name]):
        assert sorted(goes) == list(range(len(GAMES[name].paths)))


def test_what_is_no_symmetry_is_refused() -> None:
    start = GAMES["classic"].begin()
    for wrong in (-1, 8, "1"):
        with pytest.raises(Unreadable, match=r"Symmetries are 0 to 7\."):
            transform(start, wrong)  # type: ignore[arg-type]
    plain: Any = SimpleNamespace(why_not=None)  # a position whose class has no method transform
    with pytest.raises(NotAllowed, match="cannot be turned"):
        transform(plain, 1)
