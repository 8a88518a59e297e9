"""How the games of environments start: by the rules alone. Options of matches, claims and early draws, are off."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.games import find_game

Options = Mapping[str, str] | None


def game_of(game: str | Game) -> Game:
    """A game, or the game of this name."""
    if not isinstance(game, str | Game):
        raise TypeError(text("envs.game", value=repr(game)))
    return game if isinstance(game, Game) else find_game(game)


def start_of(game: Game, options: Options = None) -> Position:
    """The first position of a game with options of its rules."""
    if not isinstance(options, Mapping | None):
        raise TypeError(text("envs.options", value=repr(options)))
    of_rules = tuple(option for option in game.options if not option.of_match)
    for name in options or {}:
        if name in match_options_off(game):
            raise Unreadable("no_such_option.env", option=name, options=" ".join(one.name for one in of_rules))
    game._replace(options=of_rules).settle_options(
        options
    )  # refuses unknown options, and does not name those that are off
    return game.begin(options)


def match_options_off(game: Game) -> dict[str, str]:
    """The options of a match that are turned off."""
    return {option.name: "no" for option in game.options if option.of_match}
