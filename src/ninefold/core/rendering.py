"""A position as text: each game as its own document draws it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, cast

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Outcome, Path, Position, Side

__all__ = ["BoardStyle", "picture"]

_CODES = {"X": "36", "O": "33", "last": "1;4", "line": "1;7", "free": "2"}


class BoardStyle(NamedTuple):
    """The style of a drawn board: in colour or not, and with which text on free cells (None for their names).

    >>> from ninefold import find_game
    >>> game = find_game("classic")
    >>> print(picture(game, game.begin(), look=BoardStyle(blank=".")))
    . | . | .
    . | . | .
    . | . | .
    """

    colour: bool = False
    blank: str | None = None

    def paint(self, text: str, *kinds: str) -> str:
        """A text in colours, if the style has any.

        >>> BoardStyle().paint("X", "X", "last"), BoardStyle(colour=True).paint("X", "X") == "X"
        ('X', False)
        """
        if not self.colour or not kinds:
            return text
        return f"\x1b[{';'.join(_CODES[kind] for kind in kinds)}m{text}\x1b[0m"


PLAIN = BoardStyle()


def picture(
    game: Game,
    position: Position,
    *,
    last: Collection[int] = (),
    chosen: Path = (),
    outcome: Outcome | None = None,
    look: BoardStyle = PLAIN,
) -> str:
    """The board. ``last`` are the cells of the last move, ``chosen`` is the board selected so far.

    >>> from ninefold import find_game
    >>> game = find_game("swap-nine")
    >>> print(picture(game, game.begin().play(4)))
     1 | 2 | 3
    -----------
     4 | X | 6
    -----------
     7 | 8 | 9
    """
    decided = outcome or position.outcome
    line = {cell for line in decided.lines for cell in line} if decided else set()
    if game.picture.boards:
        return _boards(cast("BoardOfBoards", position), last, chosen, line, look)
    return _grid(game, position, last, line, look)


def _grid(game: Game, position: Position, last: Collection[int], line: Collection[int], look: BoardStyle) -> str:
    names = game.naming.names
    width = max(map(len, names))
    shown = []
    for cell, mark in enumerate(position.cells):
        free = names[cell] if look.blank is None else look.blank
        text = f"{free if mark is None else mark.name:^{width}}"
        shown.append(look.paint(text, *_kinds(mark, cell in last, cell in line)))
    rows = [(game.picture.margin + " | ".join(shown[row : row + 3])).rstrip() for row in (0, 3, 6)]
    rule = f"{game.picture.rule}\n" if game.picture.rule else ""
    return f"\n{rule}".join(rows)


def _kinds(mark: Side | None, last: bool, line: bool) -> tuple[str, ...]:
    if mark is None:
        return ("free",)
    return (mark.name, *(("line",) if line else ("last",) if last else ()))


def _boards(
    position: BoardOfBoards, last: Collection[int], chosen: Path, line: Collection[int], look: BoardStyle
) -> str:
    framed = chosen[:1] or position.open_boards
    blocks = [_block(position, board, board in framed, board in line, last, look) for board in range(9)]
    rows = [zip(*blocks[top : top + 3], strict=True) for top in (0, 3, 6)]
    return f"\n{'#' * 23}\n".join("\n".join("#".join(parts).rstrip() for parts in row) for row in rows)


def _block(
    position: BoardOfBoards, board: int, framed: bool, line: bool, last: Collection[int], look: BoardStyle
) -> list[str]:
    """One small board, five rows of seven characters."""
    owner = position.owners[board]
    shown = []
    for cell, mark in enumerate(position.cells[board * 9 : board * 9 + 9]):
        kinds = _kinds(mark, board * 9 + cell in last, False)
        shown.append(look.paint("." if mark is None else mark.name, *kinds))
    rows = ["".join(shown[row : row + 3]) for row in (0, 3, 6)]
    if owner:
        return _dead(rows, owner, line, look)
    if framed:
        return [r" /---\ ", *(f" |{row}| " for row in rows), r" \---/ "]
    return [" " * 7, *(f"  {row}  " for row in rows), " " * 7]


def _dead(rows: list[str], owner: str, line: bool, look: BoardStyle) -> list[str]:
    """A dead board stands in a frame of its owner's marks; of both, where a drawn board is both players'."""
    around = (owner * 7)[:7]
    kinds = (*((owner,) if owner in _CODES else ()), *(("line",) if line else ()))
    edge, left, right = (look.paint(text, *kinds) for text in (around, around[0], around[-1]))
    return [edge, *(f"{left} {row} {right}" for row in rows), edge]
