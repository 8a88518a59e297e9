"""What the signs on a board of the full screen mean, for the page with the rules."""

from __future__ import annotations

from ninefold.core.game import Game
from ninefold.core.messages import text

_WINS = "X wins"  # in the words of the board
# Each sign as it is drawn, and the code of what it means.
BOARDS = (
    ("┏━┓", "signs.open"),
    ("╔═╗", "signs.chosen_board"),
    ("┏╍┓", "signs.target"),
    ("( )", "signs.last"),
    ("[ ]", "signs.cursor"),
    ("▸ ◂", "signs.hint"),
    ("x  o", "signs.threat_board"),
    ("*", "signs.best"),
)
GRID = (
    ("╭ ╮", "signs.last"),
    ("╭─╮", "signs.cursor"),
    ("┏━┓", "signs.line"),
    ("▸ ◂", "signs.hint"),
    (_WINS, "signs.threat"),
    ("+3 = -2", "signs.values"),
)
CLAIMS = (("╔═╗", "signs.claimed"),)
SWAPS = (("┏━┓ X→O", "signs.swap"), ("┌╌┐", "signs.option"))


def describe_signs(game: Game, *, claims: bool = False) -> str:
    """The signs on the board of a game, line by line."""
    if game.picture.boards:
        signs = BOARDS
    else:
        signs = (*GRID, *(SWAPS if game.may_decline else ()), *(CLAIMS if claims else ()))
    drawn = [(text("board.wins", side="X") if sign == _WINS else sign, text(code)) for sign, code in signs]
    return "\n".join([text("signs.heading"), *(f"  {sign:<14}{meaning}" for sign, meaning in drawn), ""])
