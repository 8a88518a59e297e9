"""Conversion of games from and to OpenSpiel and PettingZoo.

OpenSpiel's ``tic_tac_toe`` is our classic, with the same numbers. Its ``ultimate_tic_tac_toe`` splits a free choice
into two actions of the same player, first the board and then the cell; where a player was sent to a board, the cell
alone is the action. PettingZoo's ``tictactoe_v3`` numbers cells down the columns.

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

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.core.messages import text
from ninefold.core.position import O, Position, X
from ninefold.core.state_table import table_of
from ninefold.envs import needs
from ninefold.envs.start import match_options_off
from ninefold.games import find_game
from ninefold.games.classic import Classic
from ninefold.games.squared import Squared
from ninefold.match import actions
from ninefold.match.match import Match, begin

__all__ = [
    "from_openspiel",
    "openspiel_actions",
    "openspiel_match",
    "openspiel_state",
    "pettingzoo_cell",
    "pettingzoo_position",
    "pettingzoo_squares",
    "to_openspiel",
]

OPENSPIEL = {"classic": "tic_tac_toe", "ultimate": "ultimate_tic_tac_toe"}
_MARKS = {None: 0, X: 1, O: 2}  # as PettingZoo has them


def openspiel_actions(position: Position, move: int) -> list[int]:
    """The actions that a move is in OpenSpiel: one, or a board and then a cell.

    >>> start = find_game("ultimate").begin()
    >>> openspiel_actions(start, 40), openspiel_actions(start.play(40), 37)
    ([4, 4], [1])
    """
    if not isinstance(position, Squared):
        return [move]
    board, cell = divmod(move, 9)
    return [board, cell] if position.board is None else [cell]


def to_openspiel(game: Game, moves: Iterable[int]) -> list[int]:
    """Moves from the start of a game as OpenSpiel's actions.

    >>> to_openspiel(find_game("ultimate"), [40, 37])
    [4, 4, 1]
    """
    position, found = _start(game), list[int]()
    for move in (as_integer("move", move) for move in moves):
        after = position.play(move)
        found += openspiel_actions(position, move)
        position = after
    return found


def from_openspiel(game: Game, history: Iterable[int]) -> list[int]:
    """OpenSpiel's actions from the start of a game as moves. A board chosen without a cell is not a move yet.

    >>> from_openspiel(find_game("ultimate"), [4, 4, 1])
    [40, 37]
    """
    position, moves, chosen = _start(game), list[int](), list[int]()
    for action in (as_integer("action", action) for action in history):
        if action not in range(9):
            raise Unreadable("not_a_move.openspiel", action=action)
        chosen.append(action)
        move = _move(position, chosen)
        if move is not None:
            position = position.play(move)
            moves.append(move)
            chosen.clear()
    if chosen:
        raise NotAllowed("half_a_move")
    return moves


def _move(position: Position, chosen: Sequence[int]) -> int | None:
    """The move that a player's actions make together; None while one is missing."""
    if isinstance(position, Squared):
        board, *cell = chosen if position.board is None else (position.board, *chosen)
        return board * 9 + cell[0] if cell else None
    return chosen[0]


def openspiel_state(match: Match) -> Any:
    """A state of OpenSpiel that stands where a match stands.

    >>> str(openspiel_state(begin("classic", early_draw="no").act(1, 4))).split()
    ['...', '.x.', '...']
    """
    if not isinstance(match, Match):
        raise TypeError(text("envs.match", found=type(match).__name__))
    with needs():
        import pyspiel

    if match.setup.start != _start(match.game):
        raise NotAllowed("other_rules.openspiel")
    if match.result and not match.position.outcome:
        raise NotAllowed("not_on_the_board", result=match.result.sentence(match.game))
    state = pyspiel.load_game(OPENSPIEL[match.game.id]).new_initial_state()
    for action in to_openspiel(match.game, match.state.moves):
        state.apply_action(action)
    return state


def openspiel_match(state: Any) -> Match:
    """A match that stands where a state of OpenSpiel stands; it can be saved as a log or a record.

    >>> import pyspiel
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> state.apply_action(4)
    >>> openspiel_match(state)
    <Match of classic: 5, O to act>
    """
    if not hasattr(state, "get_game"):
        raise TypeError(text("envs.openspiel_state", found=type(state).__name__))
    name = state.get_game().get_type().short_name
    ids = {theirs: ours for ours, theirs in OPENSPIEL.items()}
    if name not in ids:
        raise Unreadable("no_such_game.not_ours", game=name, games=" ".join(ids))
    game = find_game(ids[name])
    match = begin(game, match_options_off(game))
    for move in from_openspiel(game, state.history()):
        match = match.act(match.to_act or 1, actions.move(move))
    return match


def pettingzoo_cell(cell: int) -> int:
    """The number of a cell down the columns from our number, or our number from that one: it is its own inverse.

    >>> pettingzoo_cell(1), pettingzoo_cell(3), pettingzoo_cell(4)
    (3, 1, 4)
    """
    cell = as_integer("cell", cell)
    if cell not in range(9):
        raise Unreadable("not_a_move.cell", cell=cell)
    return cell % 3 * 3 + cell // 3


def pettingzoo_squares(position: Position) -> list[int]:
    """A classic position as the board of ``tictactoe_v3`` holds it: 0 free, 1 the first player's, 2 the second's.

    >>> pettingzoo_squares(find_game("classic").begin().play(1))
    [0, 0, 0, 1, 0, 0, 0, 0, 0]
    """
    if not isinstance(position, Classic):
        raise Unreadable("not_a_position.pettingzoo")
    return [_MARKS[position.cells[pettingzoo_cell(square)]] for square in range(9)]


def pettingzoo_position(squares: Sequence[int]) -> Position:
    """The classic position on a board of ``tictactoe_v3``.

    >>> pettingzoo_position([0, 0, 0, 1, 0, 0, 0, 0, 0]) == find_game("classic").begin().play(1)
    True
    """
    squares = [as_integer("square", square) for square in squares]
    if len(squares) != 9 or any(square not in (0, 1, 2) for square in squares):
        raise Unreadable("not_a_position.squares")
    marks = "".join(".XO"[squares[pettingzoo_cell(cell)]] for cell in range(9))
    turn = X if marks.count("X") == marks.count("O") else O
    classic = find_game("classic")
    position = classic.parse(f"{marks[:3]}/{marks[3:6]}/{marks[6:]} {turn}")
    table_of(classic, classic.begin()).state(position)  # refuses what cannot arise in play
    return position


def _start(game: Game) -> Position:
    if not isinstance(game, Game):
        raise TypeError(text("envs.openspiel_game", value=repr(game)))
    if game.id not in OPENSPIEL:
        raise Unreadable("no_such_game.openspiel", game=game.id, games=" ".join(OPENSPIEL))
    return game.begin()
