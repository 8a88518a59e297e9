"""The engine: right where it proves, repeatable where it is limited by nodes, obedient to every limit."""

from __future__ import annotations

import os
import time
from functools import cache
from random import Random

import pytest

from ninefold.analysis import engine
from ninefold.analysis.engine import Engine, SearchInfo
from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position
from ninefold.core.random_choice import pick
from ninefold.games import find_game
from ninefold.games.squared import Squared

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)


@cache
def value(position: Position) -> int:
    """1, 0 or -1 for the side to move, by plain search through the Python rules."""
    outcome = position.outcome
    if outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner is position.turn else -1
    return max(-value(position.play(move)) for move in position.moves())


def late(game: str, options: dict[str, str], seed: int, empty: int) -> Position:
    """A random position with few free cells on live boards."""
    for attempt in range(1000):
        rng = Random(f"{game}/{seed}/{attempt}")
        position = find_game(game).begin(options)
        while position.moves():
            assert isinstance(position, Squared)
            live = sum(position.cells[9 * b : 9 * b + 9].count(None) for b in range(9) if not position.owners[b])
            if live <= empty:
                return position
            position = position.play(pick(rng, position.moves()))
    raise AssertionError("no such position was met")


@pytest.mark.parametrize(
    "options", [{"drawn": d, "tie_break": t} for d in ("both", "nobody") for t in ("none", "boards")]
)
def test_proven_scores_are_true(options: dict[str, str]) -> None:
    for seed in range(25):
        position = late("squared", options, seed, 9)
        info = Engine(2**20).search(position, lines=81)
        assert all(line.proven for line in info.lines)
        assert len(info.lines) == len(position.moves())
        for line in info.lines:
            sign = (line.score > 0) - (line.score < 0)
            assert sign == -value(position.play(line.move)), (str(position), line)


@pytest.mark.parametrize("options", [{"drawn": "both"}, {"drawn": "nobody"}])
def test_with_a_table_full_of_earlier_searches_proofs_stay_true(options: dict[str, str]) -> None:
    used = Engine(2**16)
    for seed in range(25, 37):
        position = late("squared", options, seed, 11)
        used.search(position, nodes=2000)
        while position.moves():
            info = used.search(position, nodes=20_000)
            best = info.lines[0]
            if best.proven and sum(mark is None for mark in position.cells) < 40 and len(position.moves()) < 10:
                assert (best.score > 0) - (best.score < 0) == value(position)
            position = position.play(best.move)


def test_a_forced_win_is_reported_with_its_length_and_its_moves() -> None:
    position = find_game("ultimate").parse(
        "XXX....../XXX....../XX......./OO......./........./........./OO......./........./O........ X 9"
    )
    best = Engine(2**20).search(position).lines[0]
    assert best.proven
    assert (best.plies_to_end, best.score_text, best.pv) == (1, "win in 1", (20,))


def test_the_same_nodes_give_the_same_result() -> None:
    position = find_game("squared").begin().play(40)
    found = [Engine(2**22).search(position, nodes=50_000, lines=3) for _ in range(2)]
    searches = [one._replace(seconds=0, cpu_seconds=0) for one in found]
    assert searches[0] == searches[1]


def test_clearing_the_table_makes_an_engine_new() -> None:
    position = find_game("squared").begin().play(40)
    used = Engine(2**22)
    used.search(position.play(36), nodes=100_000)
    used.clear()
    fresh = Engine(2**22).search(position, nodes=50_000)
    assert used.search(position, nodes=50_000).lines == fresh.lines


@pytest.mark.parametrize("memory", [1024, 2**20, 2**20 + 12345, 10**7])
def test_an_engine_never_takes_more_memory_than_it_was_given(memory: int) -> None:
    assert memory / 2 < Engine(memory).memory <= memory


def test_a_search_stops_at_its_depth_its_nodes_and_its_listener() -> None:
    position = find_game("ultimate").begin()
    assert Engine(2**20).search(position, depth=5).depth == 5
    assert Engine(2**20).search(position, nodes=10_000).nodes < 20_000
    infos: list[SearchInfo] = []

    def listen(info: SearchInfo) -> bool:
        infos.append(info)
        return info.depth < 4

    info = Engine(2**20).search(position, listener=listen)
    assert infos
    assert info.lines[0].move in position.moves()


def test_even_one_node_gives_a_legal_move() -> None:
    position = find_game("ultimate").begin()
    for nodes in (1, 2, 50, 100):
        assert Engine(1024).search(position, nodes=nodes).lines[0].move in position.moves()


def test_an_exception_of_the_listener_is_raised() -> None:
    def listen(_: SearchInfo) -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Engine(2**20).search(find_game("ultimate").begin(), listener=listen)


def test_two_threads_search_together() -> None:
    position = find_game("ultimate").begin()
    info = Engine(2**22, threads=2).search(position, depth=7)
    assert info.lines[0].move in position.moves()
    assert info.depth == 7


def test_several_threads_prove_what_one_proves() -> None:
    """Whichever of them is first with the proof ends the search."""
    position = find_game("ultimate").parse(
        "..O..O..O/X.OX.OOO./XX.X..OXO/.X.OOO.../O.XOO.X../XX..X..X./XOO..XX.O/.OOXX.XO./....X..X. X 3"
    )
    one, several = (Engine(2**22, threads=threads).search(position).lines[0] for threads in (1, 4))
    assert one.proven
    assert several.proven
    assert one.value is not None
    assert several.value is not None
    assert several.value.sign == one.value.sign


def test_a_finished_game_is_not_searched() -> None:
    ended = find_game("ultimate").parse(
        "XXX....../XXX....../XXX....../OO......./OO......./OO......./........./........./......... O *"
    )
    with pytest.raises(ValueError, match="has ended"):
        Engine(2**20).search(ended, nodes=10)


@pytest.mark.parametrize(
    ("position", "nodes"),
    [
        ("....OOOX./.OXXXX.O./.O..O.OOX/OO.XXO..X/.XOXXOO.O/XO..X.X.X/XXX.O..../X..OXOX../.O.XOOX.. O 4", 600),
        ("..O..O..O/X.OX.OOO./XX.X..OXO/.X.OOO.../O.XOO.X../XX..X..X./XOO..XX.O/.OOXX.XO./....X..X. X 3", 2_000),
        ("..O..O..O/X.OX.OOO./XX.X..OXO/.X.OOO.../O.XOO.X../XX..X..X./XOO..XX.O/.OOXX.XO./....X..X. X 3", 4_000),
    ],
)
def test_a_search_that_is_cut_short_calls_no_position_lost_that_is_not(position: str, nodes: int) -> None:
    """The first move of a depth may be found lost before the others have been looked at."""
    begun = find_game("ultimate").parse(position)
    truth = Engine(16 * 2**20).search(begun, nodes=3_000_000).lines[0]
    assert truth.proven
    assert truth.score >= 0
    cut_short = Engine(2**20).search(begun, nodes=nodes).lines[0]
    assert not (cut_short.proven and cut_short.score < 0)


def test_memory_that_the_machine_does_not_have_is_refused() -> None:
    with pytest.raises(NotAllowed, match="does not have 1048576 MiB of free memory"):
        Engine(2**40)


def test_a_search_can_be_limited_by_cpu_time_alone() -> None:
    before = time.process_time()
    info = Engine(2**20).search(find_game("ultimate").begin(), cpu_seconds=0.05)
    assert time.process_time() - before >= 0.05
    assert info.lines
