"""Tic-tac-toe, and the agents' game that is played with the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold import notation
from ninefold.core import IllegalMove, Outcome, Path, Side
from ninefold.game import EARLY_DRAW, FIRST, YES_NO, Game, Option, Picture, Step
from ninefold.grid import CELLS, FREE, FULL, HAS_LINE, OUTSIDE, READING, ROW_COLUMN, Naming, lines_in

LINE_ENDS = Option("line_ends", YES_NO, "yes", "whether three in a row ends the game")
CLAIMS = Option("claims", YES_NO, "no", "whether victory must be claimed", of_match=True)

PATHS = tuple((cell,) for cell in CELLS)


class Classic(NamedTuple):
    x: int
    o: int
    turn: Side
    first: Side
    line_ends: bool
    line: Side | None = None  # whose line was completed first, where a line does not end the game

    @property
    def cells(self) -> tuple[Side | None, ...]:
        return notation.cells_of(self.x, self.o)

    @property
    def outcome(self) -> Outcome | None:
        winner = self._decided()
        if winner is not None:
            lines = lines_in(self.x if winner is Side.X else self.o)
            return Outcome(winner, "line", "three in a row", lines)
        if self.x | self.o == FULL:
            return Outcome(None, "full", "the board is full and nobody has three in a row")
        return None

    def _decided(self) -> Side | None:
        if not self.line_ends:
            return self.line if self.x | self.o == FULL else None
        # The side that just moved is asked first: the last cell can win.
        for side in (self.turn.other, self.turn):
            if HAS_LINE[self.o if side else self.x]:
                return side
        return None

    def moves(self) -> tuple[int, ...]:
        if self.line_ends and (HAS_LINE[self.x] or HAS_LINE[self.o]):
            return ()
        return FREE[self.x | self.o]

    def play(self, move: int) -> Classic:
        if move not in self.moves():
            raise self.why_not(PATHS[move] if move in CELLS else (OUTSIDE,), READING)
        x, o, turn, first, line_ends, line = self
        if turn:
            o |= 1 << move
        else:
            x |= 1 << move
        if not line_ends and line is None and HAS_LINE[o if turn else x]:
            line = turn
        return Classic(x, o, turn.other, first, line_ends, line)

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        cell = path[0]
        if not self.moves():
            return IllegalMove("ended", "The game has ended.")
        free = f"Free cells: {naming.say(self.moves())}."
        if cell not in CELLS:
            return IllegalMove("outside", "That is outside the board.", free)
        return IllegalMove("taken", f"Cell {naming.name(cell)} is taken by {self.cells[cell]}.", free)

    def __str__(self) -> str:
        line = {} if self.line is None else {"line": self.line.name}
        line_ends = "yes" if self.line_ends else "no"
        return notation.join(
            notation.grid_text(self.x, self.o), self.turn, first=self.first.name, line_ends=line_ends, **line
        )


def start(options: Mapping[str, str]) -> Classic:
    first = Side[options["first"]]
    return Classic(0, 0, first, first, options["line_ends"] == "yes")


def parse(text: str, defaults: Mapping[str, str]) -> Classic:
    values = {"first": FIRST.values, "line_ends": YES_NO, "line": ("X", "O", "")}
    parts = notation.split(text, values=values, defaults={**defaults, "line": ""})
    ((x, o),) = parts.marks
    line_ends = parts.options["line_ends"] == "yes"
    line = _whose_line(x, o, parts.options["line"], line_ends)
    return Classic(x, o, parts.turn, Side[parts.options["first"]], line_ends, line)


def _whose_line(x: int, o: int, named: str, line_ends: bool) -> Side | None:
    """Whose line came first: as the text names it, or as the board shows it when only one side has a line."""
    holders = [side.name for side, mask in ((Side.X, x), (Side.O, o)) if HAS_LINE[mask]]
    if named and (line_ends or named not in holders):
        raise notation.not_a_position(f"line={named} says whose line came first, and {named} has none to remember.")
    if line_ends or not holders:
        return None
    if not named and len(holders) == 2:
        raise notation.not_a_position("Both sides have a line: add line=X or line=O for the one completed first.")
    return Side[named or holders[0]]


CLASSIC = Game(
    id="classic",
    title="Tic-Tac-Toe",
    summary="Three in a row on a board of nine.",
    rules="""\
Two players, X and O, take turns; X starts. A turn puts one mark on an empty
cell. The first to have three marks in a row (across, down or diagonal) wins.
When all nine cells are full and nobody has three in a row, it is a draw; the
last cell can still win. As soon as nobody can win any more the game is called
a draw early (option early_draw).

1 | 2 | 3
4 | 5 | 6      Type the number of a free cell.
7 | 8 | 9
""",
    start=start,
    parse_position=parse,
    paths=PATHS,
    steps=(Step("{player}, choose a cell ({choices}): "),),
    options=(FIRST, LINE_ENDS, CLAIMS, EARLY_DRAW._replace(default="yes")),
    picture=Picture(margin="", rule=""),
    ask_sign=True,
)

AGENTS = CLASSIC.preset(
    {"first": "O", "line_ends": "no", "claims": "yes", "early_draw": "no"},
    id="agents",
    rule_set="classic",
    title="The agents' game",
    summary="A victory must be claimed, and is checked.",
    rules="""\
Tic-tac-toe between players who check each other. O starts. A turn puts one
mark on an empty cell. A line of three does not end the game: it must be
claimed, by naming its three cells, on either player's turn or with the move.

[0,0] | [0,1] | [0,2]
------+-------+------     [1,1]                          place a mark
[1,0] | [1,1] | [1,2]     [0,2] claim [0,0][0,1][0,2]    place and claim
------+-------+------     claim [0,0][0,1][0,2]          claim a line
[2,0] | [2,1] | [2,2]     claim X [0,0][0,1][0,2]        claim it for X

The opponent answers: confirm, or dispute WHY. The claimant may withdraw. The
referee lets nothing false stand: a true claim wins whatever the answer, a
false one bars its claimant from claiming until a mark has been placed. The
first true claim wins. A full board is settled by the referee: the line that
was completed first wins; no line is a draw.
""",
    steps=(Step("{player}, place at [row,col], or claim: "),),
    naming=ROW_COLUMN,
    picture=Picture(margin="", rule="------+-------+------"),
    ask_sign=False,
)
