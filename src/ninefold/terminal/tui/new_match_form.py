"""The form of a new match: the game, the opponent, who starts, the clock. A value that yields a match request."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, cast

from ninefold.core.game import Game, Option
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.match.state import HUMAN
from ninefold.players.player import DEFAULT_LEVEL, levels
from ninefold.server.hosting.commands import CLOCK_CHOICES, ClockRequest, First, MatchRequest, SeatRequest
from ninefold.terminal.new_match import local_request


class Opponent(StrEnum):
    COMPUTER = "computer"
    FRIEND = "friend"
    TWO_COMPUTERS = "two_computers"


OPPONENTS = tuple(Opponent)
CLOCKS: tuple[ClockRequest | None, ...] = (None, *CLOCK_CHOICES)


class FormSetting(NamedTuple):
    """One thing to choose: its field, its label, its values as people read them, and the place of the chosen one."""

    field: str
    label: str
    values: tuple[str, ...]
    chosen: int

    @property
    def value(self) -> str:
        return self.values[self.chosen]


class NewMatchForm(NamedTuple):
    """Every number is a place in the values of its setting."""

    game: Game
    opponent: int = 0
    level: int = DEFAULT_LEVEL
    other_level: int = DEFAULT_LEVEL
    side: int = 0
    first: int = 0
    clock: int = 0

    @property
    def settings(self) -> tuple[FormSetting, ...]:
        """What is to be chosen now, in order."""
        level = FormSetting("level", text("form.level"), levels(self.game), self.level)
        other = level._replace(field="other_level", label=text("form.o_plays"), chosen=self.other_level)
        side = FormSetting("side", text("form.you_play"), ("X", "O"), self.side)
        by_opponent = {
            Opponent.COMPUTER: (level, side),
            Opponent.FRIEND: (side._replace(label=text("form.player_1")),) if self.game.ask_sign else (),
            Opponent.TWO_COMPUTERS: (level._replace(label=text("form.x_plays")), other),
        }
        starts = (FormSetting("first", text("form.starts"), self._first_values(), self.first),)
        opponents = tuple(text(f"form.opponent.{opponent}") for opponent in OPPONENTS)
        return (
            FormSetting("opponent", text("form.opponent"), opponents, self.opponent),
            *by_opponent[OPPONENTS[self.opponent]],
            *(starts if self._first_option else ()),
            FormSetting("clock", text("form.clock"), tuple(map(_clock_label, CLOCKS)), self.clock),
        )

    def changed(self, field: str, by: int) -> NewMatchForm:
        """The form with the next, or the previous, value of a setting."""
        setting = next(one for one in self.settings if one.field == field)
        return NewMatchForm(**(self._asdict() | {field: (setting.chosen + by) % len(setting.values)}))

    def request(self, seed: int | None = None) -> MatchRequest:
        opponent, side = OPPONENTS[self.opponent], Side.X
        players = {Side.X: HUMAN, Side.O: HUMAN}
        names = levels(self.game)
        if opponent is Opponent.COMPUTER or (opponent is Opponent.FRIEND and self.game.ask_sign):
            side = (Side.X, Side.O)[self.side]
        if opponent is Opponent.COMPUTER:
            players[side.other] = names[self.level]
        elif opponent is Opponent.TWO_COMPUTERS:
            players = {Side.X: names[self.level], Side.O: names[self.other_level]}
        x, o = (SeatRequest(players[one]) for one in Side)
        first = cast("First", self._first_values()[self.first]) if self._first_option else None
        request = local_request(self.game.id, x, o, player_1=side, first=first, seed=seed)
        return request._replace(clock=CLOCKS[self.clock])

    @property
    def _first_option(self) -> Option | None:
        return next((option for option in self.game.options if option.name == "first"), None)

    def _first_values(self) -> tuple[str, ...]:
        """The default first."""
        option = self._first_option
        if option is None:
            return ()
        return (option.default, *(value for value in option.values if value != option.default), "toss")


def _clock_label(clock: ClockRequest | None) -> str:
    if clock is None:
        return text("form.clock.none")
    minutes = clock.initial_seconds // 60
    if clock.increment_seconds:
        return text("form.clock.increment", minutes=minutes, seconds=clock.increment_seconds)
    return text("form.clock.minutes", minutes=minutes)
