"""Programs for CodinGame's ultimate tic-tac-toe: what they are sent, what they may answer, when they forfeit."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.arena.codingame import CodingameProcess, parse_answer
from ninefold.arena.participants import make_participant
from ninefold.cli.main import main
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.position import Position
from ninefold.games import find_game
from tests.support.waiting import PATIENCE

ULTIMATE = find_game("ultimate")
RULES = {"tie_break": "boards"}
PROGRAM = """\
import sys
mode, log = sys.argv[1], open(sys.argv[2], "a")
turn = 0
while line := sys.stdin.readline():
    valid = [sys.stdin.readline().strip() for _ in range(int(sys.stdin.readline()))]
    print(line.strip(), len(valid), valid[0], sep=",", file=log, flush=True)
    turn += 1
    print("thinking", file=sys.stderr)
    if turn == 2 and mode == "ends":
        break
    if turn == 2 and mode == "waits":
        sys.stdin.readline()
    if turn == 2 and mode == "computes":
        while True: pass
    late = turn == 2 and mode not in ("plays", "elsewhere")
    print(mode if late else "0 0" if mode == "elsewhere" else valid[0], flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "program.py").write_text(PROGRAM)
    return f"{sys.executable} {tmp_path / 'program.py'}"


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """What the program was sent, a line a turn: the opponent's move, how many moves are valid, the first of them."""
    return tmp_path / "sent"


def position_after(*moves: int) -> Position:
    position = ULTIMATE.begin(RULES)
    for move in moves:
        position = position.play(move)
    return position


def test_every_turn_has_the_last_move_and_the_valid_ones_and_an_opening_is_replayed(program: str, sent: Path) -> None:
    process = CodingameProcess(f"{program} plays {sent}", PATIENCE, by_cpu=False, patience=0)
    try:
        # Board 4, cell 4 is row 4, column 4; board 4, cell 8 is row 5, column 5; board 8, cell 0 is row 6, column 6.
        assert process.choose_move([40, 44], position_after(40, 44)) == (8, 0)
        assert process.choose_move([40, 44, 72, 2], position_after(40, 44, 72, 2)) == (2, 0)
    finally:
        process.close()
    assert sent.read_text().splitlines() == ["-1 -1,1,4 4", "5 5,9,6 6", "0 2,9,0 6"]


def test_who_moves_second_is_first_sent_the_move_of_the_opponent(program: str, sent: Path) -> None:
    process = CodingameProcess(f"{program} plays {sent}", PATIENCE, by_cpu=False, patience=0)
    try:
        process.choose_move([40], position_after(40))
    finally:
        process.close()
    assert sent.read_text().splitlines() == ["4 4,8,3 3"]


def test_a_program_that_leaves_the_opening_is_told_so(program: str, sent: Path) -> None:
    process = CodingameProcess(f"{program} elsewhere {sent}", PATIENCE, by_cpu=False, patience=0)
    try:
        with pytest.raises(NotAllowed, match="played 0 0 where the opening has 4 4"):
            process.choose_move([40, 44], position_after(40, 44))
    finally:
        process.close()


@pytest.mark.parametrize(
    ("mode", "limit", "why"),
    [
        ("hello", f"time={PATIENCE:g}", "wrote 'hello'"),
        ("'8 9'", f"time={PATIENCE:g}", "wrote '8 9'"),
        ("elsewhere", f"time={PATIENCE:g}", "can be played: "),
        ("ends", f"time={PATIENCE:g}", "ended without move"),
        ("computes", "cpu=0.2", "no move within 0.2 s"),
    ],
)
def test_a_program_without_a_legal_move_forfeits_and_the_tournament_goes_on(
    mode: str, limit: str, why: str, program: str, sent: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    player = f"codingame,{limit}:{program} {mode} {sent}"
    command = ["arena", "ultimate", "random", player, "--option", "tie_break=boards", "--openings", "start"]
    assert main([*command, "--pairs", "1", "--workers", "1", "--json"]) == 0
    written = capfd.readouterr()
    assert json.loads(written.out)["ratings"][0]["player"] == "random"
    assert json.loads(written.out)["pairs"][0]["counts"] == [0, 0, 0, 0, 1]
    assert written.err.count("forfeits") == 2
    assert why in written.err
    assert "thinking" not in written.err


def test_a_program_that_does_not_answer_is_not_waited_for(program: str, sent: Path) -> None:
    process = CodingameProcess(f"{program} waits {sent}", 0.001, by_cpu=False, patience=0)

    def play() -> None:
        """On a machine that is busy, the program may be late at its first turn already."""
        process.choose_move([], position_after())
        process.choose_move([0, 1], position_after(0, 1))

    try:
        with pytest.raises(NotAllowed, match="gave no move within"):
            play()
    finally:
        process.close()


def test_it_plays_whole_games_from_the_suite(program: str, sent: Path, capfd: pytest.CaptureFixture[str]) -> None:
    player = f"codingame,time={PATIENCE:g}:{program} plays {sent}"
    command = ["arena", "ultimate", "easy", player, "--option", "tie_break=boards", "--openings", "suite"]
    assert main([*command, "--pairs", "1", "--workers", "1", "--json"]) == 0
    written = capfd.readouterr()
    assert "forfeits" not in written.err
    assert json.loads(written.out)["games"] == 2


@pytest.mark.parametrize(("game", "options"), [("ultimate", {}), ("squared", RULES), ("classic", {})])
def test_other_rules_are_refused(game: str, options: dict[str, str]) -> None:
    with pytest.raises(Refusal, match=r"Play ultimate with --option tie_break=boards\."):
        make_participant(find_game(game), "codingame:cat", find_game(game).begin(options), 0)


@pytest.mark.parametrize("limits", ["nodes=5", "time=0", "cpu=x", ""])
def test_limits_that_it_cannot_be_given_are_refused(limits: str) -> None:
    with pytest.raises(Refusal):
        make_participant(ULTIMATE, f"codingame,{limits}:cat", ULTIMATE.begin(RULES), 0)


@given(st.text() | st.from_regex(r"\A[0-9] [0-9]( .*)?\n\Z"))
def test_any_line_is_an_answer_or_refused(line: str) -> None:
    try:
        board, cell = parse_answer(line)
    except NotAllowed:
        return
    row, column = map(int, line.split()[:2])
    assert (board // 3, board % 3, cell // 3, cell % 3) == (row // 3, column // 3, row % 3, column % 3)
