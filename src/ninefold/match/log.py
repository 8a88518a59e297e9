"""The log of a match as JSON lines, lossless: a line for its set-up, a line for each event, and a checksum."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NoReturn

from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.messages import message
from ninefold.core.position import Side
from ninefold.core.strict_json import read_json
from ninefold.games import find_game
from ninefold.match.actions import Action, Event, Kind
from ninefold.match.match import LATEST, BrokenLog, Match, check_match, replay, set_up
from ninefold.match.state import Seat, Setup

FORMAT = 1
LONGEST = 20_000  # lines, without the checksum
CHECKSUM = "checksum"
# The name of the event that each action leaves in the log.
PAST: dict[Kind, str] = {
    "move": "moved",
    "claim": "claimed",
    "confirm": "confirmed",
    "dispute": "disputed",
    "withdraw": "withdrawn",
    "say": "said",
    "offer": "offered",
    "accept": "accepted",
    "decline": "declined",
    "take_back": "taken_back",
    "resign": "resigned",
    "leave": "left",
    "settle": "settled",
    "flag": "flagged",
    "gone": "gone",
    "expire": "expired",
    "draw_early": "drawn_early",
}
_KIND = {past: kind for kind, past in PAST.items()}
_HEAD = {"ninefold", "game", "options", "seats", "at", "seed", "toss"}


def head_fields(setup: Setup) -> dict[str, object]:
    return {
        "ninefold": FORMAT,
        "game": setup.game.id,
        "options": dict(setup.options),
        "seats": [{"side": seat.side.name, "name": seat.name, "player": seat.player} for seat in setup.seats],
        "at": setup.at,
        "seed": setup.seed,
        "toss": setup.toss,
    }


def write_log(match: Match, *, checksum: bool = True) -> str:
    """A match as the text of its log. Servers send it without the checksum: clients of earlier releases read that.

    >>> from ninefold import begin
    >>> print(write_log(begin("classic").act(1, 4)).splitlines()[1])
    {"event": "moved", "seat": 1, "at": 0, "move": 4}
    """
    check_match(match)
    lines = [_encode(head_fields(match.setup)), *map(event_json, match.events)]
    if checksum:
        lines.append(json.dumps({CHECKSUM: checksum_of(lines)}))
    return "".join(f"{line}\n" for line in lines)


def checksum_of(lines: Iterable[str]) -> str:
    """SHA-256 over lines, each with its newline."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def event_fields(event: Event) -> dict[str, object]:
    action = event.action
    given = {"move": action.move, "cells": action.cells, "text": action.text or None, "number": action.number}
    fields = {name: value for name, value in given.items() if value is not None}
    return {"event": PAST[action.kind], "seat": event.seat, "at": event.at, **fields}


_encode = json.JSONEncoder(ensure_ascii=False).encode


def event_json(event: Event) -> str:
    """The line of an event. A plain move, which nearly every event is, needs no encoder."""
    at, seat, action = event
    if action.kind == "move" and action.cells is None and not action.text and type(action.move) is int:
        return f'{{"event": "moved", "seat": {seat}, "at": {at}, "move": {action.move}}}'
    return _encode(event_fields(event))


def read_log(text: str) -> Match:
    """The match in a log; a broken log is refused with the line and the reason. Only older logs have no checksum.

    >>> from ninefold import begin, write_log
    >>> match = begin("classic").act(1, 4)
    >>> read_log(write_log(match)) == match
    True
    """
    if not isinstance(text, str):
        raise TypeError(f"A log must be a text, not {text!r}.")
    lines = _lines(text)
    found = _checksum(*lines[-1])
    if found is not None:
        last, _ = lines.pop()
    if not lines:
        raise_broken_line(1, "log.empty")
    if len(lines) > LONGEST:
        raise_broken_line(lines[LONGEST][0], "log.too_long", most=LONGEST)
    setup = _setup(lines[0][0], _object(*lines[0]))
    events = [_event(number, _object(number, line)) for number, line in lines[1:]]
    try:
        match = replay(setup, events)
    except BrokenLog as refusal:
        raise_broken_line(lines[1 + refusal.event][0], "broken_log.refused", refusal=refusal.clause)
    if found is not None and found != checksum_of(line for _, line in lines):
        raise_broken_line(last, "log.checksum")
    return match


