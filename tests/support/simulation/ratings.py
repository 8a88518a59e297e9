"""What profiles may have: every match that they have ended is counted once, in the commit that has ended it."""

from __future__ import annotations

from collections import Counter

from tests.support.simulation.disk import SimulatedConnection
from tests.support.simulation.world import Violation

COUNTED = ("win", "draw", "loss")


class RatingModel:
    """The matches that were counted for each profile, also those that were deleted since.

    A profile that was deleted is not counted, nor if a request that came late has made it again.
    """

    def __init__(self) -> None:
        self._counted: dict[
            tuple[str, str], tuple[str, bool]
        ] = {}  # score of a match for a profile, and if it is rated
        self._known: set[str] = set()
        self.deleted: set[str] = set()

    def committed(self, connection: SimulatedConnection) -> None:
        """Compare the standings of all profiles with the matches that they have ended."""
        there = {id for (id,) in connection.rows("SELECT id FROM profiles")}
        self.deleted |= self._known - there
        self._known |= there
        rows = connection.rows(
            'SELECT "match", profile, ended_at, score, rating_after, status FROM played JOIN matches ON id = "match"'
        )
        for match, profile, ended_at, score, rating, status in rows:
            if profile in self.deleted:
                continue
            if (ended_at is not None) != (status == "ended"):
                raise Violation(f"match {match} is {status}, and the profile {profile} has it ended at {ended_at}")
            if ended_at is None:
                continue
            end = score, rating is not None
            if self._counted.setdefault((match, profile), end) != end:
                raise Violation(f"match {match} was counted for {profile} again")
        self._check_standings(connection)

    def _check_standings(self, connection: SimulatedConnection) -> None:
        wanted: Counter[tuple[str, str]] = Counter()
        for (_, profile), (score, is_rated) in self._counted.items():
            if score in COUNTED and profile not in self.deleted:
                wanted[profile, score] += 1
                wanted[profile, "rated"] += is_rated
        found: Counter[tuple[str, str]] = Counter()
        for profile, *counts in connection.rows("SELECT profile, wins, draws, losses, rated FROM standings"):
            for name, count in zip((*COUNTED, "rated"), counts, strict=True):
                found[profile, name] += 0 if profile in self.deleted else count
        if +found != +wanted:
            raise Violation(f"standings are {dict(+found)}, and the matches that have ended make them {dict(+wanted)}")
