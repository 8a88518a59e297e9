"""The referee's report: what is counted of every agent, from the log of a match and the audit of refused attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ninefold.analysis.config import REPORT_NODES
from ninefold.analysis.report.endings import FORFEITED as FORFEITED
from ninefold.analysis.report.endings import NOT_OWN, OPENING, RESIGNATIONS, RefusedAttempt, endings
from ninefold.analysis.report.misreports import misreports
from ninefold.analysis.report.mistakes import Judge
from ninefold.core.data_frame import data_frame
from ninefold.core.grid import completed_line
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.core.solver import claimable
from ninefold.match.actions import ANSWERS, Event
from ninefold.match.match import Match, check_match
from ninefold.match.state import HUMAN, UNFINISHED, Setup, steps

if TYPE_CHECKING:
    from ninefold.core.data_frame import DataFrame

__all__ = ["AgentMetrics", "AgentReport", "Report", "report"]

UNREADABLE = {
    "not_an_answer", "cut_off", "wrong_field", "no_such_action", "not_a_move", "not_a_claim", "no_such_offer",
    "no_text", "too_long", "too_large", "no_such_tool", "no_such_message", "not_json", "filtered", "refused_to_answer",
}  # fmt: skip
# Attempts that came too late, or not as a server wants them: they say nothing about the agent's play.
UNTIMELY = {
    "no_answer", "budget_used_up", "crashed", FORFEITED,
    "stale_version", "ended", "no_version", "not_a_request", "request_reused", "not_started", "too_much_talk", "left",
    OPENING,
}  # fmt: skip
CLAIM_ACTIONS = ("claim", *ANSWERS)


class AgentMetrics(NamedTuple):
    """The figures of one agent. Mistakes are out of the ``judged`` moves.

    >>> from ninefold import play_match, report
    >>> metrics = report(play_match("classic", "perfect", "perfect")).rows[0].metrics
    >>> metrics.matches, metrics.drawn, metrics.mistakes
    (1, 1, 0)
    """

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    moves: int = 0
    illegal_moves: int = 0
    unreadable: int = 0
    refused_claims: int = 0  # including answers to claims
    false_claims: int = 0
    withdrawn: int = 0  # of the false claims
    missed_wins: int = 0
    unclaimed_lines: int = 0  # of the missed wins
    wrong_confirmations: int = 0
    wrong_disputes: int = 0
    unanswered_claims: int = 0
    judged: int = 0
    mistakes: int = 0
    forfeits: int = 0
    resigned: int = 0  # of its own will, not because a turn was forfeited
    statements: int = 0  # messages that say what the agent has played
    misreports: int = 0  # of the statements
    milliseconds: int = 0

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw.

        >>> AgentMetrics(matches=3, won=1, drawn=1, lost=1).points
        1.5
        """
        return self.won + self.drawn / 2

    def plus(self, other: AgentMetrics) -> AgentMetrics:
        """The figures of both together.

        >>> AgentMetrics(matches=1, won=1).plus(AgentMetrics(matches=2, lost=2)).matches
        3
        """
        return AgentMetrics(*(one + two for one, two in zip(self, other, strict=True)))


class AgentReport(NamedTuple):
    """One agent: its metrics, and how often it was refused for each reason. ``side`` is known in a single match.

    >>> from ninefold import begin, report
    >>> row = report(begin("classic").act(1, 4)).rows[0]
    >>> row.agent, row.side, row.metrics.moves
    ('Player 1', 'X', 1)
    """

    agent: str
    side: str
    metrics: AgentMetrics
    refused: Mapping[str, int] = {}

    @property
    def label(self) -> str:
        """The agent, with its side if that is known.

        >>> AgentReport("Ann", "X", AgentMetrics()).label, AgentReport("Ann", "", AgentMetrics()).label
        ('Ann (X)', 'Ann')
        """
        return text("player.label", name=self.agent, side=self.side) if self.side else self.agent


