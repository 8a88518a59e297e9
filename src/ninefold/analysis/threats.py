"""Where a side could win at its next move: the game, a board of it, or a line that may be claimed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.core.game import Game
from ninefold.core.grid import lines_in, mask_of
from ninefold.core.position import Position, Side

MAX_MOVES = 18  # of which every one is tried; more would take long


@lru_cache(256)
def threats(game: Game, position: Position, *, claims: bool = False, max_moves: int = MAX_MOVES) -> dict[int, str]:
    """The empty cells on which X or O (or both, "XO") could win next: the side to move with this move, the other side
    with its reply. Cells are numbered as in ``position.cells``.

    >>> from ninefold.games import find_game
    >>> classic = find_game("classic")
    >>> threats(classic, classic.parse("XX./OO./... X"))
    {2: 'X', 5: 'O'}
    """
    mover = position.turn
    mine = _wins(game, position, claims)
    theirs: set[int] = set()
    for after in _after_moves(position, max_moves):
        theirs |= _wins(game, after, claims)
    sides = {Side.X: mine if mover is Side.X else theirs, Side.O: mine if mover is Side.O else theirs}
    return {
        cell: "".join(side.name for side in Side if cell in sides[side])
        for cell in sorted(mine | theirs)
        if position.cells[cell] is None
    }


def _after_moves(position: Position, max_moves: int) -> list[Any]:
    """The positions in which the other side may have to reply. Where there are many moves, as on a board of boards, two
    for each board to which it can be sent: a cell that wins there wins after either of them, or after the one that does
    not take this cell itself."""
    every: list[Any] = [position.play(move) for move in position.moves()]
    if len(every) <= max_moves:
        return every
    sent: dict[tuple[int, ...], list[Any]] = {}
    for after in every:
        sent.setdefault(after.open_boards, []).append(after)
    return [after for alike in sent.values() for after in alike[:2]]


def _wins(game: Game, position: Position, claims: bool) -> set[int]:
    """The cells on which the side to move wins the game or a board at once."""
    wins = _completes if claims else _is_won
    winning = [move for move in position.moves() if wins(game, position, move)]
    return {cell for move in winning for cell in game.effects(position, move).cells if position.cells[cell] is None}


def _completes(_: Game, position: Position, move: int) -> bool:
    """True if a move makes one more line to be claimed."""
    return _lines(position.play(move), position.turn) > _lines(position, position.turn)


def _lines(position: Position, side: Side) -> int:
    return len(lines_in(mask_of(cell for cell, mark in enumerate(position.cells) if mark is side)))


def _is_won(game: Game, position: Position, move: int) -> bool:
    after = position.play(move)
    if after.outcome:
        return after.outcome.winner is position.turn
    return game.picture.boards and _owned(after, position.turn) > _owned(position, position.turn)


def _owned(position: Any, side: Side) -> int:
    owners: tuple[str, ...] = position.owners
    return owners.count(side.name)
