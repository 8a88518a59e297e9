"""One short game of each, as the squares that are pressed: so that people with a mouse know what to play."""

from __future__ import annotations

import re
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.grid import LINES
from ninefold.core.position import Path
from ninefold.match import actions
from ninefold.match.match import Match, begin

# In the words of their players. Where a line must be claimed, it is the last mover's.
MOVES = {
    "classic": "5 1 2 8 6 7 4",
    "agents": "[0,0] [0,1] [1,1] [0,2] [2,2]",
    "squared": "53 31 15 55 57 72 23 36 65 59 96 62 27 71 13 35 54 42 25 51 17 73 33 39",
    "ultimate": "92 29 98 84 49 91 16 63 36 61 13 34 43 37 78 81 19 97 79 94 46 64 77",
    "swap-nine": "3 6x3 2 8 4 5x4 9x8 7x8 1x4",
}


# Sixty moves of squared, after which the game goes on.
LONG_GAME = (
    "65 51 17 75 53 31 16 63 36 66 68 83 38 85 58 82 28 86 64 43 33 32 24 45 57 78 89 92 21 18 84 44 49 94 42 26 62 23 "
    "34 47 73 35 59 97 72 22 25 29 93 37 71 11 15 98 81 12 88 87 91 19"
)


class Ply(NamedTuple):
    """A move: whose it is, and the squares to press one after the other."""

    side: str
    squares: tuple[int, ...]


class ShortGame(NamedTuple):
    plies: tuple[Ply, ...]
    claim: tuple[int, ...] | None  # the line that wins, where it must be claimed
    end: Match

    @property
    def sentence(self) -> str:
        assert self.end.result
        return self.end.result.sentence(self.end.game)

    @property
    def shown(self) -> str:
        """The sentence as pages show it, where the lines are drawn and not named."""
        return re.sub(r" \([^()]*\)\.$", ".", self.sentence)

    @property
    def winner(self) -> str:
        assert self.end.result
        return str(self.end.result.outcome.winner)


def short_game(game: Game) -> ShortGame:
    """A game with a winner; one that has no moves here is played by its first moves."""
    match, plies = begin(game), []
    texts = iter(MOVES.get(game.id, "").split())
    while match.to_act and (text := next(texts, "" if game.id in MOVES else game.name(match.position.moves()[0]))):
        move = game.move_at(match.position, game.parse_move(text))
        plies.append(Ply(str(match.position.turn), squares(match, game.paths[move])))
        match = match.act(match.to_act, actions.move(move))
    claim = None
    if match.to_act:
        mover = match.position.turn.other
        claim = next(line for line in LINES if all(match.position.cells[cell] == mover for cell in line))
        match = match.act(3 - match.to_act, actions.claim(claim))
        assert match.to_act
        match = match.act(match.to_act, actions.CONFIRM)
    return ShortGame(tuple(plies), claim, match)


def squares(match: Match, path: Path) -> tuple[int, ...]:
    """What is pressed to play a path. A choice that could follow is declined by pressing the same square again."""
    if match.game.picture.boards:
        return (path[0] * 9 + path[1],)
    following, _ = match.game.choices(match.position, path)
    return (*path, path[-1]) if following else path
