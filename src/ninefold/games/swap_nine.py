"""Swap Nine: place a marker, perhaps turn one neighbour of the opponent's into your own; most markers win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core import notation
from ninefold.core.errors import IllegalMove
from ninefold.core.game import FIRST, Game, Step
from ninefold.core.grid import CELLS, FREE, FULL, NEIGHBOURS, OUTSIDE, READING, Naming, moved
from ninefold.core.messages import message, register
from ninefold.core.position import Outcome, Path, Side
from ninefold.core.small_position import SmallPosition

SWAPS = tuple((cell, taken) for cell in CELLS for taken in NEIGHBOURS[cell])
PATHS: tuple[Path, ...] = tuple((cell,) for cell in CELLS) + SWAPS
# Per cell: the bit of a neighbour, and the move that takes it.
_TAKES = tuple(tuple((1 << taken, PATHS.index((cell, taken))) for taken in NEIGHBOURS[cell]) for cell in CELLS)

register(
    {
        "swap_nine.majority": "{more} markers to {fewer}",
        "swap_nine.tie_break": "{markers} markers each, and {last} made the last move",
        "swap_nine.takeable": "From {placed} you can take: {cells}.",
        "swap_nine.not_takeable": "Play {placed} without a swap.",
        "two_swaps": ("Only one marker can be swapped in a turn.", "{instead}"),
        "not_adjacent": ("Cell {cell} is not directly above, below, left or right of {placed}.", "{instead}"),
        "not_opponents": ("There is no marker of {side} on cell {cell}.", "{instead}"),
    }
)


def majority(x: int, o: int, last: Side) -> Outcome:
    """The winner of a full board of ``x`` and ``o`` markers on which ``last`` made the last move."""
    if x == o:
        return Outcome(last.other, "tie_break", message("swap_nine.tie_break", markers=x, last=last))
    return Outcome(
        Side.X if x > o else Side.O, "majority", message("swap_nine.majority", more=max(x, o), fewer=min(x, o))
    )


class SwapNineFields(NamedTuple):
    x: int
    o: int
    turn: Side
    first: Side


class SwapNine(SmallPosition, SwapNineFields):
    @property
    def cells(self) -> tuple[Side | None, ...]:
        return notation.cells_of(self.x, self.o)

    def find_outcome(self) -> Outcome | None:
        if self.x | self.o != FULL:
            return None
        return majority(self.x.bit_count(), self.o.bit_count(), self.turn.other)

    def find_moves(self) -> tuple[int, ...]:
        theirs = self.x if self.turn else self.o
        free = FREE[self.x | self.o]
        return free + tuple(move for cell in free for bit, move in _TAKES[cell] if theirs & bit)

    def find_after(self, move: int) -> SwapNine:
        if move not in self.moves():
            raise self.why_not(PATHS[move] if 0 <= move < len(PATHS) else (OUTSIDE,), READING)
        placed = sum(1 << cell for cell in PATHS[move])
        if self.turn:
            return SwapNine(self.x & ~placed, self.o | placed, Side.X, self.first)
        return SwapNine(self.x | placed, self.o & ~placed, Side.O, self.first)

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        cell, taken = path[0], path[1:]
        free = FREE[self.x | self.o]
        if not free:
            return IllegalMove("ended")
        names = naming.format(free)
        if any(cell not in CELLS for cell in path):
            return IllegalMove("outside", free=names)
        if cell not in free:
            return IllegalMove("taken", cell=naming.name(cell), side=self.cells[cell], free=names)
        return self._why_not_take(cell, taken, naming)

    def _why_not_take(self, cell: int, taken: Path, naming: Naming) -> IllegalMove:
        theirs = self.x if self.turn else self.o
        takeable = tuple(other for other in NEIGHBOURS[cell] if theirs >> other & 1)
        placed = naming.name(cell)
        code = "swap_nine.takeable" if takeable else "swap_nine.not_takeable"
        instead = message(code, placed=placed, cells=naming.format(takeable))
        if len(taken) > 1:
            return IllegalMove("two_swaps", instead=instead)
        name = naming.name(taken[0])
        if taken[0] not in NEIGHBOURS[cell]:
            return IllegalMove("not_adjacent", cell=name, placed=placed, instead=instead)
        return IllegalMove("not_opponents", side=self.turn.other, cell=name, instead=instead)

    @property
    def options(self) -> dict[str, str]:
        return {"first": self.first.name}

    def transform(self, symmetry: int) -> SwapNine:
        return self._replace(x=moved(self.x, symmetry), o=moved(self.o, symmetry))

    def __str__(self) -> str:
        return notation.join(notation.grid_text(self.x, self.o), self.turn, **self.options)


def start(options: Mapping[str, str]) -> SwapNine:
    first = Side[options["first"]]
    return SwapNine(0, 0, first, first)


def parse(text: str, defaults: Mapping[str, str]) -> SwapNine:
    parts = notation.split(text, values={"first": FIRST.values}, defaults=defaults)
    ((x, o),) = parts.marks
    return SwapNine(x, o, parts.turn, Side[parts.options["first"]])


SWAP_NINE = Game(
    id="swap-nine",
    title="Swap Nine",
    summary="Place, take one neighbour; most markers win.",
    rules="""\
Player 1 is X, player 2 is O; decide who starts by agreement or a toss. A turn
puts a marker on an empty cell; then, if you like, ONE marker of the opponent's
directly above, below, left or right of it becomes yours. No diagonals, never
two. When all nine cells are full, more markers win; were they equal, the
player who did not make the last move would win. There is no draw.
Written down, 2x5 is: place on 2, take 5; and 2 alone takes nothing.
""",
    typing="""
 1 | 2 | 3
-----------      Type the number of a free cell. When you can take a marker
 4 | 5 | 6       you are asked which: type its number, or press Enter to
-----------      take none.
 7 | 8 | 9
""",
    start=start,
    parse_position=parse,
    paths=PATHS,
    steps=(
        Step(
            "{player}, enter the number of the cell where you want to place your marker: ",
            "choose the cell where you want to place your marker",
        ),
        Step(
            "{player}, enter the number of the marker to swap ({choices}), or nothing: ",
            "choose the marker to swap, or none",
        ),
    ),
    options=(FIRST,),
    joiner="x",
    ask_first=True,
    player_1_is_x=True,
    advice=(
        "Take the centre early: it has the most neighbours, and so the most swaps.",
        "Take care beside your opponent's markers: what you place there may be swapped at once.",
        "Swap where it counts: to win back an important cell, or to spoil what your opponent is planning.",
        "Think ahead: the majority counts at the end, so ask what your opponent will do next.",
    ),
)
