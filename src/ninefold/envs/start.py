"""How the games of environments start: by the rules alone. Options of matches, claims and early draws, are off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.state_table import table_of
from ninefold.games import find_game

Options = Mapping[str, str] | None
_OF_API_TESTS = ("options",)  # PettingZoo's test resets every environment with this name, which means nothing


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


def duel_from(game: Game, start: Position, options: Any, side: str) -> Position:
    """Where a game of an agent on this side begins, which has at least one move: a reset returns no reward."""
    position = start_from(game, start, options)
    of_agent = position.turn.name
    if side != of_agent and position != start and any(position.play(move).outcome for move in position.moves()):
        raise NotAllowed("position_ended.reply", side=of_agent)
    return position


def start_from(game: Game, start: Position, options: Any) -> Position:
    """Where a game begins that is reset with options: at their ``position``, which may be its text, or at the start."""
    if options is None:
        return start
    if not isinstance(options, Mapping):
        raise TypeError(text("envs.reset_options", value=repr(options)))
    for name in options:
        if name not in ("position", *_OF_API_TESTS):
            raise Unreadable("no_such_option.reset", option=quoted(str(name)))
    return _playable(game, start, options["position"]) if "position" in options else start


def _playable(game: Game, start: Position, given: Any) -> Position:
    """A position of these rules, from which moves can be played."""
    if isinstance(given, str):
        given = game.parse_position(given, {**game.settle_options(), **start.options})
    check_rules(game, start, given)
    if given.outcome:
        raise NotAllowed("position_ended")
    if game.small:
        table_of(game, start).state(given)  # refuses what cannot arise in play
    position: Position = given
    return position


def check_rules(game: Game, start: Position, position: Any) -> None:
    """Refuse what is not a position of these rules."""
    if not hasattr(position, "why_not"):
        raise TypeError(text("envs.position", value=repr(position)))
    # Positions of the big games are of two classes, one of them derived from the other.
    if not (isinstance(position, type(start)) or isinstance(start, type(position))):
        raise NotAllowed("other_rules.game", game=game.id)
    if position.options != start.options:
        found, expected = (_format_options(one.options) for one in (position, start))
        raise NotAllowed("other_rules.options", found=found, expected=expected)


def _format_options(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def match_options_off(game: Game) -> dict[str, str]:
    """The options of a match that are turned off."""
    return {option.name: "no" for option in game.options if option.of_match}
