"""Response models: the documents of ``server.hosting``, and those that only exist over HTTP, as pydantic reads them.

Documents are TypedDicts of the standard library. ``model_of`` makes of each what pydantic and FastAPI need: the same
fields, with the docstrings below them as descriptions, and no others.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Union, get_type_hints, is_typeddict

import typing_extensions
from pydantic import ConfigDict, Field

from ninefold.core.position import SideName
from ninefold.match import shared_board
from ninefold.server.hosting import handlers, profiles, view
from ninefold.server.hosting.handlers import EventDoc
from ninefold.server.hosting.model import Status
from ninefold.server.hosting.profiles import PlayedDoc
from ninefold.server.hosting.view import (
    BoardDoc,
    ClockDoc,
    LegalMove,
    MatchResult,
    MatchSummary,
    MatchView,
    PartDoc,
    TextDoc,
)


class FieldErrorDoc(TypedDict):
    field: str
    sentence: str
    code: str
    """Names the message, whatever the language."""
    params: dict[str, str | int]


class ProblemFields(TypedDict):
    title: str
    status: int
    reason: str
    """A stable name for programs: the beginning of the code."""
    code: str
    """Names the message of the refusal, whatever the language."""
    params: dict[str, str | int]
    """The parameters of the message."""
    detail: str
    instead: str
    """What is possible."""
    parts: NotRequired[dict[str, PartDoc]]
    """The parameters that are texts themselves, and ``instead`` if it is not the code's own text."""
    moves: NotRequired[list[str]]
    """The legal moves, if a move was refused and they are shown."""
    match: NotRequired[MatchView]
    """The match as it is now, if a version was stale."""
    errors: NotRequired[list[FieldErrorDoc]]
    """The fields that are wrong."""
    until: NotRequired[int]
    """When the opponent can be claimed absent: UTC, in milliseconds since 1970."""
    retry_after: NotRequired[int]
    """Seconds to wait, if it was too much at once."""


class ProblemDoc(ProblemFields):
    """Something was asked that cannot be done; nothing has changed."""

    type: str


class OptionDoc(TypedDict):
    name: str
    values: list[str]
    default: str
    help: str


class NamingDoc(TypedDict):
    cells: list[str]


class LayoutDoc(TypedDict):
    kind: Literal["grid", "boards"]
    naming: NamingDoc


class StartDoc(TypedDict):
    """How a match with the usual options starts."""

    turn: SideName
    board: BoardDoc
    moves: list[LegalMove]


class GameDoc(TypedDict):
    id: str
    title: str
    summary: str
    rules: str
    advice: list[str]
    """How to play well and fairly: no part of the rules."""
    options: list[OptionDoc]
    levels: list[str]
    """The levels of the computer, the weakest first."""
    default_level: str
    """The level that forms offer first."""
    layout: LayoutDoc
    paths: list[list[int]]
    """The paths of all moves, legal or not, in the order of their numbers."""
    steps: list[str]
    """The questions on the way to a move, for somebody who types."""
    press_steps: list[str]
    """The same for somebody who presses cells; {chosen} stands for the cell that was pressed before."""
    joiner: str
    """What is written between the cells of a move."""
    ask_first: bool
    start: StartDoc


class LinksDoc(TypedDict):
    """Paths on this server. Secrets are in the fragment, which browsers do not send."""

    play: str
    invite: dict[int, str]
    watch: str


class CreatedDoc(TypedDict):
    match: str
    seats: dict[int, str]
    """The token of each seat that is yours."""
    invitations: dict[int, str]
    """The secret that opens each open seat."""
    watch: str | None
    """The secret that opens a private match to spectators."""
    links: LinksDoc


class JoinedDoc(TypedDict):
    seat: int
    side: SideName
    token: str


class ActedDoc(TypedDict):
    version: int
    index: int
    """The index of the first new event."""
    events: list[EventDoc]
    replayed: bool
    """True if this is the stored response to an earlier request with the same id."""


class HandoverDoc(TypedDict):
    code: str
    expires_at: int
    """UTC, in milliseconds since 1970."""


class RematchDoc(TypedDict):
    match: str


class ShareDoc(TypedDict):
    page: str
    """The path of the page."""


class PairedDoc(JoinedDoc):
    match: str
    waiting: bool
    """True if nobody has asked for the same yet."""


class ArrivedDoc(TypedDict):
    seat: int
    status: Status
    """Live if both players are there."""


class EventsDoc(TypedDict):
    events: list[EventDoc]


class RefusedAttemptDoc(TypedDict):
    at: int
    """UTC, in milliseconds since 1970."""
    seat: int
    action: str
    reason: str
    version: NotRequired[int]
    """The version that the action was meant for."""
    text: NotRequired[str]
    """The beginning of a move as it was typed."""
    move: NotRequired[int | list[int]]
    """A move that was not typed."""
    cells: NotRequired[list[int]]
    """The cells that were claimed."""


