"""Where a match is played: at this screen, or wherever else something keeps to these few words."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from ninefold.client.clock import now
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.match.state import HUMAN, Setup
from ninefold.match.summary import seat_seed
from ninefold.players.player import Player, make_player


class Table(Protocol):
    @property
    def match(self) -> Match:
        """The match as it is known here."""

    @property
    def to_act(self) -> int | None:
        """The seat at this screen that has to answer something now, or None while others act."""

    def is_offered(self, seat: int) -> bool:
        """Whether what a seat has to answer is an offer."""

    def act(self, seat: int, action: Action) -> None:
        """Do something for a seat, or refuse it and change nothing."""

    def wait(self) -> None:
        """Let the others act."""

    def undo(self, seat: int) -> Action:
        """What u does."""

    def leave(self) -> None:
        """What e does."""

    def news(self) -> Sequence[str]:
        """What else there is to be said, once."""


def computer_at(setup: Setup, seat: int, is_wanted: Callable[[], bool] | None = None) -> Player:
    """The computer that plays at a seat. Two of them have seeds that differ, so that they do not mirror each other."""
    return make_player(setup.game, setup.seats[seat - 1].player, seat_seed(setup, seat), is_wanted)


def check_players(setup: Setup) -> None:
    """Refuse computers that cannot play this game."""
    for seat in setup.seats:
        if seat.player != HUMAN:
            make_player(setup.game, seat.player, 0)


def undo_at_one_screen(match: Match, seat: int) -> Action:
    """Against the computer back to the player's own last move, else the last move of all."""
    against_computer = match.setup.seats[2 - seat].player != HUMAN
    return actions.take_back(match.state.plies_back(match.setup.side(seat)) if against_computer else 1)


class Screen:
    """Everybody at one screen, or against the computer. ``save`` is called with the match after every event."""

    def __init__(self, match: Match, pause: float = 0.0, save: Callable[[Match], None] | None = None) -> None:
        self.match = match
        self._pause = pause
        self._save = save
        self._computers = {
            number: computer_at(match.setup, number)
            for number, seat in enumerate(match.setup.seats, 1)
            if seat.player != HUMAN
        }
        self._left = False

    @property
    def to_act(self) -> int | None:
        return None if self.match.to_act in self._computers else self.match.to_act

    def is_offered(self, seat: int) -> bool:  # noqa: ARG002 - at one screen people speak with each other
        return False

    def act(self, seat: int, action: Action) -> None:
        after = self.match.act(seat, action, now())
        self.keep(after)
        self.match = after

    def keep(self, match: Match | None = None) -> None:
        if self._save:
            self._save(match or self.match)

    def wait(self) -> None:
        seat = self.match.to_act or 1
        if len(self._computers) == 2 and self.match.events:
            time.sleep(self._pause)
        self.act(seat, self._computers[seat](self.match))

    def undo(self, seat: int) -> Action:
        return undo_at_one_screen(self.match, seat)

    def leave(self) -> None:
        """A kept game is only put aside, to be continued; another ends without a winner."""
        self._left = True
        if not self._save:
            self.act(self.match.to_act or 1, actions.LEAVE)

    def news(self) -> Sequence[str]:
        if not (self._left and self._save):
            return []
        return ["You left the game." + (" It is saved and can be continued." if self.match.events else "")]