class Report(NamedTuple):
    """``judges`` names what found the mistakes; ``forgotten`` refusals were too many to be stored; ``has_claims`` is
    false if victories are not claimed in any of the matches.

    >>> from ninefold import begin, report
    >>> report(begin("classic").act(1, 4))
    <Report on Player 1 (X), Player 2 (O)>
    """

    rows: tuple[AgentReport, ...]
    judges: tuple[str, ...] = ()
    forgotten: int = 0
    has_claims: bool = True

    def __repr__(self) -> str:
        return f"<Report on {', '.join(row.label for row in self.rows) or 'nobody'}>"

    def to_pandas(self) -> DataFrame:
        """A row for each agent, and a column for each figure. It needs the extra ``pandas``.

        >>> from ninefold import play_match, report
        >>> match = play_match("classic", "perfect", "random", seed=1)
        >>> report(match).to_pandas()[["agent", "side", "points", "moves", "mistakes"]]
             agent side  points  moves  mistakes
        0  perfect    X     1.0      3         0
        1   random    O     0.0      2         1
        """
        columns: dict[str, list[object]] = {
            "agent": [row.agent for row in self.rows],
            "side": [row.side for row in self.rows],
            "points": [row.metrics.points for row in self.rows],
        }
        for figure in AgentMetrics._fields:
            columns[figure] = [getattr(row.metrics, figure) for row in self.rows]
        return data_frame(columns)


def combine(reports: Iterable[Report]) -> Report:
    """One report on a set of matches, agent by agent; the largest share of the points comes first."""
    metrics: dict[str, AgentMetrics] = {}
    refused: dict[str, Counter[str]] = {}
    judges: dict[str, None] = {}
    forgotten, has_claims = 0, False
    for report in reports:
        has_claims |= report.has_claims
        judges |= dict.fromkeys(report.judges)
        forgotten += report.forgotten
        for row in report.rows:
            metrics[row.agent] = metrics.get(row.agent, AgentMetrics()).plus(row.metrics)
            refused.setdefault(row.agent, Counter()).update(row.refused)
    rows = (AgentReport(agent, "", metrics[agent], dict(refused[agent])) for agent in metrics)
    return Report(tuple(sorted(rows, key=_rank)), tuple(judges), forgotten, has_claims)


def _rank(row: AgentReport) -> tuple[float, str]:
    return -row.metrics.points / max(1, row.metrics.matches), row.agent


Counts = dict[int, Counter[str]]  # by seat


def report(
    match: Match, refused: Sequence[RefusedAttempt] = (), *, forgotten: int = 0, nodes: int = REPORT_NODES
) -> Report:
    """The report on one match, with the agents in the order of their seats.

    >>> from ninefold import begin, report
    >>> found = report(begin("classic").act(1, 4).act(2, 1))
    >>> found
    <Report on Player 1 (X), Player 2 (O)>
    >>> [(row.agent, row.metrics.moves, row.metrics.mistakes) for row in found.rows]
    [('Player 1', 1, 0), ('Player 2', 1, 1)]
    """
    check_match(match)
    judge = Judge(match.setup, nodes)
    counts: Counts = {1: Counter(), 2: Counter()}
    _count_result(match, counts)
    _count_refusals(refused, counts)
    _count_claims(match, counts)
    _count_moves(match, counts, judge, _not_own(match, refused))
    _count_words(match, counts, refused)
    _count_time(match, counts)
    rows = (_agent_report(match.setup, seat, counts[seat], refused) for seat in (1, 2))
    return Report(tuple(rows), (judge.name,) if judge.name else (), forgotten, match.setup.has_claims)


def _agent_report(setup: Setup, seat: int, counts: Counter[str], refused: Sequence[RefusedAttempt]) -> AgentReport:
    side, name, player = setup.seats[seat - 1]
    agent = name or (text("player.default", seat=seat) if player == HUMAN else player)
    reasons = Counter(one.reason for one in refused if one.seat == seat and one.reason not in NOT_OWN)
    return AgentReport(agent, str(side), AgentMetrics(**counts), dict(reasons))


def _count_result(match: Match, counts: Counts) -> None:
    for seat, counted in counts.items():
        counted["matches"] = 1
        if match.result and match.result.by not in UNFINISHED:
            winner = match.result.outcome.winner
            word = "drawn" if winner is None else "won" if winner is match.setup.side(seat) else "lost"
            counted[word] = 1


