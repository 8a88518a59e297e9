"""The native core is held equal to the Python rules, and cannot be made to crash."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ninefold.analysis import engine
from ninefold.core.errors import IllegalMove, NotAllowed
from ninefold.core.position import Position, Side
from ninefold.games import find_game
from ninefold.games.squared import NativeSquared, Squared

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip(
        "Without a C++ compiler there is no native core; install one and run make test.", allow_module_level=True
    )

from ninefold._native import NativePosition, Searcher

RULE_SETS = [
    (game, {"drawn": drawn, "tie_break": tie_break})
    for game in ("squared", "ultimate")
    for drawn in ("both", "nobody")
    for tie_break in ("none", "boards")
]
GAMES = 40
ALL_GAMES = 18_000  # of about 58 positions each: more than a million positions of every rule set


def start(game: str, options: dict[str, str]) -> Position:
    return find_game(game).begin(options)


def by_python(position: Position) -> Squared:
    """The same position, by the Python rules alone."""
    assert isinstance(position, Squared)
    return Squared(*position)


def positions(state: NativePosition, like: Position) -> Iterator[Squared]:
    """The Python position that a native state stands for."""
    assert isinstance(like, Squared)
    x, o = state.marks()
    parts = ["".join("X" if x[b] >> c & 1 else "O" if o[b] >> c & 1 else "." for c in range(9)) for b in range(9)]
    board = "*" if state.board == engine.ANY_BOARD else "789456123"[state.board]
    options = " ".join(f"{name}={value}" for name, value in like.options.items())
    parsed = find_game("squared").parse(f"{'/'.join(parts)} {Side(state.turn)} {board} {options}")
    assert isinstance(parsed, Squared)
    yield parsed


def check_games(game: str, options: dict[str, str], first: int, count: int) -> None:
    """Replay native random games by the Python rules and compare everything at every ply."""
    begun = start(game, options)
    for number in range(first, first + count):
        position, state, fast = by_python(begun), engine.native_position(begun), begun
        for move in engine.random_game(begun, seed=3, game=number):
            assert tuple(state.moves()) == position.moves() == fast.moves()
            position, state, fast = position.play(move), state.play(move), fast.play(move)
            assert isinstance(fast, NativeSquared)
            assert not isinstance(position, NativeSquared)
            assert fast == position
            assert fast.outcome == position.outcome
            assert state.ended() == (position.outcome is not None)
            assert [str(other) for other in positions(state, position)] == [str(position)]
        assert position.outcome is not None
        winner = position.outcome.winner
        assert state.result() == (0 if winner is None else 1 - 2 * winner)
        assert state.moves() == []
        assert fast.moves() == position.moves() == ()


@pytest.mark.parametrize(("game", "options"), RULE_SETS)
def test_random_games_go_as_by_the_python_rules(game: str, options: dict[str, str]) -> None:
    check_games(game, options, 0, GAMES)


def replies(position: Position) -> list[object]:
    """Everything that a position says of any number: what it leads to, or why not."""
    found: list[object] = [position.moves(), position.outcome, hash(position), str(position), repr(position)]
    for move in (*range(-2, 83), 2**70, -(2**70), True):
        try:
            found.append(position.play(move))
        except IllegalMove as refusal:
            found.append(str(refusal))
    return found


@pytest.mark.parametrize(("game", "options"), RULE_SETS)
def test_native_methods_say_of_every_number_what_the_python_rules_say(game: str, options: dict[str, str]) -> None:
    position = start(game, options)
    for move in engine.random_game(position, seed=4, game=1):
        assert replies(position) == replies(by_python(position))
        position = position.play(move)
    assert replies(position) == replies(by_python(position))


def test_native_methods_leave_what_they_do_not_know_to_the_python_rules() -> None:
    one: Any = np.int64(1)
    odd = NativeSquared((one, *(0,) * 8), (0,) * 9, 0, 0, 0, None, Side.O, by_python(start("squared", {})).rules)
    assert odd.moves() == tuple(range(1, 81))
    assert odd.play(1) == Squared(*odd).play(1)
    assert odd.play(one).play(9 * one) == Squared(*odd).play(1).play(9)
    for wrong in ("5", 4.0, None, [4]):
        with pytest.raises(TypeError):
            odd.play(wrong)  # type: ignore[arg-type]
    broken = NativeSquared(*(None,) * 8)  # type: ignore[arg-type]
    for ask in (NativeSquared.moves, lambda position: position.play(0), lambda position: position.outcome):
        with pytest.raises((TypeError, AttributeError)):
            ask(broken)


def test_a_native_position_is_pickled_and_compared_as_what_it_is() -> None:
    position = start("ultimate", {}).play(40).play(36)
    again = pickle.loads(pickle.dumps(position))  # noqa: S301 (our own bytes)
    assert (again, type(again)) == (position, NativeSquared)
    assert {position, by_python(position)} == {again}
    with pytest.raises(AttributeError):
        position.turn = Side.O  # type: ignore[misc]


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(16))
@pytest.mark.parametrize(("game", "options"), RULE_SETS)
def test_a_million_positions_are_as_by_the_python_rules(game: str, options: dict[str, str], chunk: int) -> None:
    check_games(game, options, chunk * ALL_GAMES // 16, ALL_GAMES // 16)


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_move_sequences_are_counted_right(game: str) -> None:
    counts = [engine.perft(start(game, {}), depth) for depth in range(1, 9)]
    assert counts == [81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408]


def test_a_finished_game_has_no_sequences() -> None:
    ended = find_game("ultimate").parse(
        "XXX....../XXX....../XXX....../" + "OO......./" * 2 + "OO......." + "/........." * 3 + " O *"
    )
    assert engine.perft(ended, 1) == 0


@pytest.mark.parametrize(("game", "options"), RULE_SETS)
def test_wide_and_narrow_playouts_play_the_same_games(game: str, options: dict[str, str]) -> None:
    if "avx512" not in engine.processor():
        return  # there is only one kind here, and nothing to compare
    begun = start(game, options).play(40).play(36)
    wide, narrow = (engine.playouts(begun, 3000, seed=5, processor=kind) for kind in ("avx512", "scalar"))
    assert wide == narrow


def test_playouts_do_not_depend_on_how_they_are_batched() -> None:
    begun = start("squared", {})
    whole = engine.playouts(begun, 1000, seed=8)
    parts = [engine.playouts(begun, count, seed=8, first=first) for first, count in ((0, 1), (1, 499), (500, 500))]
    assert whole == tuple(map(sum, zip(*parts, strict=True)))
    assert whole.x + whole.drawn + whole.o == 1000


def test_a_playout_is_the_random_game_of_its_number() -> None:
    begun = start("ultimate", {})
    for number in range(30):
        position = begun
        moves = engine.random_game(begun, seed=2, game=number)
        for move in moves:
            position = position.play(move)
        assert position.outcome is not None
        played = engine.playouts(begun, 1, seed=2, first=number)
        assert played.plies == len(moves)
        assert (played.x, played.o) == (position.outcome.winner is Side.X, position.outcome.winner is Side.O)


NINE = [0] * 9


@pytest.mark.parametrize(
    "wrong",
    [
        ([0] * 8, NINE, 9, 0),
        (NINE, [], 9, 0),
        ([512] + [0] * 8, NINE, 9, 0),
        ([-1] + [0] * 8, NINE, 9, 0),
        ([1] + [0] * 8, [1] + [0] * 8, 9, 0),
        ([7] + [0] * 8, [56] + [0] * 8, 9, 0),
        ([7] + [0] * 8, NINE, 0, 0),
        (NINE, NINE, 10, 0),
        (NINE, NINE, -1, 0),
        (NINE, NINE, 9, 2),
    ],
)
def test_a_state_that_makes_no_sense_is_refused(wrong: tuple[list[int], list[int], int, int]) -> None:
    with pytest.raises(ValueError, match=r"\."):
        NativePosition(*wrong, True, False)


@pytest.mark.parametrize("value", [2**70, -(2**70), "9", None, 1.5, [], float("nan")])
def test_arguments_of_the_wrong_kind_raise_and_nothing_crashes(value: object) -> None:
    begun = start("squared", {})
    for call in (
        lambda: engine.perft(begun, value),  # type: ignore[arg-type]
        lambda: engine.playouts(begun, value, seed=0),  # type: ignore[arg-type]
        lambda: engine.native_position(begun).play(value),  # type: ignore[arg-type]
        lambda: Searcher(value, 1),  # type: ignore[arg-type]
        lambda: engine.Engine().search(begun, nodes=value),  # type: ignore[arg-type]
        lambda: engine.Engine().search(begun, depth=value),  # type: ignore[arg-type]
        lambda: engine.Engine().search(begun, nodes=10, lines=value),  # type: ignore[arg-type]
    ):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            call()


def test_limits_that_make_no_sense_are_refused() -> None:
    begun = start("squared", {})
    for wrong in (-1.0, float("inf"), float("nan"), 1e9):
        with pytest.raises(ValueError, match="Seconds"):
            engine.Engine().search(begun, seconds=wrong)
    for call in (
        lambda: engine.Engine(0),
        lambda: engine.Engine(2**60),
        lambda: engine.Engine(threads=0),
        lambda: engine.perft(begun, 13),
        lambda: engine.playouts(begun, 1, seed=0, processor="abacus"),
        lambda: engine.playouts(begun, 2, seed=0, first=2**64 - 1),
        lambda: engine.native_position(begun).play(81),
        lambda: engine.native_position(begun).result(),
    ):
        with pytest.raises(ValueError, match=r"\."):
            call()


def test_only_squared_and_ultimate_have_a_native_core() -> None:
    with pytest.raises(NotAllowed, match="squared and ultimate only"):
        engine.native_position(find_game("classic").begin())


def test_the_kernels_are_those_for_the_processor_that_the_kernel_of_the_system_reports() -> None:
    if not os.path.exists("/proc/cpuinfo"):
        return  # other systems have no such list
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next((set(line.split()) for line in file if line.startswith("flags")), set())
    if not flags:
        return  # not an x86 processor
    v3 = {"avx2", "bmi2", "popcnt"} <= flags
    v4 = v3 and {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags
    wide = "+avx512" if v4 and "avx512_bitalg" in flags else ""
    assert engine.processor() == ("x86-64-v4" if v4 else "x86-64-v3" if v3 else "portable") + wide
