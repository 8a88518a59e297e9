"""What is played: every match with its rules, its players and its goal, the most valuable first."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

SEED = 1  # of the order of the openings
BOARDS = {"tie_break": "boards"}  # the rules of CodinGame
LEVELS = ("random", "easy", "medium", "hard", "expert")


class MatchPlan(NamedTuple):
    """A match between two players, who are named as ``opponents.participant`` reads them. It is played from the first
    openings of the suite of its rules, from each with both sides."""

    name: str  # of its journal too
    game: str
    options: dict[str, str]
    ours: str
    theirs: str
    pairs: int
    goal: str = "-"

    @property
    def games(self) -> int:
        return 2 * self.pairs

    @property
    def rules(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


class MatchGroup(NamedTuple):
    """Matches that make one table of the page; the players of a ``rated`` one are rated together."""

    title: str
    about: str
    matches: tuple[MatchPlan, ...]
    is_rated: bool = False


def _match(name: str, game: str, ours: str, theirs: str, pairs: int, goal: str = "-") -> MatchPlan:
    return MatchPlan(name, game, {}, ours, theirs, pairs, goal)


def _others() -> tuple[MatchPlan, ...]:
    tenth, second, both = "engine:cpu=0.1", "engine:cpu=1", ("ultimate", "squared")
    stronger = "lower bound at least +80 Elo"
    return (
        MatchPlan("tomalard", "ultimate", BOARDS, tenth, "tomalard", 100, "at least 75%"),
        MatchPlan("crossfish", "ultimate", BOARDS, tenth, "crossfish", 100),
        *(_match(f"be10cff-{game}", game, tenth, "be10cff:0.1", 500, stronger) for game in both),
        _match("threads", "ultimate", f"{tenth},threads=2", tenth, 500, "at least +30 Elo, lower bound above 0"),
        _match("openspiel", "ultimate", second, "openspiel:100000", 50, "at least 97%"),
        *(_match(f"be10cff-{game}-1s", game, second, "be10cff:1", 100, "above 0 Elo") for game in both),
        _match("mcts-ultimate", "ultimate", second, "mcts:10000000", 50, "at least 93%"),
        _match("mcts-squared", "squared", second, "mcts:10000000", 50, "at least 95%"),
    )


def _ladder(game: str) -> tuple[MatchPlan, ...]:
    steps = (("0.05", "0.2", 25), ("0.2", "1", 10))
    return tuple(
        _match(f"time-{game}-{more}", game, f"engine:cpu={more}", f"engine:cpu={less}", pairs)
        for less, more, pairs in steps
    )


def _levels(game: str) -> tuple[MatchPlan, ...]:
    return tuple(
        _match(f"level-{game}-{better}", game, better, worse, 10 if better == "expert" else 20)
        for worse, better in pairwise(LEVELS)
    )


OTHERS = """\
`be10cff` is our engine before it had a network, built from that commit. `tomalard` and `crossfish` are the published
bots of CodinGame's players of these names, with 0.1 s a move. `openspiel` is OpenSpiel's MCTS with so many simulations,
`mcts` is ours; both take as long as they take.

An earlier run against `be10cff`, 1,000 games of ultimate and 830 of squared, is in `benchmarks/results/earlier` and
does not count: the clock that it was given counted a thread that waits, so that it had about half of its 0.1 s."""
GROUPS = (
    MatchGroup("Other players", OTHERS, _others()),
    *(
        MatchGroup(f"More time on {game}", "The engine against itself.", _ladder(game), is_rated=True)
        for game in ("ultimate", "squared")
    ),
    *(
        MatchGroup(f"The levels of {game}", "Every level against the next one.", _levels(game), is_rated=True)
        for game in ("ultimate", "squared")
    ),
)
MATCHES = {plan.name: plan for group in GROUPS for plan in group.matches}
