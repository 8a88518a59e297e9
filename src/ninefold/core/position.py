"""Sides, outcomes, and the protocol that every position follows."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple, Protocol, Self, cast

from ninefold.core.errors import IllegalMove
from ninefold.core.grid import Naming
from ninefold.core.messages import Message

Path = tuple[int, ...]
SideName = Literal["X", "O"]


class Side(IntEnum):
    """X or O. An int, so that it indexes pairs and hashes fast.

    >>> X, O.name, ["X's marks", "O's marks"][O]
    (Side.X, 'O', "O's marks")
    """

    X = 0
    O = 1

    @property
    def other(self) -> Side:
        """The opponent's side.

        >>> X.other
        Side.O
        """
        return Side.O if self is Side.X else Side.X

    @property
    def symbol(self) -> SideName:
        """The mark, as text.

        >>> O.symbol
        'O'
        """
        return "O" if self else "X"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Side.{self.name}"


X = Side.X
"""The side of the crosses."""
O = Side.O
"""The side of the rings."""


class Outcome(NamedTuple):
    """The end of a game: who won (None for a draw), a stable reason for programs, why, and the deciding lines.

    >>> from ninefold import find_game
    >>> outcome = find_game("classic").parse("XXX/OO./... O").outcome
    >>> outcome
    <Outcome: X wins, line (0, 1, 2)>
    >>> outcome.winner, outcome.reason, outcome.lines, str(outcome.why)
    (Side.X, 'line', ((0, 1, 2),), 'three in a row')
    """

    winner: Side | None
    reason: str
    why: Message
    lines: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        result = "draw" if self.winner is None else f"{self.winner} wins"
        return f"<Outcome: {result}, {' '.join([self.reason, *map(str, self.lines)])}>"


class Position(Protocol):
    """An immutable, hashable value that knows its own rules; rule options are part of it. Every game has a class of
    such positions; its text is that of ``str``, which ``game.parse`` reads.

    >>> from ninefold import find_game
    >>> position = find_game("classic").begin().play(4).play(0)
    >>> position
    Classic('O../.X./... X first=X line_ends=yes')
    >>> find_game("classic").parse(str(position)) == position
    True
    """

    @property
    def turn(self) -> Side:
        """Whose move it is.

        >>> from ninefold import find_game
        >>> find_game("classic").begin().turn
        Side.X
        """

    @property
    def options(self) -> dict[str, str]:
        """The rule options it is played with, as text.

        >>> from ninefold import find_game
        >>> find_game("ultimate").begin().options
        {'first': 'X', 'drawn': 'nobody', 'tie_break': 'none'}
        """

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it goes on.

        >>> from ninefold import find_game
        >>> position = find_game("classic").parse("XX./OO./... X")
        >>> position.outcome
        >>> position.play(2).outcome
        <Outcome: X wins, line (0, 1, 2)>
        """

    @property
    def cells(self) -> tuple[Side | None, ...]:
        """The marks: nine, or eighty-one in the order of move numbers.

        >>> from ninefold import find_game
        >>> find_game("classic").begin().play(1).cells[:3]
        (None, Side.X, None)
        """

    def __hash__(self) -> int: ...

    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; empty exactly when the position is final.

        >>> from ninefold import find_game
        >>> find_game("classic").parse("XX./OO./..X O").moves()
        (2, 5, 6, 7)
        """

    def play(self, move: int) -> Self:
        """The position after a move; raises IllegalMove with the reason.

        >>> from ninefold import find_game
        >>> find_game("swap-nine").begin().play(4)
        SwapNine('.../.X./... O first=X')
        """

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        """The refusal of a path of choices, or of the beginning of one, in the words of a naming.

        >>> from ninefold import find_game
        >>> game = find_game("classic")
        >>> print(game.begin().play(4).why_not((4,), game.naming))
        Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9.
        """


class ShownPosition:
    """How a position shows itself in Python: short, and as a picture in notebooks. Positions derive from it and from a
    ``NamedTuple`` of their fields."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _repr_svg_(self) -> str:
        from ninefold.core.svg import draw

        return draw(cast("Position", self), boards=hasattr(self, "owners"))


class SymmetricPosition(Position, Protocol):
    """A position of a game whose rules are the same on a board that is turned or turned over."""

    def transform(self, symmetry: int) -> Self:
        """The position on the board that a symmetry, 0 to 7 as in ``grid.SYMMETRIES``, has turned."""


class BoardOfBoards(Position, Protocol):
    """A position whose nine cells are boards of nine themselves."""

    @property
    def owners(self) -> tuple[str, ...]:
        """The owner of each board: "" while it is alive, "X", "O", or "XO" or "=" for a drawn one."""

    @property
    def open_boards(self) -> tuple[int, ...]:
        """The boards that may be played in now."""
