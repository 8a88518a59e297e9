"""A match that a server keeps, as much of it as was known here at one moment: a value, which any thread may read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ninefold.match.clock import ClocksElsewhere
from ninefold.match.match import Match
from ninefold.match.state import HUMAN

NO_HINT = "There are no hints against a person, only against the computer."


class Known(NamedTuple):
    number: int | None  # of our seat, None for who watches
    match: Match
    view: Mapping[str, Any]  # what the server says of it
    clocks: ClocksElsewhere
    present: Mapping[str, bool] = {}
    is_lost: bool = False  # the connection

    @property
    def is_open(self) -> bool:
        """Whether a seat is still free."""
        return bool(self.view["status"] == "open")

    @property
    def to_act(self) -> int | None:
        """Our seat, if it has to act now."""
        me = self.number
        return me if self.is_offered or (self.match.to_act == me and not self.is_open) else None

    @property
    def is_offered(self) -> bool:
        """Whether the opponent has offered us something."""
        offer, pending = self.match.state.offer, self.match.state.pending
        return self.number is not None and offer is not None and offer[0] != self.number and not pending

    @property
    def awaited(self) -> str:
        """Who is waited for."""
        return "somebody to sit down" if self.is_open else self.match.setup.label(self.match.to_act or 1)

    @property
    def no_hint(self) -> str:
        """Why nobody is helped here; "" if somebody is."""
        opponent = self.match.setup.seats[2 - self.number] if self.number else None
        return NO_HINT if opponent is None or opponent.player == HUMAN else ""

    def is_free(self, seat: int) -> bool:
        """Whether nobody has sat down there yet."""
        return any(one["seat"] == seat and one["player"] == "open" for one in self.view["seats"])

    def is_away(self, seat: int) -> bool:
        """Whether who plays at a seat is not there now."""
        known = {str(one["seat"]): bool(one["present"]) for one in self.view["seats"]}
        return not self.is_free(seat) and not (known | dict(self.present)).get(str(seat), True)
