"""From the log of a match, and the audit of what was refused in it, to figures. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ninefold.analysis.report.metrics import Figures, Refused, Report, Row
from ninefold.analysis.report.mistakes import NODES, Judge
from ninefold.core.grid import line_held
from ninefold.core.position import Position, Side
from ninefold.core.solver import claimable
from ninefold.match.actions import ANSWERS, Event
from ninefold.match.match import Match
from ninefold.match.state import HUMAN, UNFINISHED, Setup, steps

FORFEITED = "forfeited"  # the turn at that version of the match: a move that was made there is not the seat's own

# What could not be read at all.
UNREADABLE = {
    "not_an_answer", "cut_off", "wrong_field", "no_such_action", "not_a_move", "not_a_claim", "no_such_offer",
    "no_text", "too_long",
}  # fmt: skip
# What came too late, or not as a server wants it: it says nothing about the agent's play.
UNTIMELY = {
    "no_answer", FORFEITED,
    "stale_version", "ended", "no_version", "not_a_request", "request_reused", "not_started", "too_much_talk", "left",
}  # fmt: skip

CLAIMING = ("claim", *ANSWERS)

Counts = dict[int, Counter[str]]  # by seat


def report(match: Match, refused: Sequence[Refused] = (), *, forgotten: int = 0, nodes: int = NODES) -> Report:
    """The report on one match, a row for each seat."""
    judge = Judge(match.setup, nodes)
    counts: Counts = {1: Counter(), 2: Counter()}
    _count_result(match, counts)
    _count_refusals(refused, counts)
    _count_claims(match, counts)
    _count_moves(match, counts, judge, _forfeited(match, refused))
    _count_time(match, counts)
    rows = (_row(match.setup, seat, counts[seat], refused) for seat in (1, 2))
    return Report(tuple(rows), (judge.words,) if judge.words else (), forgotten)


def _row(setup: Setup, seat: int, counts: Counter[str], refused: Sequence[Refused]) -> Row:
    side, name, player = setup.seats[seat - 1]
    agent = name or (f"Player {seat}" if player == HUMAN else player)
    reasons = Counter(one.reason for one in refused if one.seat == seat and one.reason != FORFEITED)
    return Row(agent, str(side), Figures(**counts), dict(reasons))


def _count_result(match: Match, counts: Counts) -> None:
    for seat, counted in counts.items():
        counted["matches"] = 1
        if match.result and match.result.by not in UNFINISHED:
            winner = match.result.outcome.winner
            word = "drawn" if winner is None else "won" if winner is match.setup.side(seat) else "lost"
            counted[word] = 1


def _count_refusals(refused: Sequence[Refused], counts: Counts) -> None:
    for seat, action, reason, _ in refused:
        counts[seat]["forfeits"] += reason == FORFEITED
        if reason in UNREADABLE:
            counts[seat]["unreadable"] += 1
        elif reason in UNTIMELY:
            continue
        elif action in CLAIMING or reason == "no_claims":
            counts[seat]["refused_claims"] += 1
        elif action == "move":
            counts[seat]["illegal_moves"] += 1


def _count_claims(match: Match, counts: Counts) -> None:
    """Every claim with its answer and the referee's settlement, which follow each other in the log."""
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


def _forfeited(match: Match, refused: Sequence[Refused]) -> set[Event]:
    """The moves that were made for a seat, because its own answers would not do."""
    versions = {attempt.version for attempt in refused if attempt.reason == FORFEITED}
    found, version = set(), 0
    for event in match.events:
        if event.action.kind == "move" and version in versions:
            found.add(event)
        version += event.action.kind != "say"
    return found


def _count_moves(match: Match, counts: Counts, judge: Judge, forfeited: set[Event]) -> None:
    setup = match.setup
    for number, (before, event, _) in enumerate(steps(setup, match.played)):
        move = event.action.move
        if not isinstance(move, int):
            continue
        counted = counts[event.seat]
        counted["moves"] += 1
        if event in forfeited:
            continue
        if judge.words:
            counted["judged"] += 1
            counted["mistakes"] += judge.is_mistake(before.position, move)
        if _can_win_now(setup, before.position) and not _has_won_by(match, number):
            counted["missed_wins"] += 1
            held = setup.has_claims and line_held(before.position.play(move).cells, before.position.turn)
            counted["unclaimed_lines"] += bool(held)


def _can_win_now(setup: Setup, position: Position) -> bool:
    """Whether the side to move could win with this move: by the rules, or by claiming with it."""
    if setup.has_claims:
        return bool(claimable(position))
    return any(_winner(position.play(move)) is position.turn for move in position.moves())


def _winner(position: Position) -> Side | None:
    return position.outcome.winner if position.outcome else None


def _has_won_by(match: Match, number: int) -> bool:
    """Whether a move, or what its player did before the next one, won the match; or still may."""
    following = match.played[number + 1 :]
    if any(event.action.kind == "move" for event in following):
        return False
    side = match.setup.side(match.played[number].seat)
    return match.result is None or match.result.outcome.winner is side


def _count_time(match: Match, counts: Counts) -> None:
    """Who was asked has used the time, from the first move on, as clocks run."""
    since: int | None = None
    for before, event, _ in steps(match.setup, match.events):
        asked = Match(match.setup, before).to_act
        if since is not None and asked:
            counts[asked]["milliseconds"] += max(0, event.at - since)
        if since is not None or event.action.kind == "move":
            since = event.at
