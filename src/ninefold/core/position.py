"""Sides, outcomes, and the protocol that every position follows."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple, Protocol, Self

from ninefold.core.errors import IllegalMove
from ninefold.core.grid import Naming
from ninefold.core.messages import Message

Path = tuple[int, ...]
SideName = Literal["X", "O"]


class Side(IntEnum):
    """X or O. An int, so that it indexes pairs and hashes fast."""

    X = 0
    O = 1

    @property
    def other(self) -> Side:
        return Side.O if self is Side.X else Side.X

    @property
    def symbol(self) -> SideName:
        return "O" if self else "X"

    def __str__(self) -> str:
        return self.name


X, O = Side.X, Side.O


class Outcome(NamedTuple):
    """The end of a game: who won (None for a draw), a stable reason for programs, why, and the deciding lines."""

    winner: Side | None
    reason: str
    why: Message
    lines: tuple[Path, ...] = ()


class Position(Protocol):
    """An immutable, hashable value that knows its own rules; rule options are part of it."""

    @property
    def turn(self) -> Side:
        """Whose move it is."""

    @property
    def options(self) -> dict[str, str]:
        """The rule options it is played with, as text."""

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it goes on."""

    @property
    def cells(self) -> tuple[Side | None, ...]:
        """The marks: nine, or eighty-one in the order of move numbers."""

    def __hash__(self) -> int: ...

    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; empty exactly when the position is final."""

    def play(self, move: int) -> Self:
        """The position after a move; raises IllegalMove with the reason."""

    def why_not(self, path: Path, naming: Naming) -> IllegalMove:
        """The refusal of a path of choices, or of the beginning of one, in the words of a naming."""


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
