"""Tic-tac-toe, and the agents' game that is played with the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core import notation
from ninefold.core.errors import IllegalMove, Unreadable
from ninefold.core.game import EARLY_DRAW, FIRST, YES_NO, Game, Option, Picture, Step
from ninefold.core.grid import (
    CELLS,
    FREE,
    FULL,
    HAS_LINE,
    LINE_MASKS,
    OUTSIDE,
    READING,
    ROW_COLUMN,
    Naming,
    lines_in,
    mask_of,
    moved,
)
from ninefold.core.messages import Message, register
from ninefold.core.position import Outcome, Path, Side
from ninefold.core.small_position import SmallPosition

LINE_ENDS = Option("line_ends", YES_NO, "yes", "whether three in a row ends the game")
CLAIMS = Option("claims", YES_NO, "no", "whether victory must be claimed", of_match=True)

PATHS = tuple((cell,) for cell in CELLS)

register(
    {
        "classic.line": "three in a row",
        "classic.full": "the board is full and nobody has three in a row",
        "not_a_position.not_a_line": (
            "line={line} is not a line of one side.",
            "Name the cells of a line that stands on the board, or leave line= out.",
        ),
        "not_a_position.several_lines": (
            "There are several lines.",
            "Add line= and the cells of the one completed first.",
        ),
    }
)


class ClassicFields(NamedTuple):
    x: int
    o: int
    turn: Side
    first: Side
    line_ends: bool
    line: int = 0  # the cells of the line (or two) completed first, where a line does not end the game


class Classic(SmallPosition, ClassicFields):
    @property
    def cells(self) -> tuple[Side | None, ...]:
        return notation.cells_of(self.x, self.o)

    def find_outcome(self) -> Outcome | None:
        deciding = self._deciding()
        if deciding:
            winner = Side.X if deciding & self.x else Side.O
            return Outcome(winner, "line", Message("classic.line"), lines_in(deciding))
        if self.x | self.o == FULL:
            return Outcome(None, "full", Message("classic.full"))
        return None

    def _deciding(self) -> int:
        """Cells of one side that hold the deciding lines, or none."""
        if not self.line_ends:
            return self.line if self.x | self.o == FULL else 0
        return next((mask for mask in (self.x, self.o) if HAS_LINE[mask]), 0)

    def find_moves(self) -> tuple[int, ...]:
        if self.line_ends and (HAS_LINE[self.x] or HAS_LINE[self.o]):
            return ()
        return FREE[self.x | self.o]

    def find_after(self, move: int) -> Classic:
        if move not in self.moves():
            raise self.why_not(PATHS[move] if move in CELLS else (OUTSIDE,), READING)
        x, o, turn, first, line_ends, line = self
        if turn:
            o |= 1 << move
        else:
            x |= 1 << move
        if not line_ends and not line and HAS_LINE[o if turn else x]:
            line = mask_of(cell for cells in lines_in(o if turn else x) for cell in cells)
        return Classic(x, o, turn.other, first, line_ends, line)

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        cell = path[0]
        if not self.moves():
            return IllegalMove("ended")
        free = naming.format(self.moves())
        if cell not in CELLS:
            return IllegalMove("outside", free=free)
        return IllegalMove("taken", cell=naming.name(cell), side=self.cells[cell], free=free)

    @property
    def options(self) -> dict[str, str]:
        return {"first": self.first.name, "line_ends": "yes" if self.line_ends else "no"}

    def transform(self, symmetry: int) -> Classic:
        x, o, line = (moved(cells, symmetry) for cells in (self.x, self.o, self.line))
        return self._replace(x=x, o=o, line=line)

    def __str__(self) -> str:
        line = "".join(READING.name(cell) for cell in CELLS if self.line >> cell & 1)
        options = self.options | ({"line": line} if line else {})
        return notation.join(notation.grid_text(self.x, self.o), self.turn, **options)


def start(options: Mapping[str, str]) -> Classic:
    first = Side[options["first"]]
    return Classic(0, 0, first, first, options["line_ends"] == "yes")


def parse(text: str, defaults: Mapping[str, str]) -> Classic:
    values = {"first": FIRST.values, "line_ends": YES_NO, "line": tuple(_LINES_BY_NAME)}
    parts = notation.split(text, values=values, defaults={**defaults, "line": ""})
    ((x, o),) = parts.marks
    line_ends = parts.options["line_ends"] == "yes"
    line = 0 if line_ends else _first_line(x, o, parts.options["line"])
    return Classic(x, o, parts.turn, Side[parts.options["first"]], line_ends, line)


# What line= may say: one line, or two that one mark completed; an empty text leaves it to the board.
_LINES_BY_NAME = {"": 0} | {
    "".join(READING.name(cell) for cell in CELLS if (one | two) >> cell & 1): one | two
    for one in LINE_MASKS
    for two in LINE_MASKS
    if one & two
}


def _first_line(x: int, o: int, named: str) -> int:
    """The line completed first: as the text names it, or as the board shows it when there is only one."""
    line = _LINES_BY_NAME[named]
    if line and line not in (line & x, line & o):
        raise Unreadable("not_a_position.not_a_line", line=named)
    on_board = lines_in(x) + lines_in(o)
    if not line and len(on_board) > 1:
        raise Unreadable("not_a_position.several_lines")
    return line or mask_of(cell for cells in on_board for cell in cells)


def as_claimed(position: Classic) -> Classic:
    """Players who claim their lines at once end the game with them."""
    return position._replace(line_ends=True)


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
""",
    typing="""
1 | 2 | 3
4 | 5 | 6      Type the number of a free cell.
7 | 8 | 9
""",
    start=start,
    parse_position=parse,
    paths=PATHS,
    steps=(Step("{player}, choose a cell ({choices}): ", "choose a cell"),),
    options=(FIRST, LINE_ENDS, CLAIMS, EARLY_DRAW._replace(default="yes")),
    picture=Picture(margin="", rule=""),
    ask_sign=True,
    advice=(
        "The centre (5) lies on four lines, a corner (1 3 7 9) on three, an edge (2 4 6 8) on two.",
        "Nobody can force a win: if neither player makes a mistake, the game is a draw.",
    ),
    as_claimed=as_claimed,
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
The opponent confirms it, or disputes it and says why. The referee lets nothing
false stand: a true claim wins whatever the answer, a false one bars its
claimant from claiming until a mark has been placed. The first true claim wins.
A full board is settled by the referee: the line that was completed first wins;
no line is a draw.
""",
    typing="""