def _count_refusals(refused: Sequence[RefusedAttempt], counts: Counts) -> None:
    for seat, action, reason, *_ in refused:
        counts[seat]["forfeits"] += reason == FORFEITED
        if reason in UNREADABLE:
            counts[seat]["unreadable"] += 1
        elif reason in UNTIMELY:
            continue
        elif action in CLAIM_ACTIONS or reason == "no_claims":
            counts[seat]["refused_claims"] += 1
        elif action == "move":
            counts[seat]["illegal_moves"] += 1


def _count_claims(match: Match, counts: Counts) -> None:
    """Count claims: each is followed in the log by its answer and the referee's settlement."""
    claimant, answer = 0, ""
    for _, seat, action in match.played:
        if action.cells is not None:
            claimant, answer = seat, ""
        elif action.kind in ANSWERS:
            answer = action.kind
        elif action.kind == "settle":
            true = action.text == "true"
            counts[claimant]["false_claims"] += not true
            counts[claimant]["withdrawn"] += answer == "withdraw" and not true
            counts[3 - claimant]["wrong_confirmations"] += answer == "confirm" and not true
            counts[3 - claimant]["wrong_disputes"] += answer == "dispute" and true
            counts[3 - claimant]["unanswered_claims"] += not answer


def _not_own(match: Match, refused: Sequence[RefusedAttempt]) -> set[Event]:
    """The moves that were made for a seat: those of the opening, and those of turns that it had forfeited."""
    versions = {attempt.version for attempt in refused if attempt.reason in NOT_OWN}
    found, version = set(), 0
    for event in match.events:
        if event.action.kind == "move" and version in versions:
            found.add(event)
        version += event.action.kind != "say"
    return found


def _count_moves(match: Match, counts: Counts, judge: Judge, not_own: set[Event]) -> None:
    setup = match.setup
    for number, (before, event, _) in enumerate(steps(setup, match.played)):
        move = event.action.move
        if not isinstance(move, int):
            continue
        counted = counts[event.seat]
        counted["moves"] += 1
        if event in not_own:
            continue
        if judge.name:
            counted["judged"] += 1
            counted["mistakes"] += judge.is_mistake(before.position, move)
        if _can_win_now(setup, before.position) and not _has_won_by(match, number):
            counted["missed_wins"] += 1
            held = setup.has_claims and completed_line(before.position.play(move).cells, before.position.turn)
            counted["unclaimed_lines"] += bool(held)


def _can_win_now(setup: Setup, position: Position) -> bool:
    """True if the side to move can win with this move: by the rules, or by claiming with it."""
    if setup.has_claims:
        return bool(claimable(position))
    return any(_winner(position.play(move)) is position.turn for move in position.moves())


def _winner(position: Position) -> Side | None:
    return position.outcome.winner if position.outcome else None


def _has_won_by(match: Match, number: int) -> bool:
    """True if a move, or its player's actions before the next move, won the match or still may."""
    following = match.played[number + 1 :]
    if any(event.action.kind == "move" for event in following):
        return False
    side = match.setup.side(match.played[number].seat)
    return match.result is None or match.result.outcome.winner is side


def _count_words(match: Match, counts: Counts, refused: Sequence[RefusedAttempt]) -> None:
    """Count what an agent says of its own moves, and its resignation."""
    for seat, said in misreports(match).items():
        counts[seat] |= Counter(statements=said.statements, misreports=said.misreports)
    for seat, how in endings(match, refused).items():
        counts[seat]["resigned"] += how.cause in RESIGNATIONS


def _count_time(match: Match, counts: Counts) -> None:
    """Time counts for the seat to act, from the first move on, as clocks run."""
    since: int | None = None
    for before, event, _ in steps(match.setup, match.events):
        to_act = Match(match.setup, before).to_act
        if since is not None and to_act:
            counts[to_act]["milliseconds"] += max(0, event.at - since)
        if since is not None or event.action.kind == "move":
            since = event.at
