"""Misere tic-tac-toe: the player who makes three in a row loses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core import notation
from ninefold.core.errors import IllegalMove
from ninefold.core.game import Game, Step
from ninefold.core.grid import CELLS, FREE, FULL, READING, Naming, lines_in
from ninefold.core.messages import message, register
from ninefold.core.position import Outcome, Path, Side

register(
    {
        "misere.line": "{side} made three in a row",
        "misere.full": "the board is full and nobody had to make three in a row",
    }
)


class Misere(NamedTuple):
    x: int = 0
    o: int = 0
    turn: Side = Side.X

    @property
    def cells(self) -> tuple[Side | None, ...]:
        return notation.cells_of(self.x, self.o)

    @property
    def options(self) -> dict[str, str]:
        return {}

    @property
    def outcome(self) -> Outcome | None:
        for side, marks in ((Side.X, self.x), (Side.O, self.o)):
            if lines := lines_in(marks):
                return Outcome(side.other, "line", message("misere.line", side=side), lines)
        if self.x | self.o == FULL:
            return Outcome(None, "full", message("misere.full"))
        return None

    def moves(self) -> tuple[int, ...]:
        return () if self.outcome else FREE[self.x | self.o]

    def play(self, move: int) -> Misere:
        if move not in self.moves():
            raise self.why_not((move,), READING)
        if self.turn is Side.X:
            return Misere(self.x | 1 << move, self.o, Side.O)
        return Misere(self.x, self.o | 1 << move, Side.X)

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        if self.outcome:
            return IllegalMove("ended")
        free = naming.format(self.moves())
        if path[0] not in CELLS:
            return IllegalMove("outside", free=free)
        return IllegalMove("taken", cell=naming.name(path[0]), side=self.cells[path[0]], free=free)

    def __str__(self) -> str:
        return notation.join(notation.grid_text(self.x, self.o), self.turn)


def start(_: Mapping[str, str]) -> Misere:
    return Misere()


def parse(text: str, defaults: Mapping[str, str]) -> Misere:
    parts = notation.split(text, values={}, defaults=defaults)
    ((x, o),) = parts.marks
    return Misere(x, o, parts.turn)


MISERE = Game(
    id="misere",
    title="Misere Tic-Tac-Toe",
    summary="Three in a row loses.",
    rules="""\
Two players, X and O, take turns; X starts. A turn puts one mark on an empty
cell. The player who makes three in a row loses. A full board is a draw.
""",
    start=start,
    parse_position=parse,
    paths=tuple((cell,) for cell in CELLS),
    steps=(Step("{player}, choose a cell ({choices}): "),),
    options=(),
)
