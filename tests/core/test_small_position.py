"""Positions of small games remember what follows from them, and are values all the same."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from typing import ClassVar, NamedTuple

import pytest

from ninefold.core import small_position
from ninefold.core.position import Outcome, Side
from ninefold.core.small_position import SmallPosition
from ninefold.core.state_table import table_of
from ninefold.games import find_game


class CountdownFields(NamedTuple):
    left: int


class Countdown(SmallPosition, CountdownFields):
    """Take one or two; how often the rules are asked is counted."""

    asked: ClassVar[list[str]] = []

    def find_outcome(self) -> Outcome | None:
        self.asked.append("outcome")
        return None

    def find_moves(self) -> tuple[int, ...]:
        self.asked.append("moves")
        return tuple(range(1, min(self.left, 2) + 1))

    def find_after(self, move: int) -> Countdown:
        self.asked.append(f"after {move}")
        return Countdown(self.left - move)


@pytest.mark.parametrize("case", ["classic first=X", "agents first=O", "swap-nine first=O"])
def test_every_position_says_what_its_rules_say_at_the_first_time_and_later(case: str) -> None:
    game_id, _, first = case.partition(" first=")
    game = find_game(game_id)
    for position in table_of(game, game.begin({"first": first})).states:
        assert isinstance(position, SmallPosition)
        fresh = type(position)(*position)  # type: ignore[misc]
        assert position.moves() == fresh.moves() == fresh.find_moves()
        assert position.outcome == fresh.outcome == fresh.find_outcome()
        for move in position.moves():
            assert position.play(move) == fresh.play(move) == fresh.play(move) == fresh.find_after(move)


def test_the_rules_are_asked_once() -> None:
    start = Countdown(3)
    Countdown.asked.clear()
    for _ in range(3):
        assert start.outcome is None
        assert start.moves() == (1, 2)
        assert start.play(1).play(1) is start.play(2)
    assert sorted(Countdown.asked) == ["after 1", "after 1", "after 2", "moves", "outcome"]


def test_it_is_a_value_without_what_it_remembers() -> None:
    position = find_game("classic").begin().play(4).play(0)
    before = pickle.dumps(position)
    for move in position.moves():
        position.play(move).moves()
    assert pickle.dumps(position) == before
    assert pickle.loads(before) == copy.deepcopy(position) == copy.copy(position) == position  # noqa: S301 (our own)
    for name in ("turn", "outcome", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, Side.O)


def test_no_more_positions_are_shared_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Countdown):
        def find_after(self, move: int) -> Endless:
            return Endless(self.left + move)

    monkeypatch.setattr(small_position, "MOST_SHARED", 10)
    kept = Endless(0).play(1)
    assert kept is Endless(0).play(1)
    tracemalloc.start()
    try:
        for left in range(1000):
            Endless(left).play(1000)
        first, _ = tracemalloc.get_traced_memory()
        for left in range(20_000):
            Endless(left).play(1000)
        assert tracemalloc.get_traced_memory()[0] < first + 100_000
    finally:
        tracemalloc.stop()
    assert kept is Endless(0).play(1)
    assert Endless(999).play(1000) == Endless(999).play(1000)


def test_positions_of_two_games_with_the_same_fields_are_not_mixed_up() -> None:
    class Other(Countdown):
        def find_after(self, move: int) -> Other:
            return Other(self.left - move)

    assert (type(Other(5).play(1)), type(Countdown(5).play(1))) == (Other, Countdown)
