"""A match as it is kept: the log and what belongs to it. Values only; nothing here knows a database or the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ninefold.match.match import Match
from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import bad_token, no_such_match

Holder = Literal["open", "person", "computer", "left"]
Status = Literal["open", "live", "ended"]

MINUTE = 60_000


class Clock(NamedTuple):
    """In milliseconds."""

    initial: int
    increment: int


class Settings(NamedTuple):
    private: bool = False
    clock: Clock | None = None
    claim_ms: int = MINUTE  # after which an unanswered claim is settled
    absent_ms: int = 5 * MINUTE  # after which an opponent who has gone can be claimed out
    show_moves: bool = True  # whether readers are told which moves are legal


class Chair(NamedTuple):
    """Who holds a seat. Secrets are kept as digests."""

    holder: Holder
    token: str = ""
    invitation: str = ""
    code: str = ""  # carries the seat to another device, once
    code_until: int = 0


class Time(NamedTuple):
    """What is left of both clocks, and since when the clock of the side to move runs (None: it stands)."""

    left: tuple[int, int]
    since: int | None = None


class Answer(NamedTuple):
    """What a write was answered, so that its repeat is answered the same."""

    body: str  # the digest of what was asked
    text: str


class Reader(NamedTuple):
    """Who asks: a seat, or a spectator (None)."""

    seat: int | None = None

    @property
    def role(self) -> str:
        return "spectator" if self.seat is None else str(self.seat)


class There(NamedTuple):
    """Whether each seat is there, when it was last, and how many watch."""

    present: tuple[bool, bool] = (False, False)
    seen_at: tuple[int, int] = (0, 0)
    watching: int = 0


class Kept(NamedTuple):
    id: str
    match: Match
    settings: Settings
    chairs: tuple[Chair, Chair]
    created_at: int
    touched_at: int  # the last time something happened in the game
    time: Time | None = None
    watch: str = ""  # digest of the secret that opens a private match to spectators
    rematch: str = ""
    lease_until: int = 0  # somebody computes the computer's move until then
    answers: Mapping[tuple[int, str], Answer] = {}
    refused: tuple[tuple[int, str], ...] = ()  # the latest refused attempts, numbered: an audit beside the log
    revision: int = 0  # counts every change

    @property
    def status(self) -> Status:
        if self.match.result:
            return "ended"
        return "open" if any(chair.holder == "open" for chair in self.chairs) else "live"

    def chair(self, seat: int) -> Chair:
        return self.chairs[seat - 1]

    def with_chair(self, seat: int, chair: Chair) -> Kept:
        first, second = self.chairs
        return self._replace(chairs=(chair, second) if seat == 1 else (first, chair))

    @property
    def computer(self) -> int:
        """The seat of a computer that has to act now, or 0."""
        if self.status != "live":
            return 0
        offer = self.match.state.offer
        asked = [3 - offer[0]] if offer else []
        asked += [self.match.to_act or 0]
        return next((seat for seat in asked if seat and self.chair(seat).holder == "computer"), 0)

    def reader(self, secret: str | None) -> Reader:
        """Who the bearer of a secret is. An id never authorises: a private match is told to nobody without one."""
        if secret is None:
            if self.settings.private:
                raise no_such_match()
            return Reader()
        for seat, chair in enumerate(self.chairs, 1):
            if tokens.opens(secret, chair.token):
                return Reader(seat)
        if tokens.opens(secret, self.watch):
            return Reader()
        raise no_such_match() if self.settings.private else bad_token()
