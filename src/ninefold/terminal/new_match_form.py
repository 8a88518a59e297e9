"""The form of a new match: game, opponent, names, rules, who starts, clock. A value that yields a match request."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, cast

from ninefold.core.game import Game, Option
from ninefold.core.messages import text, translated
from ninefold.core.position import Side
from ninefold.match.state import HUMAN
from ninefold.players.player import DEFAULT_LEVEL, levels
from ninefold.server.hosting.commands import CLOCK_CHOICES, OPEN, ClockRequest, First, MatchRequest, SeatRequest
from ninefold.terminal.new_match import local_request
from ninefold.terminal.preferences import Preferences


class Opponent(StrEnum):
    COMPUTER = "computer"
    FRIEND = "friend"
    ONLINE = "online"
    TWO_COMPUTERS = "two_computers"


OPPONENTS = tuple(Opponent)
SIDES = ("X", "O")
RULES = ("early_draw", "tie_break")  # options of games that can be chosen here; the others make another game of it
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
    """Every number is a place in the values of its setting. The first name is that of player 1."""

    game: Game
    opponent: int = 0
    level: int = DEFAULT_LEVEL
    other_level: int = DEFAULT_LEVEL
    side: int = 0
    first: int = 0
    early_draw: int = 0
    tie_break: int = 0
    clock: int = 0
    names: tuple[str, str] = ("", "")

    @classmethod
    def remembered(cls, game: Game, preferences: Preferences) -> NewMatchForm:
        """The form as it was last used; what cannot be chosen any more is as it is at first."""
        level, other = (
            _place(name, levels(game), DEFAULT_LEVEL) for name in (preferences.level, preferences.other_level)
        )
        opponent = _place(preferences.opponent, OPPONENTS, 0)
        return cls(game, opponent, level, other, _place(preferences.side, SIDES, 0), names=preferences.names)

    def remember(self) -> dict[str, object]:
        """What is worth remembering of it."""
        names = levels(self.game)
        return {
            "game": self.game.id,
            "opponent": str(self.chosen_opponent),
            "level": names[self.level],
            "other_level": names[self.other_level],
            "side": SIDES[self.side],
            "names": self.names,
        }

    @property
    def chosen_opponent(self) -> Opponent:
        return OPPONENTS[self.opponent]

    @property
    def named_players(self) -> int:
        """How many players have a name that is entered here."""
        return {Opponent.FRIEND: 2, Opponent.TWO_COMPUTERS: 0}.get(self.chosen_opponent, 1)

    @property
    def names_label(self) -> str:
        return text("form.names", count=self.named_players)

    @property
    def shown_names(self) -> list[str]:
        """The names that are entered here, also of players who have none."""
        named = [name or text("player.default", seat=n) for n, name in enumerate(self.names, 1)]
        return named[: self.named_players]

    @property
    def settings(self) -> tuple[FormSetting, ...]:
        """What is to be chosen now, in order."""
        shown = tuple(translated(f"level.{name}", name) for name in levels(self.game))
        level = FormSetting("level", text("form.level"), shown, self.level)
        other = level._replace(field="other_level", label=text("form.o_plays"), chosen=self.other_level)
        side = FormSetting("side", text("form.you_play"), SIDES, self.side)
        by_opponent = {
            Opponent.COMPUTER: (level, side),
            Opponent.FRIEND: (side._replace(label=text("form.player_1")),) if self.game.ask_sign else (),
            Opponent.ONLINE: (side,),
            Opponent.TWO_COMPUTERS: (level._replace(label=text("form.x_plays")), other),
        }
        opponents = tuple(text(f"form.opponent.{opponent}") for opponent in OPPONENTS)
        return (
            FormSetting("opponent", text("form.opponent"), opponents, self.opponent),
            *by_opponent[self.chosen_opponent],
            *self._option("first", text("form.starts"), self.first),
            *self._option("early_draw", text("form.early_draw"), self.early_draw),
            *self._option("tie_break", text("form.tie_break"), self.tie_break),
            FormSetting("clock", text("form.clock"), tuple(map(_clock_label, CLOCKS)), self.clock),
        )

    def changed(self, field: str, by: int) -> NewMatchForm:
        """The form with the next, or the previous, value of a setting, if there is such a setting now."""
        setting = next((one for one in self.settings if one.field == field), None)
        if setting is None:
            return self
        return self.with_choice(field, (setting.chosen + by) % len(setting.values))

    def with_choice(self, field: str, place: int) -> NewMatchForm:
        """The form with the value at a place of a setting."""
        return NewMatchForm(**(self._asdict() | {field: place}))

    def of(self, game: Game) -> NewMatchForm:
        """The form for another game, whose options are its own."""
        return self._replace(game=game, first=0, early_draw=0, tie_break=0)

    def request(self, seed: int | None = None) -> MatchRequest:
        opponent, side = self.chosen_opponent, Side.X
        names = levels(self.game)
        if opponent in (Opponent.COMPUTER, Opponent.ONLINE) or (opponent is Opponent.FRIEND and self.game.ask_sign):
            side = (Side.X, Side.O)[self.side]
        me, friend = (SeatRequest(HUMAN, name) for name in self.names)
        computer = SeatRequest(names[self.level])
        players = {
            Opponent.COMPUTER: {side: me, side.other: computer},
            Opponent.FRIEND: {side: me, side.other: friend},
            Opponent.ONLINE: {side: me, side.other: SeatRequest(OPEN)},
            Opponent.TWO_COMPUTERS: {Side.X: computer, Side.O: SeatRequest(names[self.other_level])},
        }[opponent]
        first = cast("First", _values(self._options["first"])[self.first]) if "first" in self._options else None
        rules = {name: _values(self._options[name])[getattr(self, name)] for name in RULES if name in self._options}
        request = local_request(
            self.game.id, players[Side.X], players[Side.O], player_1=side, first=first, options=rules, seed=seed
        )
        return request._replace(clock=CLOCKS[self.clock])

    @property
    def _options(self) -> dict[str, Option]:
        return {option.name: option for option in self.game.options}

    def _option(self, name: str, label: str, chosen: int) -> tuple[FormSetting, ...]:
        """The setting of an option, if the game has it."""
        if name not in self._options:
            return ()
        values = _values(self._options[name])
        if name == "tie_break":
            return (FormSetting(name, label, tuple(text(f"form.tie_break.{value}") for value in values), chosen),)
        return (FormSetting(name, label, tuple(translated(f"choice.{value}", value) for value in values), chosen),)


def _values(option: Option) -> tuple[str, ...]:
    """The default first."""
    toss = ("toss",) if option.name == "first" else ()
    return (option.default, *(value for value in option.values if value != option.default), *toss)


def _place(value: str, values: Sequence[str], otherwise: int) -> int:
    return values.index(value) if value in values else otherwise


def _clock_label(clock: ClockRequest | None) -> str:
    if clock is None:
        return text("form.clock.none")
    minutes = clock.initial_seconds // 60
    if clock.increment_seconds:
        return text("form.clock.increment", minutes=minutes, seconds=clock.increment_seconds)
    return text("form.clock.minutes", minutes=minutes)
