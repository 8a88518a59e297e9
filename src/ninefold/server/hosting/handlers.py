"""The desk: what each write does to a kept match. Pure: secrets and the time are passed in."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from ninefold.core.errors import IllegalMove, Refusal
from ninefold.core.position import Path
from ninefold.core.text import clean
from ninefold.match import actions
from ninefold.match.actions import UNVERSIONED, Action
from ninefold.match.log import event_fields
from ninefold.server.hosting import deadlines, tokens
from ninefold.server.hosting.commands import (
    Absent,
    Act,
    Create,
    Done,
    Handover,
    Join,
    Lease,
    Moment,
    Note,
    Rematch,
    Tick,
    Write,
)
from ninefold.server.hosting.deadlines import Outages, advance, settle_due
from ninefold.server.hosting.errors import Problem, as_problem, has_left, no_such_match
from ninefold.server.hosting.model import Answer, Kept
from ninefold.server.hosting.seats import checked_request, create, handover, join, rematch, seat_of

LEASE_MS = 30_000
MOST_EVENTS = 5_000
MOST_ANSWERS = 2_000
MOST_SAID = 300  # by one seat: nobody can talk a match to its end
MOST_REFUSED = 200
LONGEST_TRIED = 40  # characters of a refused move that are kept
ENDINGS = ("resign", "leave")
SEATS_DO = ("move", "claim", "confirm", "dispute", "withdraw", "say", "offer", "accept", "decline", "resign", "leave")


def carry_out(kept: Kept | None, write: Write, moment: Moment) -> Done:
    """What a write comes to, or a refusal that changes nothing."""
    if isinstance(write, Create):
        return create(kept, write, moment)
    if kept is None:
        raise no_such_match()
    settled = settle_due(kept, moment.now, moment.outages)
    try:
        return _WRITES[type(write)](settled, write, moment)
    except Refusal as refusal:
        problem = as_problem(refusal)
        if settled is kept:
            raise problem from None
        # What was due has happened, whatever becomes of the write.
        return Done({}, (settled,), problem)


def attempt(kept: Kept | None, write: Write, moment: Moment) -> Done:
    """What a write comes to, whatever that is: a refusal is part of it, and in the audit when an action was tried."""
    try:
        done = carry_out(kept, write, moment)
    except Refusal as refusal:
        done = Done({}, (kept,) if kept else (), as_problem(refusal))
    if done.problem is None or not isinstance(write, Act) or not done.kept:
        return done
    tried, *others = done.kept
    return done._replace(kept=(audited(tried, write, done.problem, moment.now), *others))


def _act(kept: Kept, write: Act, moment: Moment) -> Done:
    seat = write.computer or seat_of(kept, write.token)
    body = tokens.digest(repr((write.version, write.action, write.text)))
    if repeated := _repeated(kept, seat, write.request, body):
        return repeated
    if kept.chair(seat).holder == "left":
        raise has_left()
    try:
        action = _checked(kept, seat, write)
        after = advance(kept, seat, action, moment.now, moment.outages)
    except Refusal as refusal:
        raise _refused(kept, write, refusal) from None
    if action.kind == "leave":
        after = after.with_chair(seat, kept.chair(seat)._replace(holder="left"))
    return _answered(kept, after, seat, write.request, body)


def _answered(before: Kept, after: Kept, seat: int, request: str, body: str) -> Done:
    """Acknowledge the new events, and remember that."""
    first = len(before.match.events)
    events = [event_line(index, event) for index, event in enumerate(after.match.events) if index >= first]
    answer: dict[str, object] = {"version": after.match.version, "index": first, "events": events}
    text = json.dumps(answer)
    return Done(
        {**answer, "replayed": False},
        (after._replace(answers={**before.answers, (seat, request): Answer(body, text)}),),
    )


def event_line(index: int, event: actions.Event) -> dict[str, object]:
    return {"index": index, **event_fields(event)}


def _repeated(kept: Kept, seat: int, request: str, body: str) -> Done | None:
    """The first answer again, if this was asked before."""
    known = kept.answers.get((seat, checked_request(request)))
    if known is None:
        return None
    if known.body != body:
        raise Problem(409, "request_reused", "This request id was used for something else.", "Make a new one.")
    return Done({**json.loads(known.text), "replayed": True}, (kept,))


def _checked(kept: Kept, seat: int, write: Act) -> Action:
    """The action, if it may be tried at all."""
    action, match = write.action, kept.match
    if action.kind not in SEATS_DO:
        raise Problem(422, "no_such_action", "A seat cannot do this.", f"Actions: {' '.join(SEATS_DO)}.")
    if kept.status == "open" and action.kind not in UNVERSIONED:
        raise Problem(409, "not_started", "The other seat is still open.", "Send the invitation.")
    if write.version is None and action.kind not in UNVERSIONED:
        raise Problem(422, "no_version", "This needs the version it is meant for.", f"It is {match.version} now.")
    if write.version not in (None, match.version) and action.kind not in UNVERSIONED and not match.result:
        raise Problem(409, "stale_version", f"The game has gone on to version {match.version}.", "Look at it again.")
    if action.kind not in ENDINGS:
        _not_too_long(kept, seat, action)
    if write.text:
        path: Path = match.game.parse_move_at(match.position, write.text)
        action = action._replace(move=path)
    return action


def _not_too_long(kept: Kept, seat: int, action: Action) -> None:
    events = kept.match.events
    if len(events) >= MOST_EVENTS or len(kept.answers) >= MOST_ANSWERS:
        raise Problem(409, "too_long", "This match has become too long.", "You may resign or leave.")
    talks = action.kind == "say" or (action.kind == "move" and action.text)
    if talks and sum(event.action.kind == "say" and event.seat == seat for event in events) >= MOST_SAID:
        raise Problem(409, "too_much_talk", "You have said enough in this match.", "You may play on.")


def _refused(kept: Kept, write: Act, refusal: Refusal) -> Problem:
    problem = as_problem(refusal)
    if write.action.kind != "move" or kept.match.result:
        return problem
    if kept.settings.show_moves:
        problem.extra["moves"] = [kept.match.game.name(move) for move in kept.match.position.moves()]
    elif isinstance(refusal, IllegalMove):  # what it names instead are legal moves
        return Problem(problem.status, problem.reason, problem.sentence, "Choose another move.")
    return problem


def audited(kept: Kept, write: Act, problem: Problem, now: int) -> Kept:
    """The match with a refused attempt in its audit, of which the latest are kept."""
    try:
        seat = write.computer or seat_of(kept, write.token)
    except Problem:
        return kept
    action = write.action
    text = clean(write.text)[:LONGEST_TRIED] or None
    move = action.move if not text else None
    return noted(
        kept, seat, action.kind, problem.reason, now, text=text, move=move, cells=action.cells, version=write.version
    )


def noted(kept: Kept, seat: int, kind: str, reason: str, now: int, **given: object) -> Kept:
    """The match with one more line in its audit."""
    tried = {"at": now, "seat": seat, "action": kind, "reason": reason, **given}
    line = json.dumps({key: value for key, value in tried.items() if value is not None})
    number = kept.refused[-1][0] + 1 if kept.refused else 1
    return kept._replace(refused=(*kept.refused, (number, line))[-MOST_REFUSED:])


def _note(kept: Kept, write: Note, moment: Moment) -> Done:
    return Done({}, (noted(kept, seat_of(kept, write.token), write.kind, write.reason, moment.now),))


def _absent(kept: Kept, write: Absent, moment: Moment) -> Done:
    seat = seat_of(kept, write.token)
    body = tokens.digest("absent")
    if repeated := _repeated(kept, seat, write.request, body):
        return repeated
    when = absent_due(kept, write.seen_at, moment.outages)
    if when is None or kept.match.to_act == seat:
        raise Problem(409, "not_absent", "There is nobody to wait for.", "This is for an opponent who has gone.")
    if moment.now < when:
        wait = (when - moment.now + 999) // 1000
        raise Problem(409, "not_absent", "Your opponent may still come back.", f"Ask again in {wait} s.", until=when)
    after = advance(kept, actions.REFEREE, actions.gone(3 - seat), moment.now, moment.outages)
    return _answered(kept, after, seat, write.request, body)


def absent_due(kept: Kept, seen_at: Sequence[int], outages: Outages) -> int | None:
    """When the person who has to act may be said to have gone. Where a clock runs, its flag is waited for."""
    asked = kept.match.to_act
    running = kept.time is not None and kept.time.since is not None
    if kept.status != "live" or not asked or kept.chair(asked).holder != "person" or running:
        return None
    return deadlines.later(max(kept.touched_at, seen_at[asked - 1]), kept.settings.absent_ms, outages)


def _tick(kept: Kept, _: Tick, __: Moment) -> Done:
    return Done({}, (kept._replace(),))  # written again: its due time may have been put off by an outage


def leased(before: Kept | None, after: Kept, now: int) -> Kept:
    """Who has brought the computer to its turn is the first who may compute its move."""
    if not after.computer or (before and before.match.version == after.match.version and before.computer):
        return after
    return after._replace(lease_until=now + LEASE_MS)


def _lease(kept: Kept, _: Lease, moment: Moment) -> Done:
    if not kept.computer or kept.lease_until > moment.now:
        return Done({"leased": False}, (kept,))
    return Done({"leased": True}, (kept._replace(lease_until=moment.now + LEASE_MS),))


_WRITES: dict[type, Callable[..., Done]] = {
    Join: join,
    Act: _act,
    Note: _note,
    Handover: handover,
    Absent: _absent,
    Rematch: rematch,
    Tick: _tick,
    Lease: _lease,
}
