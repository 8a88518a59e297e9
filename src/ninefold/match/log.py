"""The log of a match as JSON lines, lossless: a line for what was settled before it, then a line an event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn

from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.position import Side
from ninefold.core.strict_json import read_json
from ninefold.games import find_game
from ninefold.match.actions import Action, Event, Kind
from ninefold.match.match import LATEST, BrokenLog, Match, replay, set_up
from ninefold.match.state import Seat, Setup

FORMAT = 1
LONGEST = 20_000  # lines
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


def write_log(match: Match) -> str:
    lines = [head_fields(match.setup), *(event_fields(event) for event in match.events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def event_fields(event: Event) -> dict[str, object]:
    action = event.action
    given = {"move": action.move, "cells": action.cells, "text": action.text or None, "number": action.number}
    fields = {name: value for name, value in given.items() if value is not None}
    return {"event": PAST[action.kind], "seat": event.seat, "at": event.at, **fields}


def read_log(text: str) -> Match:
    """The match a log tells; a broken log gives the line and the reason."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line]
    if not lines:
        broken(1, "the log is empty")
    if len(lines) > LONGEST:
        broken(lines[LONGEST][0], f"a log has at most {LONGEST:,} lines")
    numbers = [number for number, _ in lines]
    setup = _setup(lines[0][0], _object(*lines[0]))
    events = [_event(number, _object(number, line)) for number, line in lines[1:]]
    try:
        return replay(setup, events)
    except BrokenLog as refusal:
        broken(numbers[1 + refusal.event], str(refusal))


def broken(line: int, why: str) -> NoReturn:
    raise Unreadable("broken_file", f"Line {line}: {why.removesuffix('.')}.")


def _object(number: int, line: str) -> dict[str, object]:
    try:
        found = read_json(line)
    except ValueError:
        broken(number, "this is not a JSON object")
    if not isinstance(found, dict):
        broken(number, "this is not a JSON object")
    return found


def _setup(line: int, head: Mapping[str, object]) -> Setup:
    if head.get("ninefold") != FORMAT or set(head) != _HEAD:
        broken(line, f"the first line of a log has the fields {' '.join(sorted(_HEAD))}, with ninefold = {FORMAT}")
    options, seats, at, seed = head["options"], head["seats"], head["at"], head["seed"]
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        broken(line, "options are names with values in text")
    if not isinstance(seats, list) or len(seats) != 2:
        broken(line, "seats are two")
    if type(at) is not int or (seed is not None and type(seed) is not int) or type(head["toss"]) is not bool:
        broken(line, "at is a time in milliseconds, seed a whole number or null, toss true or false")
    first, second = (_seat(line, seat) for seat in seats)
    try:
        return set_up(
            find_game(str(head["game"])), options, (first, second), at=at, seed=seed, toss=head["toss"] is True
        )
    except Refusal as refusal:
        broken(line, str(refusal))


def _seat(line: int, fields: object) -> Seat:
    if not isinstance(fields, dict) or set(fields) != {"side", "name", "player"}:
        broken(line, "a seat has side, name and player")
    if fields["side"] not in ("X", "O") or not all(isinstance(value, str) for value in fields.values()):
        broken(line, "a seat's side is X or O, its name and player are text")
    return Seat(Side[fields["side"]], fields["name"], fields["player"])


def _event(line: int, fields: dict[str, object]) -> Event:
    kind = _KIND.get(str(fields.pop("event", "")))
    if kind is None:
        broken(line, f"an event is one of {' '.join(_KIND)}")
    numbers = {name: fields.pop(name, None) for name in ("seat", "at", "move", "number")}
    cells, text = fields.pop("cells", None), fields.pop("text", "")
    if fields:
        broken(line, f"{quoted(next(iter(fields)))} is not a field of an event")
    if not all(value is None or type(value) is int for value in numbers.values()) or not isinstance(text, str):
        broken(line, "seat, at, move and number are whole numbers, text is text")
    if cells is not None and not (isinstance(cells, list) and all(type(cell) is int for cell in cells)):
        broken(line, "cells are whole numbers")
    seat, at, move, number = (value if isinstance(value, int) else None for value in numbers.values())
    if seat is None or at is None or not 0 <= at <= LATEST:
        broken(line, "an event has a seat and a time in milliseconds (at)")
    action = Action(kind, move, None if cells is None else tuple(cells), text, number)
    return Event(at, seat, action)
