"""A hosted match: the log and what belongs to it. Values only; nothing here knows a database or the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple

from ninefold.match.clock import ClockState, TimeControl
from ninefold.match.match import Match
from ninefold.server.hosting import tokens
from ninefold.server.hosting.errors import bad_token, no_such_match

ROLE = "ninefold-role"  # the header of a response that says who the bearer of a token is
HolderKind = Literal["open", "person", "computer", "left"]
Status = Literal["open", "live", "ended"]


class Settings(NamedTuple):
    """What was agreed beside the rules. ``MatchRequest`` has the defaults."""

    private: bool
    clock: TimeControl | None
    claim_ms: int  # after which an unanswered claim is settled
    absent_ms: int  # after which a disconnected opponent can be claimed absent
    show_moves: bool  # True if readers see which moves are legal
    show_lines: bool  # True if readers are told the marks of all eight lines
    rated: bool  # True if the match is rated once it has clocks and two profiles


class SeatHolder(NamedTuple):
    """Who holds a seat. Secrets are stored as digests."""

    holder: HolderKind
    token: str = ""
    invitation: str = ""
    code: str = ""  # hands the seat over to another device, once
    code_until: int = 0
    profile: str = ""  # the id of the player's profile
    rating: str = ""  # the player's rating when the seat was taken; "" if the profile is private

    @property
    def is_reserved(self) -> bool:
        """True if the opponent offers a rematch, and the bearer of this seat's token has not accepted it yet."""
        return self.holder == "open" and self.token != ""


class StoredResponse(NamedTuple):
    """The response to a command, so that a repeat gets the same one."""

    body: str  # digest of the command
    text: str


ResponseKey = tuple[int, str]  # seat and idempotency key


class Responses(Mapping[ResponseKey, StoredResponse]):
    """All responses to the commands of a match, in their order.

    A value, like the match: ``added`` gives a new one. Both share one dictionary, of which each knows its own part,
    so that nothing is copied when a match goes on.
    """

    __slots__ = ("_count", "_shared")

    def __init__(self, shared: dict[ResponseKey, tuple[int, StoredResponse]] | None = None) -> None:
        self._shared = shared or {}  # each with its number
        self._count = len(self._shared)

    def added(self, key: ResponseKey, response: StoredResponse) -> Responses:
        """These responses and a new one."""
        shared = self._shared
        if not shared or len(shared) > self._count:  # it is the first, or a batch that went on from here has failed
            shared = dict(islice(shared.items(), self._count))
        shared[key] = (self._count, response)
        return Responses(shared)

    def since(self, count: int) -> list[tuple[ResponseKey, StoredResponse]]:
        """The responses but for the first ``count``."""
        newest = islice(reversed(self._shared.items()), len(self._shared) - self._count, len(self._shared) - count)
        return [(key, response) for key, (_, response) in newest][::-1]

    def __getitem__(self, key: ResponseKey) -> StoredResponse:
        number, response = self._shared[key]
        if number >= self._count:
            raise KeyError(key)
        return response

    def __iter__(self) -> Iterator[ResponseKey]:
        return islice(iter(self._shared), self._count)

    def __len__(self) -> int:
        return self._count


class Viewer(NamedTuple):
    """Who reads a match: a seat, or a spectator (None)."""

    seat: int | None = None

    @property
    def role(self) -> str:
        return "spectator" if self.seat is None else str(self.seat)


class PresenceInfo(NamedTuple):
    """Which seats are connected, when each was last seen, and how many spectators there are."""

    present: tuple[bool, bool] = (False, False)
    seen_at: tuple[int, int] = (0, 0)
    watching: int = 0


class HostedMatch(NamedTuple):
    id: str
    match: Match
    settings: Settings
    seat_holders: tuple[SeatHolder, SeatHolder]
    created_at: int
    touched_at: int  # the last time something happened in the game
    clock: ClockState | None = None
    watch: str = ""  # digest of the secret that opens a private match to spectators
    rematch: str = ""
    lease_until: int = 0  # until then a worker computes the computer's move
    responses: Responses = Responses()
    refused: tuple[tuple[int, str], ...] = ()  # the latest refused attempts, numbered: an audit beside the log
    revision: int = 0  # counts every change
    due_at: int | None = None  # as stored: when to look for what is due; not later than the next deadline

    @property
    def status(self) -> Status:
        if self.match.result:
            return "ended"
        one, two = self.seat_holders
        return "open" if one.holder == "open" or two.holder == "open" else "live"

    @property
    def is_rated(self) -> bool:
        """True if the result changes ratings: two profiles play with clocks. Hints are given only against computers,
        which have no profile."""
        one, two = (holder.profile for holder in self.seat_holders)
        return self.settings.rated and self.clock is not None and bool(one and two) and one != two

    def seat_holder(self, seat: int) -> SeatHolder:
        return self.seat_holders[seat - 1]

    def seat_of_profile(self, profile: str) -> int:
        """The seat of a profile, or 0."""
        return next((seat for seat, one in enumerate(self.seat_holders, 1) if one.profile == profile != ""), 0)

    def with_seat_holder(self, seat: int, holder: SeatHolder) -> HostedMatch:
        first, second = self.seat_holders
        return self._replace(seat_holders=(holder, second) if seat == 1 else (first, holder))

    @property
    def computer_to_act(self) -> int:
        """The seat of a computer that has to act now, or 0."""
        one, two = self.seat_holders
        if (one.holder != "computer" and two.holder != "computer") or self.status != "live":
            return 0
        offer = self.match.state.offer
        candidates = ([3 - offer[0]] if offer else []) + [self.match.to_act or 0]
        return next((seat for seat in candidates if seat and self.seat_holder(seat).holder == "computer"), 0)

    def viewer(self, secret: str | None) -> Viewer:
        """Who the bearer of a secret is. An id never authorises: without a secret a private match is not found."""
        if secret is None:
            if self.settings.private:
                raise no_such_match()
            return Viewer()
        digest = tokens.digest(secret)
        for seat, holder in enumerate(self.seat_holders, 1):
            if tokens.same_digest(digest, holder.token):
                return Viewer(seat)
        if tokens.same_digest(digest, self.watch):
            return Viewer()
        if seat := self.seat_of_profile(tokens.profile_id(secret)):
            return Viewer(seat)
        raise no_such_match() if self.settings.private else bad_token()
