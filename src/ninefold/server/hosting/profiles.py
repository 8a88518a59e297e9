"""Profiles: what the end of a match means for the players' standings and ratings. Pure: the time is passed in."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypedDict

from ninefold.arena.glicko2 import NEW, GlickoRating, RatedResult, rate
from ninefold.server.hosting.model import HostedMatch

ProfileKind = Literal["person", "agent"]
Opponents = Literal["people", "agents", "computers"]  # against whom; each has standings of its own
Score = Literal["win", "draw", "loss", "none"]

# A deviation of 60 grows to 110 in a year without games.
RATING_PERIOD_MS = 403_000_000
LEAST_MOVES = 2  # after which leaving a rated match is a loss: both have moved
_POINTS: dict[Score, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class Profile(NamedTuple):
    """Somebody's profile. Its id is derived from a key that only they have."""

    id: str
    name: str
    kind: ProfileKind
    shared: bool  # True if everybody may see it
    created_at: int


class ProfileStanding(NamedTuple):
    """What a profile has scored in one game against one kind of opponents, and its rating there."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    rated: int = 0  # of these games
    rating: GlickoRating = NEW
    rated_at: int = 0

    def with_score(self, score: Score) -> ProfileStanding:
        return self._replace(
            wins=self.wins + (score == "win"),
            draws=self.draws + (score == "draw"),
            losses=self.losses + (score == "loss"),
        )

    def rating_at(self, now: int) -> GlickoRating:
        """The rating, as uncertain as it has become since the last rated game."""
        return rate(self.rating, (), self._periods(now))

    def rated_against(self, opponent: GlickoRating, score: Score, now: int) -> ProfileStanding:
        rating = rate(self.rating, [RatedResult(opponent, _POINTS[score])], self._periods(now))
        return self._replace(rated=self.rated + 1, rating=rating, rated_at=now)

    def _periods(self, now: int) -> float:
        return max(0, now - self.rated_at) / RATING_PERIOD_MS if self.rated else 0.0

    def shown(self, now: int) -> str:
        """The rating in figures; a ? says that it is provisional."""
        rating = self.rating_at(now)
        return f"{round(rating.rating)}{'?' if rating.is_provisional else ''}"


def score_of(hosted: HostedMatch, seat: int) -> Score:
    """What a seat has scored in an ended match. Whoever leaves a rated match that both have begun has lost it."""
    match, result, (one, two) = hosted.match, hosted.match.result, hosted.seat_holders
    if result is None or one.profile == two.profile or "open" in (one.holder, two.holder):
        return "none"  # nobody beats themselves, or a player who never came
    if result.score == "*":
        left = [event.seat for event in match.events if event.action.kind == "leave"]
        if not left or not hosted.is_rated or len(match.state.moves) < LEAST_MOVES:
            return "none"
        return "loss" if left[0] == seat else "win"
    winner = result.outcome.winner
    if winner is None:
        return "draw"
    return "win" if match.setup.side(seat) == winner else "loss"


def opponents_of(hosted: HostedMatch, seat: int, kinds: dict[str, ProfileKind]) -> Opponents:
    """Against whom a seat has played. In a match with an agent both are counted among agents."""
    other = hosted.seat_holder(3 - seat)
    if other.holder == "computer":
        return "computers"
    return "agents" if "agent" in (kinds.get(holder.profile) for holder in hosted.seat_holders) else "people"


class PlayedEnd(NamedTuple):
    """The end of a match for one profile, and its rating before and after it."""

    match: str
    profile: str
    score: Score
    before: GlickoRating | None = None
    after: GlickoRating | None = None


StandingKey = tuple[str, str, Opponents]  # profile, game, opponents


def end_of_match(
    hosted: HostedMatch, kinds: dict[str, ProfileKind], standings: dict[StandingKey, ProfileStanding], now: int
) -> list[PlayedEnd]:
    """What the end of a match is for the profiles in it. ``standings`` is brought up to date."""
    seats = [seat for seat in (1, 2) if hosted.seat_holder(seat).profile in kinds]
    keys: dict[int, StandingKey] = {
        seat: (hosted.seat_holder(seat).profile, hosted.match.game.id, opponents_of(hosted, seat, kinds))
        for seat in seats
    }
    scores = {seat: score_of(hosted, seat) for seat in seats}
    known = {seat: standings.get(keys[seat], ProfileStanding()) for seat in seats}
    is_rated = hosted.is_rated and len(seats) == 2 and "none" not in scores.values()
    ends = []
    for seat in seats:
        after = known[seat].with_score(scores[seat])
        if is_rated:
            after = after.rated_against(known[3 - seat].rating_at(now), scores[seat], now)
        if scores[seat] != "none":
            standings[keys[seat]] = after
        ratings = (known[seat].rating, after.rating) if is_rated else (None, None)
        ends.append(PlayedEnd(hosted.id, keys[seat][0], scores[seat], *ratings))
    return ends


class StandingDoc(TypedDict):
    """What somebody has scored in one game against one kind of opponents."""

    game: str
    title: str
    opponents: Opponents
    wins: int
    draws: int
    losses: int
    rated: int
    """How many of these games were rated."""
    rating: int | None
    """Glicko-2; null before the first rated game."""
    deviation: int | None
    """Of the rating: with a probability of 95%, the strength is within two deviations of it."""
    provisional: bool
    """True while the rating says little."""


class ProfileDoc(TypedDict):
    """A profile with its statistics."""

    id: str
    name: str
    kind: ProfileKind
    shared: bool
    """True if everybody who has the link can see this profile."""
    created_at: int
    """UTC, in milliseconds since 1970."""
    standings: list[StandingDoc]


class PlayedDoc(TypedDict):
    """A match of a profile."""

    match: str
    game: str
    title: str
    seat: int
    opponent: str
    """The name of the other player."""
    level: str | None
    """The level of a computer."""
    status: Literal["open", "live", "ended"]
    private: bool
    began_at: int
    """UTC, in milliseconds since 1970."""
    score: Score | None
    """null while it is played; "none" if it ended without a result."""
    rating_before: int | None
    rating_after: int | None
    """null if the match was not rated."""
