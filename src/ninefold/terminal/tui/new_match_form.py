"""What a new match is to be like: the game, who plays, who starts, the clock. Values only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ninefold.core.game import Game, Option
from ninefold.core.position import Side
from ninefold.match.match import Match
from ninefold.match.state import HUMAN, Seat
from ninefold.players.player import levels
from ninefold.terminal.new_match import new_match


class Opponent(StrEnum):
    """Whom people can choose to play against, as they read it."""

    COMPUTER = "the computer"
    FRIEND = "a friend here"
    TWO_COMPUTERS = "two computers"


OPPONENTS = tuple(Opponent)
# What a clock is called; the seconds of a side, and what a move adds.
CLOCKS = {
    "none": None,
    "1 min": (60, 0),
    "3 min + 2 s": (180, 2),
    "5 min": (300, 0),
    "10 min + 5 s": (600, 5),
    "30 min": (1800, 0),
}
MEDIUM = 1  # of the levels, weakest first


class Setting(NamedTuple):
    """One thing to choose: its field, what people call it, its values, and the place of the chosen one."""

    field: str
    label: str
    values: tuple[str, ...]
    chosen: int

    @property
    def value(self) -> str:
        return self.values[self.chosen]


class Wishes(NamedTuple):
    """Every number is a place in the values of its setting."""

    game: Game
    opponent: int = 0
    level: int = MEDIUM
    other_level: int = MEDIUM
    side: int = 0
    first: int = 0
    clock: int = 0

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is to be chosen now, in order."""
        strengths = levels(self.game)
        level = Setting("level", "Level", strengths, self.level)
        other = level._replace(field="other_level", chosen=self.other_level)
        side = Setting("side", "You play", ("X", "O"), self.side)
        by_opponent = {
            Opponent.COMPUTER: (level, side),
            Opponent.FRIEND: (side._replace(label="Player 1"),) if self.game.ask_sign else (),
            Opponent.TWO_COMPUTERS: (level._replace(label="X plays"), other._replace(label="O plays")),
        }
        first = tuple(option for option in self.game.options if option.name == "first")
        starts = (Setting("first", "Starts", (*_default_first(first[0]), "toss"), self.first),) if first else ()
        return (
            Setting("opponent", "Opponent", OPPONENTS, self.opponent),
            *by_opponent[OPPONENTS[self.opponent]],
            *starts,
            Setting("clock", "Clock", tuple(CLOCKS), self.clock),
        )

    def turned(self, field: str, by: int) -> Wishes:
        """The wishes with the next, or the previous, value of a setting."""
        setting = next(one for one in self.settings if one.field == field)
        turned = {field: (setting.chosen + by) % len(setting.values)}
        return Wishes(**(self._asdict() | turned))

    def match(self, seed: int | None = None) -> Match:
        chosen = {setting.field: setting.value for setting in self.settings}
        opponent, side = OPPONENTS[self.opponent], Side[chosen.get("side", "X")]
        players = {Side.X: HUMAN, Side.O: HUMAN}
        if opponent is Opponent.COMPUTER:
            players[side.other] = chosen["level"]
        elif opponent is Opponent.TWO_COMPUTERS:
            players = {Side.X: chosen["level"], Side.O: chosen["other_level"]}
        seats = (Seat(Side.X, player=players[Side.X]), Seat(Side.O, player=players[Side.O]))
        return new_match(self.game, {}, seats, side, chosen.get("first"), seed)

    @property
    def time(self) -> tuple[int, int] | None:
        """The seconds of a side, and what a move adds."""
        return CLOCKS[tuple(CLOCKS)[self.clock]]


def _default_first(option: Option) -> tuple[str, ...]:
    return (option.default, *(value for value in option.values if value != option.default))