class RefusedAttemptsDoc(TypedDict):
    refused: list[RefusedAttemptDoc]
    """The latest; older ones are forgotten where there are many."""


class MatchPageDoc(TypedDict):
    matches: list[MatchSummary]
    next: str | None
    """The ``before`` of the next page, if there is one."""


class PlayedPageDoc(TypedDict):
    matches: list[PlayedDoc]
    next: str | None
    """The ``before`` of the next page, if there is one."""


class BlockDoc(TypedDict):
    profile: str
    name: str
    at: int
    """UTC, in milliseconds since 1970."""


class BlocksDoc(TypedDict):
    blocks: list[BlockDoc]
    """The newest first."""


class DeletedDoc(TypedDict):
    deleted: Literal[True]


class ReportedDoc(TypedDict):
    reported: Literal[True]


class HealthDoc(TypedDict):
    status: Literal["ok"]
    last_commit_seconds: float
    """Since the database last took a write. The server writes a heartbeat every two seconds."""


# Reviews of matches that have ended


class RecordSeatDoc(TypedDict):
    side: SideName
    name: str
    player: str


class RecordSetupDoc(TypedDict):
    options: dict[str, str]
    seats: list[RecordSeatDoc]


class RecordPositionDoc(TypedDict):
    position: str
    board: BoardDoc
    turn: SideName | None
    move: str | None
    """The move that led to this position."""
    side: SideName | None
    """The side that made it."""


class RecordDoc(TypedDict):
    game: str
    title: str
    setup: RecordSetupDoc
    result: MatchResult | None
    record: str
    positions: list[RecordPositionDoc]


class MoveValueDoc(TypedDict):
    text: str
    path: list[int]
    value: Literal["win", "draw", "loss"] | None
    score: Annotated[float, Field(ge=-1, le=1)]
    """For the side to move."""
    proven: bool
    plies: int | None
    line: list[str]
    """The move and those that are expected to follow; empty for all but the best moves."""


class AnalysisDoc(TypedDict):
    exact: bool
    turn: SideName | None
    depth: int | None
    moves: list[MoveValueDoc]
    score: Annotated[float, Field(ge=-1, le=1)]
    """For X."""


# What people learn with


class PositionDoc(TypedDict):
    """Any position that can arise in play, with its legal moves."""

    game: str
    position: str
    board: BoardDoc
    turn: SideName | None
    """Null if the game is over."""
    moves: list[LegalMove]
    outcome: str | None
    """How the game has ended, in a sentence."""
    threats: NotRequired[dict[str, str]]
    """By cell, who could win there next ("X", "O" or "XO"): the game, a board, or a line to claim. If asked for."""


class PuzzleSummaryDoc(TypedDict):
    id: str
    game: str
    title: str
    side: SideName
    """The side to move, which wins."""
    plies: int
    """The moves of both sides until the win, against the longest defence."""


class PuzzleTryDoc(TypedDict):
    """A move of the solver, with its exact value."""

    right: bool
    """True if it wins in time."""
    value: Literal["win", "draw", "loss"]
    plies: int | None
    """The moves of both sides until a forced end, this one included."""
    reply: str | None
    """The best reply, in which the longest defence is; null if the move ends the game."""
    then: int | None
    """The number of the step after the reply; null if the puzzle ends."""


class PuzzleStepDoc(TypedDict):
    plies: int
    """How many moves the win may take."""
    tries: dict[str, PuzzleTryDoc]
    """Every legal move."""


class PuzzleDoc(PuzzleSummaryDoc):
    day: str | None
    """The day whose puzzle it is (UTC), if it was asked for by the day."""
    next: str
    """The id of the next puzzle of the set."""
    start: PositionDoc
    line: list[str]
    """The moves of the solution, with the longest defence."""
    steps: list[PuzzleStepDoc]
    """The first one is that of the start."""


class LessonStepDoc(TypedDict):
    say: TextDoc
    """What is to be done, and why."""
    done: TextDoc
    """What to say when it was done."""
    right: list[str]
    """The moves that are right; empty if any legal move is."""
    start: PositionDoc


class LessonDoc(TypedDict):
    """How a game is played, on its board."""

    game: str
    title: str
    rules: list[str]
    """The rules in paragraphs, without what is only for terminals."""
    advice: list[str]
    steps: list[LessonStepDoc]


class HintDoc(TypedDict):
    version: int
    """Of the match that it was given for."""
    best: MoveValueDoc


