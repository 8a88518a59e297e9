"""A program that speaks the protocol of CodinGame's ultimate tic-tac-toe, in a process of its own.

Every turn it is sent the opponent's last move (-1 -1 if there is none), the number of valid moves, and these; it
answers with one of them. A move is a row and a column of the whole board, from 0 to 8."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ninefold.arena.program_process import ProgramProcess
from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.position import Position

FIRST_TURN = 1.0  # seconds that a program has at least for its first turn, as on CodinGame
MOVE_TIME = 0.1  # seconds that it has for a move where nobody says more, as on CodinGame
RULES = {"drawn": "nobody", "tie_break": "boards"}


def plays_by_these_rules(start: Position) -> bool:
    return RULES.items() <= start.options.items()


class CodingameProcess(ProgramProcess):
    """It has ``seconds`` for a turn: of CPU time if ``by_cpu``, and then ``patience`` seconds more of real time."""

    def __init__(self, command: str, seconds: float, *, by_cpu: bool, patience: float) -> None:
        self._seconds, self._by_cpu, self._patience = seconds, by_cpu, patience
        self._known = 0  # how many moves of the game the program knows
        self._turns = 0
        super().__init__(command, is_quiet=True)

    def choose_move(self, played: Sequence[int], position: Position) -> tuple[int, int]:
        """The board and the cell that the program chooses, legal or not. The moves of an opening that it has to make
        itself are the only valid ones at their turns."""
        for ply in range(len(played) % 2, len(played), 2):
            if ply >= self._known:
                board, cell = self._take_turn(played[:ply], played[ply : ply + 1])
                if board * 9 + cell != played[ply]:
                    given, valid = _row_column(board * 9 + cell), _row_column(played[ply])
                    raise NotAllowed("no_answer.opening", given=given, valid=valid)
        self._known = len(played) + 1  # with its own
        return self._take_turn(played, position.moves())

    def _take_turn(self, played: Sequence[int], valid: Sequence[int]) -> tuple[int, int]:
        last = _row_column(played[-1]) if played else "-1 -1"
        cpu_before = self.cpu_seconds() if self._by_cpu else inf
        seconds = max(self._seconds, FIRST_TURN) if not self._turns else self._seconds
        self._turns += 1
        self.send("\n".join([last, str(len(valid)), *map(_row_column, valid)]))
        try:
            written = self.read_line(seconds + self._patience * self._by_cpu, cpu_before + seconds)
        except TimeoutError:
            raise NotAllowed("no_answer.late", reply="move", seconds=seconds) from None
        if written is None:
            raise NotAllowed("no_answer.ended_without", reply="move")
        return parse_answer(written)


def _row_column(move: int) -> str:
    board, cell = divmod(move, 9)
    return f"{board // 3 * 3 + cell // 3} {board % 3 * 3 + cell % 3}"


def parse_answer(line: str) -> tuple[int, int]:
    """The board and the cell of ``row column``. What follows them, a message on CodinGame, does not matter."""
    words = line.split()[:2]
    if len(words) < 2 or any(len(word) != 1 or word not in "012345678" for word in words):
        raise NotAllowed("no_answer.codingame", text=quoted(line.rstrip("\n")))
    row, column = map(int, words)
    return row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
