"""How the games of environments start: by the rules alone. What belongs to a match, claims and early draws, is off."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.core import Position, Unreadable
from ninefold.game import Game

Options = Mapping[str, str] | None


def start_of(game: Game, options: Options = None) -> Position:
    """Where a game starts with options of its rules."""
    of_rules = [option.name for option in game.options if not option.of_match]
    for name in options or {}:
        if name in off(game):
            raise Unreadable("no_such_option", f"Environments play without {name}.", f"Options: {' '.join(of_rules)}.")
    return game.begin(options)


def off(game: Game) -> dict[str, str]:
    """The options of a match that are turned off."""
    return {option.name: "no" for option in game.options if option.of_match}
