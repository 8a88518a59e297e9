"""The view of a match: typed documents, built field by field, so that no secret gets into them by accident.

``server.http`` derives its response models and the OpenAPI document from these types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, cast

from ninefold.core.game import Game
from ninefold.core.messages import Message
from ninefold.core.position import BoardOfBoards, Position, SideName
from ninefold.match.claims import checklist
from ninefold.match.clock import Outages, due_after
from ninefold.match.match import GameStatus, Match
from ninefold.match.shared_board import ClaimDoc, ClaimFields, LineDoc, claim_doc
from ninefold.match.state import Result
from ninefold.match.summary import history, last_changed
from ninefold.server.hosting.deadlines import absent_at, read_clock
from ninefold.server.hosting.model import HolderKind, HostedMatch, PresenceInfo, Status

MOST_MESSAGES = 50  # the latest messages that a view shows


class BoardDoc(TypedDict):
    cells: list[str]
    """X, O or empty."""
    owners: NotRequired[list[str]]
    """Of boards: X, O, XO or = when drawn, empty while alive."""
    open: NotRequired[list[int]]
    """The boards that may be played in."""
    last: list[int]
    """The cells that the last move changed."""
    lines: list[list[int]]
    """The lines that decided the game."""


class LegalMove(TypedDict):
    move: int
    text: str
    """As players of the game type it."""
    path: list[int]
    """The cells to choose, one after the other."""
    cells: dict[int, str]
    """The cells that the move changes, and their new marks."""
    boards: dict[int, str]
    """The boards that the move decides, and their new owners."""
    opens: list[int]
    """Where the opponent may play next."""
    ends: bool
    """True if the move ends the game."""


class HistoryMove(TypedDict):
    side: SideName
    text: str
    path: list[int]


class PartDoc(TypedDict):
    """A text that is a parameter of another one."""

    code: str
    params: dict[str, str]


class TextDoc(TypedDict):
    """A text for people: a code and parameters for every language, and the text in English."""

    code: str
    """Names the message, whatever the language."""
    params: dict[str, str]
    text: str
    """The message in English."""
    parts: NotRequired[dict[str, PartDoc]]
    """The parameters that are texts themselves: ``why``, and ``why.lines`` if that has such a parameter."""


class MatchResult(TypedDict):
    by: str
    winner: SideName | None
    sentence: str
    why: TextDoc
    """The reason in the sentence, without who has won."""
    score: str
    lines: list[list[int]]


class ViewedLineDoc(LineDoc):
    """One of the eight lines, as the referee sees it."""

    finding: TextDoc
    """What the marks amount to."""


class ViewedClaimDoc(ClaimFields):
    """The pending claim, or the last one with the referee's verdict."""

    why: TextDoc | None
    """Why the claim is true or false; null while it is pending."""
    lines: list[ViewedLineDoc]
    """What the referee sees on all eight lines."""


class OfferDoc(TypedDict):
    seat: int
    what: str


class MessageDoc(TypedDict):
    index: int
    """The index of the event."""
    seat: int
    text: str
    at: int
    """UTC, in milliseconds since 1970."""


class SeatDoc(TypedDict):
    seat: int
    side: SideName
    name: str
    player: HolderKind
    level: str | None
    """The level of a computer."""
    present: bool
    """True if the player in this seat is connected."""
    reserved: bool
    """True if this open seat is reserved for a player who has not accepted the rematch yet."""
    profile: str | None
    """The id of the player's profile, if the player shares it."""
    rating: str | None
    """The player's rating when the seat was taken, with a ? while it is provisional; of a shared profile."""


class ClockDoc(TypedDict):
    """Remaining times, in milliseconds."""

    X: int
    O: int
    running: SideName | None
    increment: int
    at: int
    """When this was true: UTC, in milliseconds since 1970."""


class StoredView(TypedDict):
    """The part of a view that only a command changes."""

    id: str
    game: str
    title: str
    options: dict[str, str]
    private: bool
    rated: bool
    """True if the result changes the ratings of both players."""
    created_at: int
    """UTC, in milliseconds since 1970."""
    status: Status
    version: int
    """Counts the events that change the game."""
    size: int
    """Counts all events."""
    position: str
    turn: SideName | None
    asked: int | None
    """The seat that has to act."""
    board: BoardDoc
    show_moves: bool
    """True if the legal moves are shown; if not, ``moves`` is empty."""
    show_lines: bool
    """True if claims are shown with the marks of all eight lines; if not, ``lines`` of a claim is empty."""
    moves: list[LegalMove]
    history: list[HistoryMove]
    result: MatchResult | None
    game_status: GameStatus
    claim: ViewedClaimDoc | None
    barred: list[SideName]
    offer: OfferDoc | None
    rematch: str | None
    said: list[MessageDoc]