[0,0] | [0,1] | [0,2]
------+-------+------     [1,1]                          place a mark
[1,0] | [1,1] | [1,2]     [0,2] claim [0,0][0,1][0,2]    place and claim
------+-------+------     claim [0,0][0,1][0,2]          claim a line
[2,0] | [2,1] | [2,2]     claim X [0,0][0,1][0,2]        claim it for X

Answer a claim with: confirm, or dispute WHY. Its claimant may withdraw it with:
withdraw. Talk with: say good game
""",
    steps=(Step("{player}, place at [row,col], or claim: ", "choose a cell, or claim victory"),),
    naming=ROW_COLUMN,
    picture=Picture(margin="", rule="------+-------+------"),
    ask_sign=False,
    advice=(
        "The centre [1,1] lies on four lines, a corner on three, an edge on two. If neither player makes a mistake, "
        "the game is a draw.",
        "Look for two of your opponent's marks on a line whose third cell is free, and block it.",
        "Look at the cell before you place: a cell that is taken is refused.",
        "Claim only what stands: three of your own marks on one line, none missing, none of your opponent's between.",
        "Check every claim on the board yourself before you accept it, line by line, and count carefully.",
        "Be fair: judge your opponent's claims honestly, admit your own mistakes, and stay friendly whether you win or "
        "lose. Saying good game at the end is welcome.",
    ),
)
