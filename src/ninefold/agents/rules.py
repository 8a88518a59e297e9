"""The rules for those who call tools: what holds for everybody, and how places are named in what is sent and shown."""

from __future__ import annotations

from ninefold.core.game import Game

_CELLS = """\
A cell is {cells}.
A move is sent as text, such as "{move}".
In the shared board, "board" has the cells row by row from the top left;
"path" and the "cells" of a claim count them in the same order from 0.
"""
_BOARDS = """\
A board or a cell is {cells}.
A move is sent as text, such as "{move}". "open_boards" are the boards that may be
played in now; where there is only one, the cell alone will do.
In the shared board, "board" has the boards row by row from the top left, in
the order {order}, and each of them has its cells in that order;
"path" counts them in the same order from 0.
"""


def rules(game: Game) -> str:
    places = _BOARDS if game.picture.boards else _CELLS
    named = places.format(
        cells=game.naming.help, move=game.name(len(game.paths) - 1), order=" ".join(game.naming.names)
    )
    return f"{game.title}\n\n{game.rules}\n{named}{game.options_page()}"