class LiveView(TypedDict):
    """The part of a view that changes without a command: clocks, and who is connected."""

    seats: list[SeatDoc]
    watching: int
    """How many spectators are connected."""
    clock: ClockDoc | None
    claim_due: int | None
    """When the referee settles the pending claim: UTC, in milliseconds since 1970."""
    absent_due: int | None
    """When the opponent can be claimed absent: UTC, in milliseconds since 1970."""
    now: int
    """UTC, in milliseconds since 1970."""


class MatchView(StoredView, LiveView):
    """A match as its reader sees it."""


class TimeControlDoc(TypedDict):
    """In milliseconds."""

    initial: int
    increment: int


class InvitationDoc(TypedDict):
    """A seat that an invitation opens."""

    seat: int
    side: SideName
    game: str
    title: str
    player: str
    """The name of the other player; "" if there is none."""
    clock: TimeControlDoc | None


class MatchSummary(TypedDict):
    """A match in a list."""

    id: str
    game: str
    title: str
    status: Status
    created_at: int
    """UTC, in milliseconds since 1970."""
    version: int
    moves: int
    """How many moves were made."""
    seats: list[SeatDoc]
    clock: TimeControlDoc | None
    board: BoardDoc


def board(game: Game, position: Position, last: Sequence[int] = ()) -> BoardDoc:
    """A position as it is drawn."""
    drawn: BoardDoc = {
        "cells": ["" if mark is None else mark.name for mark in position.cells],
        "last": list(last),
        "lines": [list(line) for line in position.outcome.lines] if position.outcome else [],
    }
    if game.picture.boards:
        boards = cast("BoardOfBoards", position)
        drawn["owners"], drawn["open"] = list(boards.owners), list(boards.open_boards)
    return drawn


def legal_moves(game: Game, position: Position) -> list[LegalMove]:
    """The legal moves with their effects, so that no reader needs a rule."""
    return [_legal_move(game, position, move) for move in position.moves()]


def _legal_move(game: Game, position: Position, move: int) -> LegalMove:
    effects = game.effects(position, move)
    return {
        "move": move,
        "text": game.name(move),
        "path": list(game.paths[move]),
        "cells": effects.cells,
        "boards": effects.boards,
        "opens": list(effects.opens),
        "ends": effects.outcome is not None,
    }


def result_doc(game: Game, result: Result) -> MatchResult:
    winner = result.outcome.winner
    return {
        "by": result.by,
        "winner": None if winner is None else winner.symbol,
        "sentence": result.sentence(game),
        "why": text_doc(game.why(result.outcome)),
        "score": result.score,
        "lines": [list(line) for line in result.outcome.lines],
    }


def history_docs(match: Match) -> list[HistoryMove]:
    """The moves that stand, in order."""
    return [{"side": side.symbol, "text": name, "path": list(path)} for side, name, path in history(match)]


def stored_view(hosted: HostedMatch) -> StoredView:
    match, game, result = hosted.match, hosted.match.game, hosted.match.result
    offer = match.state.offer
    return {
        "id": hosted.id,
        "game": game.id,
        "title": game.title,
        "options": dict(match.setup.options),
        "private": hosted.settings.private,
        "rated": hosted.is_rated,
        "created_at": hosted.created_at,
        "status": hosted.status,
        "version": match.version,
        "size": len(match.events),
        "position": str(match.position),
        "turn": None if result else match.position.turn.symbol,
        "asked": match.to_act if hosted.status == "live" else None,
        "board": board(game, match.position, last_changed(game, match.state)),
        "show_moves": hosted.settings.show_moves,
        "show_lines": hosted.settings.show_lines,
        "moves": legal_moves(game, match.position) if hosted.settings.show_moves and not result else [],
        "history": history_docs(match),
        "result": None if result is None else result_doc(game, result),
        "game_status": match.status,
        "claim": _claim(match, show_lines=hosted.settings.show_lines),
        "barred": [side.symbol for side in sorted(match.state.barred, key=str)],
        "offer": None if offer is None else {"seat": offer[0], "what": offer[1]},
        "rematch": hosted.rematch or None,
        "said": _messages(match),
    }