def continue_log(match: Match, lines: Sequence[str]) -> Match:
    """The match after more lines of its log, which are checked as those of a whole log are."""
    first = len(match.events) + 2  # the set-up is line 1
    if first + len(lines) > LONGEST + 1:
        raise_broken_line(LONGEST + 1, "log.too_long", most=LONGEST)
    return match.extend_checked([_event(number, _object(number, line)) for number, line in enumerate(lines, first)])


def rescue_log(text: str) -> tuple[Match, int]:
    """The match in a log up to the first line that is broken or cut off, and how many events were read."""
    lines = _lines(text)[:LONGEST]
    setup = _setup(lines[0][0], _object(*lines[0]))
    events: list[Event] = []
    for number, line in lines[1:]:
        try:
            events.append(_event(number, _object(number, line)))
        except Unreadable:
            break
    fitting = end = len(events)
    while True:
        try:
            match = replay(setup, events[:end])
            break
        except BrokenLog as refusal:
            end = refusal.event
            if refusal.code != "broken_log.missing":
                fitting = end
    if end < fitting:  # the referee's answer to this action was lost, and follows again
        match = match.act(events[end].seat, events[end].action, events[end].at)
    return match, fitting


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are not empty, with their numbers. A line may end with a carriage return too."""
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines:
        raise_broken_line(1, "log.empty")
    return lines


def _checksum(number: int, line: str) -> str | None:
    """The checksum on the last line of a log; None if the line is not one."""
    if CHECKSUM not in line:
        return None
    found = _object(number, line)
    return str(found[CHECKSUM]) if set(found) == {CHECKSUM} else None


def parse_event(fields: Mapping[str, object]) -> Event:
    """One event from its fields, as ``event_fields`` has them."""
    return _event(1, dict(fields))


def raise_broken_line(line: int, code: str, /, **params: object) -> NoReturn:
    """Refuse a log or a record because of one of its lines."""
    raise Unreadable("broken_file.line", line=line, why=message(code, **params))


def _object(number: int, line: str) -> dict[str, object]:
    try:
        found = read_json(line)
    except ValueError:
        raise_broken_line(number, "log.not_an_object")
    if not isinstance(found, dict):
        raise_broken_line(number, "log.not_an_object")
    return found


def _setup(line: int, head: Mapping[str, object]) -> Setup:
    if head.get("ninefold") != FORMAT or set(head) != _HEAD:
        raise_broken_line(line, "log.head", fields=" ".join(sorted(_HEAD)), format=FORMAT)
    options, seats, at, seed = head["options"], head["seats"], head["at"], head["seed"]
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise_broken_line(line, "log.options")
    if not isinstance(seats, list) or len(seats) != 2:
        raise_broken_line(line, "log.seats")
    if type(at) is not int or (seed is not None and type(seed) is not int) or type(head["toss"]) is not bool:
        raise_broken_line(line, "log.numbers")
    first, second = (_seat(line, seat) for seat in seats)
    try:
        return set_up(
            find_game(str(head["game"])), options, (first, second), at=at, seed=seed, toss=head["toss"] is True
        )
    except Refusal as refusal:
        raise_broken_line(line, "broken_log.refused", refusal=refusal.clause)


def _seat(line: int, fields: object) -> Seat:
    if not isinstance(fields, dict) or set(fields) != {"side", "name", "player"}:
        raise_broken_line(line, "log.seat_fields")
    if fields["side"] not in ("X", "O") or not all(isinstance(value, str) for value in fields.values()):
        raise_broken_line(line, "log.seat_values")
    return Seat(Side[fields["side"]], fields["name"], fields["player"])


def _event(line: int, fields: dict[str, object]) -> Event:
    kind = _KIND.get(str(fields.pop("event", "")))
    if kind is None:
        raise_broken_line(line, "log.event", events=" ".join(_KIND))
    numbers = {name: fields.pop(name, None) for name in ("seat", "at", "move", "number")}
    cells, text = fields.pop("cells", None), fields.pop("text", "")
    if fields:
        raise_broken_line(line, "log.unknown_field", field=quoted(next(iter(fields))))
    if not all(value is None or type(value) is int for value in numbers.values()) or not isinstance(text, str):
        raise_broken_line(line, "log.event_numbers")
    if cells is not None and not (isinstance(cells, list) and all(type(cell) is int for cell in cells)):
        raise_broken_line(line, "log.cells")
    seat, at, move, number = (value if isinstance(value, int) else None for value in numbers.values())
    if seat is None or at is None or not 0 <= at <= LATEST:
        raise_broken_line(line, "log.event_fields")
    action = Action(kind, move, None if cells is None else tuple(cells), text, number)
    return Event(at, seat, action)
