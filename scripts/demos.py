"""Writes server/http/static/lobby/demo-games.js: one game of each kind, move by move, for the boards of the first page.

python -m scripts.demos     writes it anew
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from ninefold.core.game import Effects, Game
from ninefold.core.grid import LINES
from ninefold.core.position import BoardOfBoards, Position
from ninefold.games import find_game

FILE = Path(__file__).parents[1] / "src" / "ninefold" / "server" / "http" / "static" / "lobby" / "demo-games.js"
# Played once by computers of unequal strength, and chosen because something happens in them.
MOVES = {
    "classic": "5 1 2 8 6 7 4",
    "agents": "[0,0] [0,1] [2,0] [1,0] [1,1] [0,2] [2,2]",
    "squared": (
        "55 57 77 71 14 46 62 29 91 16 68 87 78 84 44 48 81 11 12 27 79 96 66 "
        "61 19 92 28 86 64 42 21 17 56 65 54 47 31 18 88 85 41 13 34 43 37"
    ),
    "ultimate": (
        "14 44 49 97 78 82 26 62 25 51 15 52 27 71 19 91 11 72 28 85 55 53 35 "
        "39 99 94 47 77 74 48 88 84 46 64 43 37 79 73 32 21 86 66 68 83 31 38"
    ),
    "swap-nine": "2 1x2 4x1 7x4 3x2 5x2 8x5 6x5 9x6",
}
HEAD = """\
/**
 * One short game of each kind for the boards of the start page: what each move changes, as the rules said it.
 * Written by `make demos`, never by hand: a game that is not here shows its empty board.
 *
 * @type {Record<string, {open: number[], lines: number[][], moves: {cells: Record<string, string>, \
boards?: Record<string, string>, opens?: number[]}[]}>}
 */
export const DEMOS = {
"""


def module() -> str:
    """The text of the file."""
    return HEAD + "".join(_demo(find_game(id), moves.split()) for id, moves in MOVES.items()) + "};\n"


def _demo(game: Game, moves: Sequence[str]) -> str:
    position = game.begin()
    steps = []
    for text in moves:
        move = game.move_at(position, game.parse_move(text))
        steps.append(f"      {_step(game, game.effects(position, move))},\n")
        position = position.play(move)
    name = game.id if game.id.isidentifier() else json.dumps(game.id)
    begin = cast("BoardOfBoards", game.begin()).open_boards if game.picture.boards else ()
    return (
        f"  {name}: {{\n    open: {list(begin)},\n    lines: {[list(line) for line in _lines(position)]},\n"
        f"    moves: [\n{''.join(steps)}    ],\n  }},\n"
    )


def _step(game: Game, effects: Effects) -> str:
    parts = [f"cells: {_object(effects.cells)}"]
    if effects.boards:
        parts.append(f"boards: {_object(effects.boards)}")
    if game.picture.boards:
        parts.append(f"opens: {list(effects.opens)}")
    return f"{{ {', '.join(parts)} }}"


def _object(marks: Mapping[int, str]) -> str:
    return f"{{ {', '.join(f'{place}: {json.dumps(mark)}' for place, mark in sorted(marks.items()))} }}"


def _lines(position: Position) -> Sequence[Sequence[int]]:
    """The lines that decided; where one has to be claimed, it is the last mover's."""
    if position.outcome:
        return position.outcome.lines
    mover = position.turn.other
    return [line for line in LINES if all(position.cells[cell] == mover for cell in line)]


def main() -> None:
    FILE.write_text(module(), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