class AgentReportDoc(TypedDict):
    """What the referee counts of one seat."""

    agent: str
    side: SideName | None
    points: float
    matches: int
    won: int
    drawn: int
    lost: int
    moves: int
    illegal_moves: int
    """Illegal moves that were tried."""
    unreadable: int
    """Answers that were no move, no claim and no message."""
    refused_claims: int
    """Claims and answers to claims that were refused."""
    false_claims: int
    withdrawn: int
    """False claims that were withdrawn."""
    missed_wins: int
    unclaimed_lines: int
    """Missed wins that stood on the board and were not claimed."""
    wrong_confirmations: int
    wrong_disputes: int
    unanswered_claims: int
    judged: int
    """Moves of which it is known whether they were mistakes."""
    mistakes: int
    """Moves that gave away a win or a draw."""
    forfeits: int
    """Turns without an acceptable answer, in an evaluation."""
    resigned: int
    """Resignations that were the agent's own."""
    statements: int
    """Messages that say what the agent has played."""
    misreports: int
    """Statements that are false."""
    milliseconds: int
    """Time used, from the first move on."""
    refused: dict[str, int]
    """Refusals by reason."""


class ReportDoc(TypedDict):
    agents: list[AgentReportDoc]
    judged_by: list[str]
    judges: list[TextDoc]
    """The same, for every language."""
    refusals_forgotten: int
    """Older refusals that are no longer stored, and not counted."""
    has_claims: bool
    """False if victories are not claimed in any of the matches."""


# Messages that the server sends through a socket


class WelcomeMessage(TypedDict):
    type: Literal["welcome"]
    role: str
    """The number of the seat, or spectator."""
    seat: int | None
    view: MatchView
    events: NotRequired[list[EventDoc]]
    """The events that the client missed, if it said which one it knows."""


class EventsMessage(TypedDict):
    type: Literal["events"]
    events: list[EventDoc]
    view: NotRequired[MatchView]
    """Left out for a client that wants none, unless something has changed that is not in the log."""
    clock: NotRequired[ClockDoc | None]
    """Where there are clocks, if the view is left out."""


class PresenceMessage(TypedDict):
    type: Literal["presence"]
    seats: dict[str, bool]
    """By the number of the seat: true if its player is connected."""
    watching: int


class AnswerMessage(ActedDoc):
    type: Literal["answer"]
    request: str


class RefusedMessage(ProblemFields):
    type: Literal["refused"]
    request: str | None


class BeatMessage(TypedDict):
    type: Literal["beat"]
    now: int
    """UTC, in milliseconds since 1970."""


class PongMessage(TypedDict):
    type: Literal["pong"]


class MovedMessage(TypedDict):
    """The seat was handed over to another device."""

    type: Literal["moved"]


class ByeMessage(TypedDict):
    """The server stops."""

    type: Literal["bye"]
    reason: Literal["restart"]
    retry_ms: int


SERVER_MESSAGES = (
    WelcomeMessage,
    EventsMessage,
    PresenceMessage,
    AnswerMessage,
    RefusedMessage,
    BeatMessage,
    PongMessage,
    MovedMessage,
    ByeMessage,
)


# From TypedDicts to pydantic


def model_of(document: type) -> Any:
    """What pydantic and FastAPI take for a document: as a response model, or for a ``TypeAdapter``."""
    return _models()[document.__name__]


def server_message() -> Any:
    """What pydantic takes for any message of the server through a socket."""
    messages: Any = tuple(map(model_of, SERVER_MESSAGES))
    return Annotated[Union[messages], Field(discriminator="type")]  # noqa: UP007 - there is no other way


@cache
def _models() -> Mapping[str, Any]:
    models: dict[str, Any] = {}
    for module in (shared_board, handlers, view, profiles, sys.modules[__name__]):
        for document in vars(module).values():
            if is_typeddict(document) and document.__module__ == module.__name__:
                models[document.__name__] = _model(document, models)
    return models


def _model(document: Any, models: Mapping[str, Any]) -> Any:
    """A copy: before Python 3.12 pydantic refuses TypedDicts of the standard library."""
    hints = get_type_hints(document, localns=dict(models), include_extras=True)
    docs = _attribute_docs(document)
    fields = {name: Annotated[hint, Field(description=docs.get(name))] for name, hint in hints.items()}
    make_typed_dict: Any = typing_extensions.TypedDict
    model = make_typed_dict(document.__name__, fields)
    model.__doc__ = document.__doc__
    model.__pydantic_config__ = ConfigDict(extra="forbid")
    return model


def _attribute_docs(document: type) -> dict[str, str]:
    """The docstrings below the fields of a class, and of the classes that it extends."""
    definition: Any = ast.parse(inspect.getsource(document)).body[0]
    module = vars(sys.modules[document.__module__])
    extended = [module[base.id] for base in definition.bases if base.id != "TypedDict"]
    docs = {name: text for base in extended for name, text in _attribute_docs(base).items()}
    for field, following in pairwise(definition.body):
        if isinstance(field, ast.AnnAssign) and isinstance(following, ast.Expr):
            docs[ast.unparse(field.target)] = inspect.cleandoc(ast.literal_eval(following.value))
    return docs
