"""Where a match is played, as the screen sees it: at this screen, against the computer, or on a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ninefold.match.actions import Action
from ninefold.match.clock import ClockReading
from ninefold.match.match import Match
from ninefold.terminal.new_match import Lines

RECONNECTING = "○ reconnecting ..."


class Table(Protocol):
    @property
    def match(self) -> Match:
        """The match as it is known here: the only truth that is shown."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that are played from here; none for who watches."""

    @property
    def to_act(self) -> int | None:
        """The seat at this screen that has to act now, or None while others act."""

    @property
    def is_online(self) -> bool: ...

    @property
    def connection(self) -> str:
        """How the connection is, in words; "" where there is none."""

    @property
    def waits_for(self) -> str:
        """Whom everybody waits for, in words; "" where somebody at this screen is asked."""

    @property
    def no_hint(self) -> str:
        """Why there are no hints here; "" if there are."""

    def is_away(self, seat: int) -> bool:
        """Whether who plays at a seat is not there now."""

    def is_free(self, seat: int) -> bool:
        """Whether nobody has sat down there yet."""

    def begin(self, changed: Callable[[], None], tell: Callable[[str], None]) -> None:
        """Open the table. ``changed`` is called when anything here is new, ``tell`` with what has to be said, both in
        the loop that is running now."""

    @property
    def is_sending(self) -> bool:
        """Whether something is on its way to where the match is kept."""

    def act(self, seat: int, action: Action) -> None:
        """Do something for a seat, or refuse it and change nothing. Far away that takes its time, and a refusal is told
        when it comes."""

    def undo(self, seat: int) -> Action:
        """What taking back a move is here."""

    def clocks(self) -> ClockReading | None: ...

    def tick(self) -> None:
        """Called now and then: a flag may have fallen."""

    async def again(self) -> Table:
        """The same players once more, with sides swapped."""

    @property
    def lines(self) -> Lines:
        """How to go on at the line console."""

    def close(self) -> None:
        """Leave. Nothing is lost: the match is kept."""
