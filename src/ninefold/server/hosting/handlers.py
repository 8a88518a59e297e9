"""Command handlers: what each command does to a hosted match. Pure: secrets and the time are passed in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NotRequired, TypedDict, cast

from ninefold.core.errors import IllegalMove, NotAllowed, Refusal, Unreadable
from ninefold.core.text import clean
from ninefold.match import actions
from ninefold.match.actions import SEAT_ACTIONS, UNVERSIONED, Action
from ninefold.match.log import event_fields, event_json
from ninefold.match.match import Match
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import (
    Acknowledgement,
    Act,
    Arrive,
    ClaimAbsent,
    Command,
    Create,
    Forget,
    HandlerContext,
    HandlerResult,
    Handover,
    Join,
    Lease,
    MatchLimits,
    Note,
    Rematch,
    Tick,
)
from ninefold.server.hosting.deadlines import absent_at, advance, apply_due
from ninefold.server.hosting.errors import has_left, no_such_match
from ninefold.server.hosting.model import HostedMatch, StoredResponse
from ninefold.server.hosting.seats import (
    arrive,
    create,
    forget,
    handover,
    idempotency_key,
    join,
    rematch,
    seat_of,
    with_arrival,
)

LEASE_MS = 1_500  # what a worker that dies leaves behind is taken over after so long
MOST_REFUSED = 200  # attempts in the audit of a match
LONGEST_ATTEMPT = 40  # characters of a refused move that the audit holds
ENDINGS = ("resign", "leave")


def dispatch(hosted: HostedMatch | None, command: Command, context: HandlerContext) -> HandlerResult:
    """The result of a command, or a refusal that changes nothing."""
    if isinstance(command, Create):
        return create(hosted, command, context)
    if hosted is None:
        raise no_such_match()
    current = apply_due(hosted, context.now, context.outages, timers=context.timers)
    try:
        return HANDLERS[type(command)](current, command, context)
    except Refusal as refusal:
        if current is hosted:
            raise
        # What was due has happened, whatever becomes of the command.
        return HandlerResult({}, (current,), refusal)


def execute(hosted: HostedMatch | None, command: Command, context: HandlerContext) -> HandlerResult:
    """The result of a command. A refusal is part of it, and of the audit when an action was tried."""
    try:
        result = dispatch(hosted, command, context)
    except Refusal as refusal:
        result = HandlerResult({}, (hosted,) if hosted else (), refusal)
    if result.refusal is None or not isinstance(command, Act) or not result.matches:
        return result
    tried, *others = result.matches
    return result._replace(matches=(_audit(tried, command, result.refusal, context.now), *others))


def _act(hosted: HostedMatch, command: Act, context: HandlerContext) -> HandlerResult:
    seat = command.computer or seat_of(hosted, command.token)
    body = tokens.digest(_body_text(command))
    if repeated := _repeated(hosted, seat, command.key, body):
        return repeated
    if hosted.seat_holder(seat).holder == "left":
        raise has_left()
    if command.action.kind not in UNVERSIONED:  # whoever plays is there; who leaves or talks need not be
        hosted = with_arrival(hosted, seat, context, command.address)
    try:
        action = _check(hosted, seat, command, context.limits)
        after = advance(hosted, seat, action, context.now, context.outages, command.lag)
    except Refusal as refusal:
        raise _with_legal_moves(hosted, command, refusal) from None
    if action.kind == "leave":
        after = after.with_seat_holder(seat, hosted.seat_holder(seat)._replace(holder="left"))
    return _acknowledge(hosted, after, seat, command.key, body)


def _body_text(command: Act) -> str:
    """What a repeated request has to repeat. Its digest is stored, so this text stays as it is."""
    kind, move, cells, text, number = command.action
    action = f"Action(kind={kind!r}, move={move!r}, cells={cells!r}, text={text!r}, number={number!r})"
    return f"({command.version!r}, {action}, {command.text!r})"


def _acknowledge(before: HostedMatch, after: HostedMatch, seat: int, key: str, body: str) -> HandlerResult:
    """Respond with the new events, and store the response for a repeat."""
    first = len(before.match.events)
    events = events_json(after.match, first)
    response = f'{{"version": {after.match.version}, "index": {first}, "events": {events}}}'
    responses = before.responses.added((seat, key), StoredResponse(body, response))
    acknowledgement = Acknowledgement(response, replayed=False, new=range(first, len(after.match.events)))
    return HandlerResult(acknowledgement, (after._replace(responses=responses),))


class EventDoc(TypedDict):
    """An event as its readers see it. The other fields depend on its kind."""

    index: int
    event: str
    seat: int
    at: int
    """UTC, in milliseconds since 1970."""
    move: NotRequired[int]
    cells: NotRequired[list[int]]
    text: NotRequired[str]
    number: NotRequired[int]


def indexed_event(index: int, event: actions.Event) -> EventDoc:
    return cast("EventDoc", {"index": index, **event_fields(event)})


def events_json(match: Match, first: int) -> str:
    """The events of a match from an index on, as JSON."""
    events = match.events
    listed = [f'{{"index": {index}, {event_json(events[index])[1:]}' for index in range(first, len(events))]
    return f"[{', '.join(listed)}]"


def _repeated(hosted: HostedMatch, seat: int, key: str, body: str) -> HandlerResult | None:
    """The first response again, if this is a repeat."""
    stored = hosted.responses.get((seat, idempotency_key(key)))
    if stored is None:
        return None
    if stored.body != body:
        raise NotAllowed("request_reused")
    return HandlerResult(Acknowledgement(stored.text, replayed=True), (hosted,))


def _check(hosted: HostedMatch, seat: int, command: Act, limits: MatchLimits) -> Action:
    """The action, if it may be tried at all."""
    action, match = command.action, hosted.match
    if action.kind not in SEAT_ACTIONS:
        raise Unreadable("no_such_action.seat", kinds=" ".join(SEAT_ACTIONS))
    if action.kind not in UNVERSIONED:
        if hosted.status == "open":
            is_rematch = any(holder.is_reserved for holder in hosted.seat_holders)
            raise NotAllowed("not_started.rematch" if is_rematch else "not_started")
        if command.version is None:
            raise Unreadable("no_version", version=match.version)
        if command.version != match.version and not match.result:
            if command.version > match.version:
                raise NotAllowed("stale_version.ahead", version=match.version, seen=command.version)
            raise NotAllowed("stale_version", version=match.version)
    if action.kind not in ENDINGS:
        _check_limits(hosted, seat, action, limits)
    if command.text:
        return action._replace(move=match.game.parse_move_at(match.position, command.text))
    return action


def _check_limits(hosted: HostedMatch, seat: int, action: Action, limits: MatchLimits) -> None:
    events = hosted.match.events
    if len(events) >= limits.events or len(hosted.responses) >= limits.responses:
        raise NotAllowed("too_long.match")
    has_message = action.kind == "say" or (action.kind == "move" and action.text)
    if has_message and sum(event.action.kind == "say" and event.seat == seat for event in events) >= limits.messages:
        raise NotAllowed("too_much_talk")


def _with_legal_moves(hosted: HostedMatch, command: Act, refusal: Refusal) -> Refusal:
    """The refusal of a move with the legal moves, or without any of them if they are hidden in this match."""
    if command.action.kind != "move" or hosted.match.result:
        return refusal
    if hosted.settings.show_moves:
        return refusal.with_details(moves=[hosted.match.game.name(move) for move in hosted.match.position.moves()])
    if isinstance(refusal, IllegalMove):  # what it names instead are legal moves
        return refusal.with_instead("move.hidden")
    return refusal


def _audit(hosted: HostedMatch, command: Act, refusal: Refusal, now: int) -> HostedMatch:
    """The match with a refused attempt in its audit."""
    try:
        seat = command.computer or seat_of(hosted, command.token)
    except Refusal:
        return hosted
    action = command.action
    typed = clean(command.text)[:LONGEST_ATTEMPT] or None
    facts = {"text": typed, "move": None if typed else action.move, "cells": action.cells, "version": command.version}
    return with_audit_entry(hosted, seat, action.kind, refusal.reason, now, **facts)


def with_audit_entry(hosted: HostedMatch, seat: int, kind: str, reason: str, now: int, **facts: object) -> HostedMatch:
    """The match with one more entry in its audit, which holds the latest."""
    entry = {"at": now, "seat": seat, "action": kind, "reason": reason, **facts}
    line = json.dumps({name: value for name, value in entry.items() if value is not None})
    number = hosted.refused[-1][0] + 1 if hosted.refused else 1
    return hosted._replace(refused=(*hosted.refused, (number, line))[-MOST_REFUSED:])


def _note(hosted: HostedMatch, command: Note, context: HandlerContext) -> HandlerResult:
    seat = seat_of(hosted, command.token)
    return HandlerResult({}, (with_audit_entry(hosted, seat, command.kind, command.reason, context.now),))


def _claim_absent(hosted: HostedMatch, command: ClaimAbsent, context: HandlerContext) -> HandlerResult:
    seat = seat_of(hosted, command.token)
    body = tokens.digest("absent")
    if repeated := _repeated(hosted, seat, command.key, body):
        return repeated
    at = absent_at(hosted, command.seen_at, context.outages)
    if at is None or hosted.match.to_act == seat:
        raise NotAllowed("not_absent")
    if context.now < at:
        raise NotAllowed("not_absent.yet", seconds=(at - context.now + 999) // 1000).with_details(until=at)
    after = advance(hosted, actions.REFEREE, actions.gone(3 - seat), context.now, context.outages)
    return _acknowledge(hosted, after, seat, command.key, body)


def _tick(hosted: HostedMatch, _: Tick, __: HandlerContext) -> HandlerResult:
    return HandlerResult({}, (hosted._replace(),))  # stored again: an outage may have put off its next deadline


def is_computers_turn_now(before: HostedMatch | None, after: HostedMatch) -> bool:
    """True if it has become the computer's turn, and was not before."""
    if not after.computer_to_act:
        return False
    return before is None or before.match.version != after.match.version or not before.computer_to_act


def with_lease(before: HostedMatch | None, after: HostedMatch, now: int) -> HostedMatch:
    """The match with a lease, where a command has made it the computer's turn: this worker computes the move."""
    return after._replace(lease_until=now + LEASE_MS) if is_computers_turn_now(before, after) else after


def _lease(hosted: HostedMatch, command: Lease, context: HandlerContext) -> HandlerResult:
    is_held = hosted.lease_until > context.now and hosted.lease_until != command.held
    if not hosted.computer_to_act or is_held:
        return HandlerResult({"until": None}, (hosted,))
    until = max(context.now + (command.ms or LEASE_MS), hosted.lease_until + 1)  # never the same as another worker's
    return HandlerResult({"until": until}, (hosted._replace(lease_until=until),))


HANDLERS: dict[type, Callable[..., HandlerResult]] = {
    Join: join,
    Act: _act,
    Note: _note,
    Handover: handover,
    ClaimAbsent: _claim_absent,
    Rematch: rematch,
    Arrive: arrive,
    Forget: forget,
    Tick: _tick,
    Lease: _lease,
}
