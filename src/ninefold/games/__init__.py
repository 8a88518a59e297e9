"""Every game there is: each module here that holds a ``Game``. A new game is one new file."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game, in_chosen_language

# The order everywhere: boards of nine, then boards of boards. A game that is not named here comes last of its kind.
_ORDER = ("classic", "agents", "swap-nine", "squared", "ultimate")


@cache
def all_games() -> dict[str, Game]:
    """The games by id, in the language that was chosen before they were first asked for.

    >>> list(all_games())
    ['classic', 'agents', 'swap-nine', 'squared', 'ultimate']
    """
    found: dict[str, Game] = {}
    files = sorted(file for folder in __path__ for file in os.listdir(folder))
    for module in (file.removesuffix(".py") for file in files if file.endswith(".py") and not file.startswith("_")):
        for value in vars(import_module(f"{__name__}.{module}")).values():
            if isinstance(value, Game):
                found[value.id] = in_chosen_language(value)
    return {game.id: game for game in sorted(found.values(), key=_place)}


def _place(game: Game) -> tuple[bool, int, str]:
    return game.picture.boards, _ORDER.index(game.id) if game.id in _ORDER else len(_ORDER), game.id


def find_game(game_id: str | Game) -> Game:
    """The game with this id; a game is returned as it is.

    >>> find_game("classic")
    <Game classic: Tic-Tac-Toe>
    """
    if isinstance(game_id, Game):
        return game_id
    games = all_games()
    if not game_id:
        raise Unreadable("no_such_game.unnamed", games=" ".join(games))
    if not isinstance(game_id, str) or game_id not in games:
        raise Unreadable("no_such_game", game=quoted(str(game_id)), games=" ".join(games))
    return games[game_id]


def rule_sets() -> dict[str, Game]:
    """The games that are not another game's preset."""
    return {game.id: game for game in all_games().values() if not game.is_preset}
