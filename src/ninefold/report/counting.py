"""From the log of a match, and the audit of what was refused in it, to figures. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ninefold.actions import ANSWERS, Event
from ninefold.claims import claimable, line_held
from ninefold.core import Position, Side
from ninefold.match import Match
from ninefold.report.figures import Figures, Refused, Report, Row
from ninefold.report.judging import NODES, Judge
from ninefold.state import HUMAN, UNFINISHED, Setup, State, apply

# What could not be read at all.
UNREADABLE = {
    "not_an_answer", "wrong_field", "no_such_action", "not_a_move", "not_a_claim", "no_such_offer", "no_text",
    "too_long",
}  # fmt: skip
# Moves that came too late, or not as a server wants them: they say nothing about the agent's play.
UNTIMELY = {
    "stale_version", "ended", "no_version", "not_a_request", "request_reused", "not_started", "too_much_talk", "left",
}  # fmt: skip

Counts = dict[int, Counter[str]]  # by seat


def report(match: Match, refused: Sequence[Refused] = (), *, forgotten: int = 0, nodes: int = NODES) -> Report:
    """The report on one match, a row for each seat."""
    judge = Judge(match.setup, nodes)
    counts: Counts = {1: Counter(), 2: Counter()}
    _count_result(match, counts)
    _count_refusals(refused, counts)
    _count_claims(match, counts)
    _count_moves(match, counts, judge)
    _count_time(match, counts)
    rows = (_row(match.setup, seat, counts[seat], refused) for seat in (1, 2))
    return Report(tuple(rows), (judge.words,) if judge.words else (), forgotten)


def _row(setup: Setup, seat: int, counts: Counter[str], refused: Sequence[Refused]) -> Row:
    side, name, player = setup.seats[seat - 1]
    agent = name or (f"Player {seat}" if player == HUMAN else player)
    reasons = Counter(attempt.reason for attempt in refused if attempt.seat == seat)
    return Row(agent, str(side), Figures(**counts), dict(reasons))


def _count_result(match: Match, counts: Counts) -> None:
    for seat, counted in counts.items():
        counted["matches"] = 1
        if match.result and match.result.by not in UNFINISHED:
            winner = match.result.outcome.winner
            word = "drawn" if winner is None else "won" if winner is match.setup.side(seat) else "lost"
            counted[word] = 1


def _count_refusals(refused: Sequence[Refused], counts: Counts) -> None:
    for seat, action, reason in refused:
        if reason in UNREADABLE:
            counts[seat]["unreadable"] += 1
        elif action == "move" and reason not in UNTIMELY:
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


def _count_moves(match: Match, counts: Counts, judge: Judge) -> None:
    setup = match.setup
    for number, (before, event) in enumerate(_states(setup, match.played)):
        move = event.action.move
        if not isinstance(move, int):
            continue
        counted = counts[event.seat]
        counted["moves"] += 1
        if judge.words:
            counted["judged"] += 1
            counted["mistakes"] += judge.is_mistake(before.position, move)
        if _can_win_now(setup, before.position) and not _has_won_by(match, number):
            counted["missed_wins"] += 1
            held = setup.has_claims and line_held(before.position.play(move).cells, before.position.turn)
            counted["unclaimed_lines"] += bool(held)


def _states(setup: Setup, events: Sequence[Event]) -> Iterator[tuple[State, Event]]:
    """Each event with the state that it happened in."""
    state = State(setup.start)
    for event in events:
        yield state, event
        state = apply(setup, state, event)


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
    for before, event in _states(match.setup, match.events):
        asked = Match(match.setup, before).asked
        if since is not None and asked:
            counts[asked]["milliseconds"] += max(0, event.at - since)
        if since is not None or event.action.kind == "move":
            since = event.at
