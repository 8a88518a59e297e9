"""The document a reader sees of a match: built field by field, so that nothing kept is told by accident."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position
from ninefold.match.match import Match
from ninefold.match.shared_board import shared_board
from ninefold.match.state import Result
from ninefold.match.summary import history, last_changed
from ninefold.server.hosting.deadlines import Outages, later, remaining
from ninefold.server.hosting.handlers import absent_due
from ninefold.server.hosting.model import Kept, There

TALK = 50  # the latest messages that a view shows

Document = dict[str, Any]


def layout(game: Game) -> Document:
    """How a game's board is laid out and what its cells are called, for those who draw it."""
    return {
        "kind": "boards" if game.picture.boards else "grid",
        "names": [game.naming.name(cell) for cell in range(9)],
        "joiner": game.joiner,
        "steps": [step.question for step in game.steps],
    }


def board(game: Game, position: Position, last: Sequence[int] = ()) -> Document:
    """A position as it is drawn."""
    shown: Document = {
        "cells": ["" if mark is None else mark.name for mark in position.cells],
        "last": list(last),
        "lines": [list(line) for line in position.outcome.lines] if position.outcome else [],
    }
    if game.picture.boards:
        boards = cast("BoardOfBoards", position)
        shown |= {"owners": list(boards.owners), "open": list(boards.open_boards)}
    return shown


def moves(game: Game, position: Position) -> list[Document]:
    """The legal moves with their effects, so that no reader needs a rule."""
    found = []
    for move in position.moves():
        effects = game.effects(position, move)
        found.append(
            {
                "move": move,
                "text": game.name(move),
                "path": list(game.paths[move]),
                "cells": effects.cells,
                "boards": effects.boards,
                "opens": list(effects.opens),
                "ends": effects.outcome is not None,
            }
        )
    return found


def outcome(game: Game, result: Result) -> Document:
    """How a match has ended."""
    winner = result.outcome.winner
    return {
        "by": result.by,
        "winner": None if winner is None else str(winner),
        "sentence": result.sentence(game),
        "score": result.score,
        "lines": [list(line) for line in result.outcome.lines],
    }


def lasting(kept: Kept) -> Document:
    """What stays the same until something is written."""
    match, game = kept.match, kept.match.game
    shared = shared_board(match)
    result = match.result
    return {
        "id": kept.id,
        "game": game.id,
        "title": game.title,
        "options": dict(match.setup.options),
        "private": kept.settings.private,
        "created_at": kept.created_at,
        "status": kept.status,
        "version": match.version,
        "size": len(match.events),
        "position": str(match.position),
        "turn": None if result else str(match.position.turn),
        "asked": match.to_act if kept.status == "live" else None,
        "board": board(game, match.position, last_changed(game, match.state)),
        "show_moves": kept.settings.show_moves,
        "moves": moves(game, match.position) if kept.settings.show_moves and not result else [],
        "history": [{"side": str(side), "text": name, "path": list(path)} for side, name, path in history(match)],
        "result": result and outcome(game, result),
        "game_status": match.status,
        "claim": shared["claim"],
        "barred": sorted(map(str, match.state.barred)),
        "offer": match.state.offer and {"seat": match.state.offer[0], "what": match.state.offer[1]},
        "rematch": kept.rematch or None,
        "said": _said(match),
    }


def _said(match: Match) -> list[Document]:
    """The latest messages."""
    return [
        {"index": index, "seat": event.seat, "text": event.action.text, "at": event.at}
        for index, event in enumerate(match.events)
        if event.action.kind == "say"
    ][-TALK:]


def passing(kept: Kept, there: There, now: int, outages: Outages) -> Document:
    """What changes by itself: clocks, and who is there."""
    left = remaining(kept, now, outages)
    clock = kept.settings.clock
    return {
        "seats": [_seat(kept, seat, there.present[seat - 1]) for seat in (1, 2)],
        "watching": there.watching,
        "clock": clock
        and left
        and {
            "X": left[0],
            "O": left[1],
            "running": str(kept.match.position.turn) if kept.time and kept.time.since is not None else None,
            "increment": clock.increment,
            "at": now,
        },
        "claim_due": later(kept.touched_at, kept.settings.claim_ms, outages) if kept.match.state.pending else None,
        "absent_due": absent_due(kept, there.seen_at, outages),
        "now": now,
    }


def _seat(kept: Kept, seat: int, present: bool) -> Document:
    side, name, player = kept.match.setup.seats[seat - 1]
    holder = kept.chair(seat).holder
    return {
        "seat": seat,
        "side": str(side),
        "name": name,
        "player": holder,
        "level": player if holder == "computer" else None,
        "present": present or holder == "computer",
    }


def short(kept: Kept) -> Document:
    """A match in a list."""
    match = kept.match
    return {
        "id": kept.id,
        "game": match.game.id,
        "title": match.game.title,
        "status": kept.status,
        "created_at": kept.created_at,
        "version": match.version,
        "moves": len(match.state.moves),
        "seats": [_seat(kept, seat, False) for seat in (1, 2)],
        "clock": kept.settings.clock and kept.settings.clock._asdict(),
        "board": board(match.game, match.position),
    }
