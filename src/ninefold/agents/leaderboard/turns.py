"""A match step by step, with what each side was told, what it answered, and what was refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ninefold.agents.leaderboard.runs import Entry, RunMatch
from ninefold.analysis.report.endings import FORFEITED, OPENING, RefusedAttempt
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.match.actions import Event
from ninefold.match.narration import describe_event, describe_result
from ninefold.match.state import Transition, steps
from ninefold.match.summary import last_changed

_WITH_THE_EVENT_BEFORE = ("say", "settle", "draw_early")

WordKind = Literal["told", "answered", "failed", "printed", "refused", "forfeited", "opening"]


class Words(NamedTuple):
    """What a side was told (by whom is in ``role``), answered, printed or tried in vain."""

    seat: int
    kind: WordKind
    text: str
    role: str = ""
    facts: Mapping[str, Any] = {}


class Exchange(NamedTuple):
    """What a side was told until it answered, or failed to; or a line that a program printed."""

    at: int  # when it ended
    words: tuple[Words, ...]
    is_answered: bool


class MatchStep(NamedTuple):
    """An event with those that belong to it, and all that was said until it happened. The first step is the start, and
    has no event."""

    number: int
    at: int
    seat: int
    move: str  # as players type it; empty if this was no move
    sentences: tuple[str, ...]
    position: Position  # after it
    last: tuple[int, ...]  # cells that the last move changed
    said: str  # the message with it
    words: tuple[Words, ...]


def match_steps(played: RunMatch) -> list[MatchStep]:
    """The steps of a match. The last one also has its result, and what was said after it."""
    match = played.match
    found = [MatchStep(0, match.setup.at, 0, "", (), match.setup.start, (), "", ())]
    waiting = {seat: list(_transcript(seat, played.transcripts.get(seat, ()))) for seat in (1, 2)}
    refused = list(played.audit.refused)
    version = 0
    for transition in steps(match.setup, match.events):
        event = transition.event
        if event.action.kind in _WITH_THE_EVENT_BEFORE and len(found) > 1:
            found[-1] = _joined(found[-1], match.setup, transition)
        else:
            words = (*_until(waiting, event), *_refusals(refused, version, event.at))
            found.append(_step(len(found), match.setup, transition, words))
        version += event.action.kind != "say"
    rest = (*_until(waiting, None), *_refusals(refused, None, None))
    result = tuple(describe_result(match.setup, match.state).splitlines())
    found[-1] = found[-1]._replace(sentences=(*found[-1].sentences, *result), words=(*found[-1].words, *rest))
    return found


def _step(number: int, setup: Any, transition: Transition, words: tuple[Words, ...]) -> MatchStep:
    _, event, after = transition
    move = setup.game.name(event.action.move) if isinstance(event.action.move, int) else ""
    sentence = describe_event(setup, after, event)
    return MatchStep(
        number, event.at, event.seat, move, tuple(sentence.splitlines()), after.position,
        last_changed(setup.game, after), event.action.text if event.action.kind in ("say", "dispute") else "", words,
    )  # fmt: skip


def _joined(step: MatchStep, setup: Any, transition: Transition) -> MatchStep:
    """A step with an event that belongs to it: what was said with a move, or the referee's verdict on a claim."""
    _, event, after = transition
    sentences = (*step.sentences, *describe_event(setup, after, event).splitlines())
    said = event.action.text if event.action.kind == "say" and event.seat == step.seat else step.said
    return step._replace(sentences=sentences, position=after.position, said=said)


def _until(waiting: dict[int, list[Exchange]], event: Event | None) -> Iterator[Words]:
    """The words of the transcripts until an event of that seat; all that are left where there is no event."""
    for seat, exchanges in waiting.items():
        if event is not None and seat != event.seat:
            continue
        # Nobody acts without an answer: one belongs here also if the clocks of transcript and match differ.
        count = sum(event is None or one.at <= event.at for one in exchanges)
        count = max(count, 1 if exchanges and exchanges[0].is_answered else 0)
        for exchange in exchanges[:count]:
            yield from exchange.words
        del exchanges[:count]


def _refusals(refused: list[RefusedAttempt], version: int | None, at: int | None) -> Iterator[Words]:
    """The attempts that were refused at a version of the match, or until a time; all where there is no time."""
    for one in list(refused):
        is_here = at is None or (one.version == version if one.version is not None else (one.at or 0) <= at)
        if is_here:
            refused.remove(one)
            if one.reason == FORFEITED:
                yield Words(one.seat, "forfeited", text("board.words.forfeited"))
            elif one.reason == OPENING:
                yield Words(one.seat, "opening", text("board.words.opening"))
            else:
                yield Words(one.seat, "refused", text("board.words.refused", action=one.action, reason=one.reason))


def _transcript(seat: int, entries: Sequence[Entry]) -> Iterator[Exchange]:
    told: tuple[Words, ...] = ()
    at = 0
    for entry in entries:
        at = entry["at"] if type(entry.get("at")) is int else at
        words = tuple(_entry_words(seat, entry))
        if any(one.kind == "told" for one in words):
            told += words
        elif words:
            yield Exchange(at, told + words, words[0].kind != "printed")
            told = ()
    if told:
        yield Exchange(at, told, is_answered=False)


def _entry_words(seat: int, entry: Entry) -> Iterator[Words]:
    if isinstance(sent := entry.get("sent"), list):
        for message in sent:
            if isinstance(message, dict):
                yield Words(seat, "told", content_text(message.get("content")), str(message.get("role", "user")))
    if "received" in entry:
        facts = {name: value for name, value in entry.items() if name not in ("at", "received", "calls")}
        answer = str(entry["received"] or "")
        calls = entry.get("calls")
        if isinstance(calls, list) and calls:
            answer = "\n".join([answer, *(_call(call) for call in calls)]).strip()
        yield Words(seat, "answered", answer, "assistant", facts)
    if "failed" in entry:
        yield Words(seat, "failed", str(entry["failed"]))
    if "printed" in entry:
        yield Words(seat, "printed", str(entry["printed"]))


def _call(call: object) -> str:
    return f"{call.get('name')} {call.get('arguments')}" if isinstance(call, dict) else json.dumps(call)


def content_text(content: object) -> str:
    """The text of a message of a chat: a string, or a list of parts."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)
