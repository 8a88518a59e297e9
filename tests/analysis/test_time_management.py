"""Time management: what the engine makes of a clock."""

from __future__ import annotations

import io
import os

import pytest

from ninefold.analysis import engine
from ninefold.analysis.engine import Engine, EngineClock
from ninefold.games import find_game

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)

from ninefold.analysis.ugi import Ugi

ULTIMATE = find_game("ultimate")
FORCED = "XOXXOXO.O" + "/........." * 8 + " X 7"  # cell 8 of the first board alone is free
# One move is more than a third of a line of boards better than all others; in the second position none is.
CLEAR = ".X...X.../....O.O../....OO..O/O.X....../.....XX../..XX.OO.O/.....X.OX/.X......./O.XO....X X 3"
UNCLEAR = "...X.O.../.....XOOO/XX.....OX/.OOX...../.......X./.X..O..../..O....X./.XOO..X../O.X...... X 3"


def cpu_seconds(position: str, clock: float) -> float:
    return Engine(2**24).search(ULTIMATE.parse(position), clock=EngineClock(clock, by_cpu=True)).cpu_seconds


def test_a_position_with_one_sensible_move_takes_less_than_one_with_many() -> None:
    clear, unclear = cpu_seconds(CLEAR, 1.0), cpu_seconds(UNCLEAR, 1.0)
    assert 2 * clear < unclear < 0.3 + 0.1  # the most that a move may take of a second, and a little for the rest


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
