"""Generated matches, with everything that people and programs may try in them, and what the Python rules say to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from ninefold.core.errors import Refusal
from ninefold.core.game import Game
from ninefold.core.grid import LINES
from ninefold.core.position import O, X
from ninefold.match.actions import Action
from ninefold.match.log import event_fields, head_fields
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat
from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.hosting.model import HostedMatch, SeatHolder
from ninefold.server.hosting.view import StoredView, stored_view, text_parts

ENDINGS = ("accept", "resign", "leave", "flag", "gone", "expire")
LONGEST = 200  # actions that are tried in one match
AFTER_THE_END = 3
TEXTS = (
    "good game", "", "   ", "\u202eback\u202c", "tab\there", "line\nbreak", "x" * 280, "y" * 281, "\x1b[31mred",
    "grüß dich", "\U0001f600", "\u00a0no\u2003break\u00a0", "ab\u0000c",
)  # fmt: skip
NAMES = ("", "Ann", "B\u202eob", "é" * 50, " padded ")
KINDS = ("", "castle", "it's", 'say "x"', "\x1b[2J", "draw_early", "a very long kind of an action indeed", "\u2028")
MALFORMED: tuple[Any, ...] = (None, True, 1.5, "5", [], [1.5], ["4"], [True], [None, 1], -1, 9, 33, 81, 1000, -7)


def generated(game: Game, seed: int) -> dict[str, Any]:
    """One match: its setup, every attempt, and the events or the refusal of each."""
    rng = Random(f"{game.id}/{seed}")
    match, calm = _begin(game, rng), rng.random() < 0.5
    document: dict[str, Any] = {"setup": head_fields(match.setup), "attempts": []}
    ended = 0
    for _ in range(LONGEST):
        seat, action = _attempt(match, rng)
        if calm and action["kind"] in ENDINGS:  # so that it is played on to the end
            continue
        match, answer = _try(match, seat, action, len(document["attempts"]))
        document["attempts"].append([seat, action, answer])
        ended += match.result is not None
        if ended > AFTER_THE_END:
            break
    document["view"] = _view(match)
    document["end"] = [match.version, match.to_act, str(match.position), match.result and match.result.sentence(game)]
    return document


def _view(match: Match) -> StoredView:
    """What a player is told of the match, as a server builds it."""
    settings = MatchRequest(match.game.id, private=True).settings
    holders = (SeatHolder("person"), SeatHolder("person"))
    return stored_view(HostedMatch("local-1", match, settings, holders, created_at=7, touched_at=7))


def lines(game: Game, seeds: range) -> Iterator[str]:
    for seed in seeds:
        yield json.dumps(generated(game, seed)) + "\n"


def _begin(game: Game, rng: Random) -> Match:
    options = {option.name: rng.choice(option.values) for option in game.options if rng.random() < 0.4}
    if options.get("claims", game.settle_options()["claims"] if "claims" in _names(game) else "no") == "yes":
        options["line_ends"] = "no"
    sides = (X, O) if rng.random() < 0.7 else (O, X)
    one, two = (Seat(side, rng.choice(NAMES), rng.choice(("human", "human", "hard"))) for side in sides)
    return begin(game, options, (one, two), at=rng.randrange(2**40), seed=rng.choice((None, 7)))


def _names(game: Game) -> set[str]:
    return {option.name for option in game.options}


def _try(match: Match, seat: int, action: dict[str, Any], at: int) -> tuple[Match, dict[str, Any]]:
    move, cells = action.get("move"), action.get("cells")
    tried = Action(
        action["kind"],
        tuple(move) if isinstance(move, list) else move,
        None if cells is None else tuple(cells),
        action.get("text", ""),
        action.get("number"),
    )
    try:
        after = match.act(seat, tried, at)
    except Refusal as refusal:
        params = {name: str(value) for name, value in refusal.params.items()}
        parts = text_parts(refusal.params)
        return match, {"refused": [refusal.code, params, parts, refusal.sentence, refusal.instead]}
    return after, {"events": [event_fields(event) for event in after.events[len(match.events) :]]}


def _attempt(match: Match, rng: Random) -> tuple[int, dict[str, Any]]:
    """Mostly what may be done, and sometimes anything."""
    seat = match.to_act or rng.choice((1, 2))
    if rng.random() < 0.04:
        seat = rng.choice((0, 1, 2, 3, -1))
    if match.state.pending and rng.random() < 0.6:
        return seat, {"kind": rng.choice(("confirm", "dispute", "dispute")), "text": rng.choice(TEXTS)}
    if match.state.offer and rng.random() < 0.4:
        return 3 - match.state.offer[0], {"kind": rng.choice(("accept", "decline", "decline"))}
    if rng.random() < 0.66:
        return seat, _move(match, rng)
    return _anything(match, rng, seat)


def _move(match: Match, rng: Random) -> dict[str, Any]:
    legal = match.position.moves()
    roll = rng.random()
    move: Any
    if roll < 0.75 and legal:
        move = rng.choice(legal)
    elif roll < 0.85:
        move = rng.randrange(len(match.game.paths))
    elif roll < 0.93:
        move = [rng.randrange(-2, 11) for _ in range(rng.randrange(5))]
    else:
        move = rng.choice(MALFORMED)
    if type(move) is int and 0 <= move < len(match.game.paths) and rng.random() < 0.5:
        move = list(match.game.paths[move])
    action = {"kind": "move", "move": move}
    if rng.random() < 0.1:
        action["cells"] = _claim(match, rng)
    if rng.random() < 0.1:
        action["text"] = rng.choice(TEXTS)
    return action


def _claim(match: Match, rng: Random) -> list[Any]:
    roll = rng.random()
    cells = match.position.cells
    if roll < 0.5:
        stands = [line for line in LINES if cells[line[0]] is not None and len({cells[cell] for cell in line}) == 1]
        return rng.sample(rng.choice(stands or LINES), 3)
    if roll < 0.9:
        return [rng.randrange(9) for _ in range(3)]
    return [rng.choice((-1, 0, 4, 9, 1.5, "4", None)) for _ in range(rng.randrange(5))]


def _anything(match: Match, rng: Random, seat: int) -> tuple[int, dict[str, Any]]:
    roll = rng.random()
    other = rng.choice((seat, 3 - seat)) if seat in (1, 2) else seat
    if roll < 0.25:
        return other, {"kind": "claim", "cells": _claim(match, rng)}
    if roll < 0.4:
        return other, {"kind": "say", "text": rng.choice(TEXTS)}
    if roll < 0.55:
        return other, {"kind": "offer", "text": rng.choice(("draw", "take_back", "take_back", "peace", ""))}
    if roll < 0.7:
        return other, {"kind": "take_back", "number": rng.choice((1, 1, 1, 2, 3, 0, -1, None, 200))}
    if roll < 0.9:
        return other, {"kind": rng.choice(("confirm", "withdraw", "accept", "decline", "settle", "dispute"))}
    if roll < 0.95:
        return other, {"kind": rng.choice(KINDS)}
    if roll < 0.97:
        return other, {"kind": rng.choice(("resign", "leave"))}
    kind = rng.choice(("settle", "flag", "gone", "expire"))
    return rng.choice((0, 0, 0, seat)), {"kind": kind, "number": rng.choice((1, 2, None, 3))}
