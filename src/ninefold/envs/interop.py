"""Games as OpenSpiel and PettingZoo write them down, and back.

OpenSpiel's ``tic_tac_toe`` is our classic, number by number. Its ``ultimate_tic_tac_toe`` splits a free choice into two
actions of the same player, first the board and then the cell; where a player was sent to a board, the cell alone is the
action. PettingZoo's ``tictactoe_v3`` counts cells down the columns.

>>> from ninefold.games import find_game
>>> to_openspiel(find_game("ultimate"), [40, 37, 9])
[4, 4, 1, 0]
>>> from_openspiel(find_game("ultimate"), [4, 4, 1, 0])
[40, 37, 9]
>>> [pettingzoo_cell(cell) for cell in range(9)]
[0, 3, 6, 1, 4, 7, 2, 5, 8]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ninefold import actions
from ninefold.core import NotAllowed, O, Position, Side, Unreadable, X
from ninefold.game import Game
from ninefold.games import find_game
from ninefold.games.squared import Squared
from ninefold.match import Match, begin

OPENSPIEL = {"classic": "tic_tac_toe", "ultimate": "ultimate_tic_tac_toe"}
PLAIN = {"classic": {"early_draw": "no"}, "ultimate": {}}  # they know no early draw


def openspiel_actions(position: Position, move: int) -> list[int]:
    """The actions that a move is in OpenSpiel: one, or a board and then a cell."""
    if not isinstance(position, Squared):
        return [move]
    board, cell = divmod(move, 9)
    return [cell] if position.board is not None else [board, cell]


def to_openspiel(game: Game, moves: Iterable[int]) -> list[int]:
    """Moves from the start of a game as OpenSpiel's actions."""
    _name(game)
    position, found = game.begin(), list[int]()
    for move in moves:
        found += openspiel_actions(position, move)
        position = position.play(move)
    return found


def from_openspiel(game: Game, history: Sequence[int]) -> list[int]:
    """OpenSpiel's actions from the start of a game as moves. A board that was chosen without a cell is not a move yet."""
    _name(game)
    position, moves, waiting = game.begin(), list[int](), list(history)
    while waiting:
        if not isinstance(position, Squared):
            move = waiting.pop(0)
        elif position.board is not None:
            move = position.board * 9 + waiting.pop(0)
        elif len(waiting) > 1:
            move = waiting.pop(0) * 9 + waiting.pop(0)
        else:
            raise NotAllowed("half_a_move", "A board was chosen and no cell yet.", "Convert it after the next action.")
        position = position.play(move)
        moves.append(move)
    return moves


def openspiel_state(match: Match) -> Any:
    """A state of OpenSpiel that stands where a match stands."""
    import pyspiel

    if match.setup.start != match.game.begin():
        raise NotAllowed("other_rules", "OpenSpiel knows no options of the rules.", "Play with the defaults.")
    state = pyspiel.load_game(_name(match.game)).new_initial_state()
    for action in to_openspiel(match.game, match.state.moves):
        state.apply_action(action)
    return state


def openspiel_match(state: Any) -> Match:
    """A match that stands where a state of OpenSpiel stands; it can be saved as a log or a record."""
    name = state.get_game().get_type().short_name
    ids = {theirs: ours for ours, theirs in OPENSPIEL.items()}
    if name not in ids:
        raise Unreadable("no_such_game", f"{name} is not one of our games.", f"Games: {' '.join(ids)}.")
    game = find_game(ids[name])
    match = begin(game, PLAIN[game.id])
    for move in from_openspiel(game, state.history()):
        match = match.act(match.asked or 1, actions.move(move))
    return match


def pettingzoo_cell(cell: int) -> int:
    """A cell by its number down the columns, and one of those by ours: the way there is the way back."""
    return cell % 3 * 3 + cell // 3


def pettingzoo_squares(position: Position) -> list[int]:
    """A classic position as the board of ``tictactoe_v3`` holds it: 0 free, 1 the first player's, 2 the second's."""
    marks = position.cells
    return [{None: 0, X: 1, O: 2}[marks[pettingzoo_cell(square)]] for square in range(9)]


def pettingzoo_position(squares: Sequence[int]) -> Position:
    """The classic position on a board of ``tictactoe_v3``."""
    if len(squares) != 9 or any(square not in (0, 1, 2) for square in squares):
        raise Unreadable("not_a_position", "A board of PettingZoo has nine squares, 0, 1 or 2 each.")
    marks = ["." if not squares[pettingzoo_cell(cell)] else str(Side(squares[pettingzoo_cell(cell)] - 1)) for cell in range(9)]
    turn = X if marks.count("X") == marks.count("O") else O
    rows = "/".join("".join(marks[row : row + 3]) for row in (0, 3, 6))
    return find_game("classic").parse(f"{rows} {turn}")


def _name(game: Game) -> str:
    if game.id not in OPENSPIEL:
        raise Unreadable("no_such_game", f"OpenSpiel has no {game.title}.", f"Games: {' '.join(OPENSPIEL)}.")
    return OPENSPIEL[game.id]
