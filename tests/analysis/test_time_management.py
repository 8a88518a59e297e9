"""Time management: what the engine makes of a clock."""

from __future__ import annotations

import io
import os

import pytest

from ninefold.analysis import engine
from ninefold.analysis.engine import Engine, EngineClock
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.games.squared import Squared

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)

from ninefold._native import TimeManager
from ninefold.analysis.ugi import Ugi

ULTIMATE = find_game("ultimate")
FORCED = "XOXXOXO.O" + "/........." * 8 + " X 7"  # cell 8 of the first board alone is free
# In each of them one move is more than a third of a line of boards better than all others.
CLEAR = (
    "O.O...X.X/...XXX..X/X......../.O.....O./OO....O../O...X..../X..X...O./....X.OX./.O...O... X 7",
    ".X...X.../....O.O../....OO..O/O.X....../.....XX../..XX.OO.O/.....X.OX/.X......./O.XO....X X 3",
    "....XX..X/.......X./....XX.X./....O..X./O..X.X..O/..O.OO.X./...O...../.OO.O..O./O.....X.. X 5",
    "X.OOO..../...X...../..X.OO.X./.O.XX..O./X.OOX..../X.......X/........./..X.O..../O....O..X X 5",
    ".....O.X./..X....X./.....O..O/.O.....XO/...X..X.X/X..X....X/....O..../....OO..O/.OXOO...X X 3",
)


def free_cells(position: Position) -> int:
    assert isinstance(position, Squared)
    return sum(position.cells[9 * b : 9 * b + 9].count(None) for b in range(9) if not position.owners[b])


def test_positions_with_one_sensible_move_take_less_than_their_optimum() -> None:
    """Together: an iteration ends when it ends, so a single search may take a little more."""
    clock, positions = EngineClock(1.0, by_cpu=True), [ULTIMATE.parse(text) for text in CLEAR]
    taken = sum(Engine(2**22).search(position, clock=clock).cpu_seconds for position in positions)
    assert taken < sum(TimeManager(1.0, 0.0, free_cells(position)).optimum for position in positions)


def iterations(moves: list[int], scores: list[int], effort: float, elapsed: float) -> bool:
    """True if the search stops after the last of these iterations, at this multiple of the optimum."""
    time = TimeManager(60.0, 0.0, 70)
    *_, stops = [
        time.should_stop(move, score, effort, elapsed * time.optimum) for move, score in zip(moves, scores, strict=True)
    ]
    return stops


def test_a_stable_best_move_stops_the_search_and_a_new_one_does_not() -> None:
    assert iterations([40] * 8, [100] * 8, 0.5, 0.8)
    assert not iterations([40] * 7 + [41], [100] * 8, 0.5, 0.8)
    assert not iterations([40] * 7 + [41], [100] * 8, 0.5, 1.5)


def test_a_move_that_takes_few_of_the_nodes_is_searched_longer() -> None:
    assert iterations([40] * 8, [100] * 8, 0.9, 0.5)
    assert not iterations([40] * 8, [100] * 8, 0.1, 0.5)


def test_a_score_that_drops_is_searched_longer_unless_it_goes_up_and_down_with_the_plies() -> None:
    assert not iterations([40] * 8, [100] * 7 + [-200], 0.5, 1.0)
    assert iterations([40] * 8, [100, -200] * 4, 0.5, 1.0)


@pytest.mark.parametrize("cells", [1, 22, 50, 81])
@pytest.mark.parametrize("increment", [0.0, 0.01, 1e6])
@pytest.mark.parametrize("clock", [1e-9, 0.001, 0.01, 1.0, 1e6])
def test_no_move_takes_more_than_its_maximum_or_the_whole_clock(clock: float, increment: float, cells: int) -> None:
    time = TimeManager(clock, increment, cells)
    assert 0 <= time.optimum <= time.maximum < clock
    assert time.should_stop(40, 0, 0.0, time.maximum)


def test_a_forced_move_is_not_thought_about() -> None:
    info = Engine(2**20).search(ULTIMATE.parse(FORCED), clock=EngineClock(1e6))
    assert (info.depth, info.lines[0].move) == (2, 7)


@pytest.mark.parametrize("clock", [EngineClock(1e-9), EngineClock(1e-9, 1e6), EngineClock(0.001, by_cpu=True)])
def test_a_clock_that_has_run_down_gets_a_move_after_the_first_iteration(clock: EngineClock) -> None:
    info = Engine(2**20).search(ULTIMATE.begin(), clock=clock)
    assert info.depth == 2
    assert info.lines[0].move in range(81)


@pytest.mark.parametrize("clock", [EngineClock(-1.0), EngineClock(float("nan")), EngineClock(1.0, 2e6)])
def test_a_clock_that_is_none_is_refused(clock: EngineClock) -> None:
    with pytest.raises(ValueError, match="A clock has 0"):
        Engine(2**20).search(ULTIMATE.begin(), clock=clock)


def test_with_other_limits_a_forced_move_is_searched_as_deep_as_before() -> None:
    assert Engine(2**20).search(ULTIMATE.parse(FORCED), depth=5).depth == 5


@pytest.mark.parametrize(
    ("go", "depth"),
    [
        ("go p1time 600000 p1inc 1000", 2),
        ("go p1time 0", 2),
        ("go p2time 600000 depth 4", 4),  # the clock of the other side
        ("go p1time 600000 movetime 100000 depth 4", 4),
    ],
)
def test_ugi_divides_the_clock_of_the_side_to_move(go: str, depth: int) -> None:
    screen = io.StringIO()
    ugi = Ugi(screen)
    ugi.handle(["position", "fen", *FORCED.split()])
    ugi.handle(go.split())
    ugi.wait()
    *_, info, best = screen.getvalue().splitlines()
    assert info.startswith(f"info depth {depth} ")
    assert best == f"bestmove {ULTIMATE.name(7)}"