def _claim(match: Match, *, show_lines: bool) -> ViewedClaimDoc | None:
    """The claim of the shared board, with what the referee has to say about it."""
    doc = claim_doc(match)
    if doc is None:
        return None
    verdict = None if match.state.pending else match.state.verdict
    lines = zip(doc["lines"], checklist(match.position.cells), strict=True)
    return {
        "side": doc["side"],
        "cells": doc["cells"],
        "answer": doc["answer"],
        "verdict": doc["verdict"],
        "why": text_doc(verdict.message(match.game.naming)) if verdict else None,
        "lines": [{**line, "finding": text_doc(check.message)} for line, check in lines] if show_lines else [],
    }


def text_doc(message: Message) -> TextDoc:
    code, params = message.code, _part(message)["params"]
    document: TextDoc = {"code": code, "params": params, "text": str(message)}
    if parts := text_parts(dict(message.params)):
        document["parts"] = parts
    return document


def text_parts(params: Mapping[str, object]) -> dict[str, PartDoc]:
    """The parameters that are texts themselves."""
    parts: dict[str, PartDoc] = {}
    for name, value in params.items():
        if isinstance(value, Message):
            inner = text_parts(dict(value.params))
            parts |= {name: _part(value)} | {f"{name}.{path}": part for path, part in inner.items()}
    return parts


def _part(message: Message) -> PartDoc:
    return {"code": message.code, "params": {name: str(value) for name, value in message.params}}


def plain_claim(claim: ViewedClaimDoc | None) -> ClaimDoc | None:
    """The claim of the shared board: without the referee's words, which players do without."""
    if claim is None:
        return None
    return {
        "side": claim["side"],
        "cells": claim["cells"],
        "answer": claim["answer"],
        "verdict": claim["verdict"],
        "lines": [{"line": one["line"], "cells": one["cells"], "marks": one["marks"]} for one in claim["lines"]],
    }


def _messages(match: Match) -> list[MessageDoc]:
    said = [(index, event) for index, event in enumerate(match.events) if event.action.kind == "say"]
    return [
        {"index": index, "seat": event.seat, "text": event.action.text, "at": event.at}
        for index, event in said[-MOST_MESSAGES:]
    ]


def live_view(hosted: HostedMatch, presence: PresenceInfo, now: int, outages: Outages) -> LiveView:
    pending = hosted.match.state.pending
    return {
        "seats": seat_docs(hosted, presence),
        "watching": presence.watching,
        "clock": clock_doc(hosted, now, outages),
        "claim_due": due_after(hosted.touched_at, hosted.settings.claim_ms, outages) if pending else None,
        "absent_due": absent_at(hosted, presence.seen_at, outages),
        "now": now,
    }


def clock_doc(hosted: HostedMatch, now: int, outages: Outages) -> ClockDoc | None:
    reading, control = read_clock(hosted, now, outages), hosted.settings.clock
    if reading is None or control is None:
        return None
    running = None if reading.running is None else reading.running.symbol
    x, o = reading.left
    return {"X": x, "O": o, "running": running, "increment": control.increment, "at": now}


def seat_docs(hosted: HostedMatch, presence: PresenceInfo) -> list[SeatDoc]:
    return [_seat(hosted, seat, presence.present[seat - 1]) for seat in (1, 2)]


def _seat(hosted: HostedMatch, seat: int, present: bool) -> SeatDoc:
    side, name, player = hosted.match.setup.seats[seat - 1]
    held = hosted.seat_holder(seat)
    holder = held.holder
    return {
        "seat": seat,
        "side": side.symbol,
        "name": name,
        "player": holder,
        "level": player if holder == "computer" else None,
        "present": present or holder == "computer",
        "reserved": held.is_reserved,
        "profile": held.profile if held.rating else None,
        "rating": held.rating or None,
    }


def invitation_doc(hosted: HostedMatch, seat: int) -> InvitationDoc:
    """What somebody is told who is invited to a seat, also in a private match."""
    match, control = hosted.match, hosted.settings.clock
    return {
        "seat": seat,
        "side": match.setup.side(seat).symbol,
        "game": match.game.id,
        "title": match.game.title,
        "player": match.setup.seats[2 - seat].name,
        "clock": None if control is None else {"initial": control.initial, "increment": control.increment},
    }


def summary(hosted: HostedMatch) -> MatchSummary:
    match, control = hosted.match, hosted.settings.clock
    return {
        "id": hosted.id,
        "game": match.game.id,
        "title": match.game.title,
        "status": hosted.status,
        "created_at": hosted.created_at,
        "version": match.version,
        "moves": len(match.state.moves),
        "seats": [_seat(hosted, seat, False) for seat in (1, 2)],
        "clock": None if control is None else {"initial": control.initial, "increment": control.increment},
        "board": board(match.game, match.position),
    }
