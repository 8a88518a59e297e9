"""How the games of environments start: by the rules alone. What belongs to a match, claims and early draws, is off."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import find_game

Options = Mapping[str, str] | None


def game_of(game: str | Game) -> Game:
    """A game, or the one of that name."""
    if not isinstance(game, str | Game):
        raise TypeError(f"A game is given by its name, such as 'classic', not by {game!r}.")
    return game if isinstance(game, Game) else find_game(game)


def start_of(game: Game, options: Options = None) -> Position:
    """Where a game starts with options of its rules."""
    if not isinstance(options, Mapping | None):
        raise TypeError(f"Options are a dict of names and values, such as {{'first': 'O'}}, not {options!r}.")
    of_rules = tuple(option for option in game.options if not option.of_match)
    for name in options or {}:
        if name in off(game):
            names = " ".join(option.name for option in of_rules)
            raise Unreadable("no_such_option", f"Environments play without {name}.", f"Options: {names}.")
    game._replace(options=of_rules).settle_options(options)  # refuses the others, and names none that is off
    return game.begin(options)


def off(game: Game) -> dict[str, str]:
    """The options of a match that are turned off."""
    return {option.name: "no" for option in game.options if option.of_match}
