"""What clients are sent, as models: they describe the answers in the API's own document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SideName = Literal["X", "O"]
Cells = list[int]
Millis = Annotated[int, Field(description="UTC, in milliseconds since 1970")]


class Told(BaseModel):
    """Nothing is told that is not described."""

    model_config = ConfigDict(extra="forbid")


class ProblemOut(Told):
    """Something was asked that cannot be done; nothing has changed."""

    type: str
    title: str
    status: int
    reason: str = Field(description="a stable code for programs")
    detail: str
    instead: str = Field(description="what is possible")
    moves: list[str] = Field([], description="the legal moves, where a move was refused and they may be told")
    match: ViewOut | None = Field(None, description="the match as it is now, where a version was stale")
    errors: list[FieldOut] = Field([], description="the fields that are wrong")
    until: Millis | None = Field(None, description="when the opponent can be claimed out")
    retry_after: int | None = Field(None, description="seconds to wait, where it was too much at once")


class FieldOut(Told):
    field: str
    sentence: str


class OptionOut(Told):
    name: str
    values: list[str]
    default: str
    help: str


class NamingOut(Told):
    cells: list[str]


class LayoutOut(Told):
    kind: Literal["grid", "boards"]
    naming: NamingOut


class GameOut(Told):
    id: str
    title: str
    summary: str
    rules: str
    options: list[OptionOut]
    levels: list[str] = Field(description="of the computer, the weakest first")
    layout: LayoutOut
    paths: list[Cells] = Field(description="of all moves there are, legal or not, in the order of their numbers")
    steps: list[str] = Field(description="the questions on the way to a move")
    joiner: str = Field(description="what stands between the cells of a move's text")
    ask_first: bool


class LinksOut(Told):
    play: str
    invite: dict[str, str]
    watch: str


class CreatedOut(Told):
    match: str
    seats: dict[str, str] = Field(description="the token of each seat that is yours")
    invitations: dict[str, str] = Field(description="the secret that opens each open seat")
    watch: str | None = Field(description="the secret that opens a private match to spectators")
    links: LinksOut


class JoinedOut(Told):
    seat: int
    side: SideName
    token: str


class EventOut(Told):
    index: int
    event: str
    seat: int
    at: Millis
    move: int | None = None
    cells: Cells | None = None
    text: str | None = None
    number: int | None = None


class ActedOut(Told):
    version: int
    index: int = Field(description="of the first event it became")
    events: list[EventOut]
    replayed: bool = Field(description="whether this is the answer to an earlier request of that name")


class CodeOut(Told):
    code: str
    expires_at: Millis


class RematchOut(Told):
    match: str


class EventsOut(Told):
    events: list[EventOut]


class RefusedOut(Told):
    at: Millis
    seat: int
    action: str
    reason: str
    version: int | None = Field(None, description="it was meant for")
    text: str | None = Field(None, description="a move as it was typed, its first 40 characters")
    move: int | Cells | None = Field(None, description="a move that was not typed")
    cells: Cells | None = Field(None, description="that were claimed")


class RefusalsOut(Told):
    refused: list[RefusedOut] = Field(description="the latest 200")


class SeatOut(Told):
    seat: int
    side: SideName
    name: str
    player: Literal["person", "computer", "open", "left"]
    level: str | None
    present: bool


class BoardOut(Told):
    cells: list[str]
    owners: list[str] = Field([], description="of boards: X, O, XO or = when drawn, empty while alive")
    open: Cells = Field([], description="the boards that may be played in")
    last: Cells = Field([], description="the cells that the last move changed")
    lines: list[Cells] = Field([], description="that decided")


class MoveOut(Told):
    move: int
    text: str
    path: Cells
    cells: dict[str, str]
    boards: dict[str, str]
    opens: Cells
    ends: bool


class PlayedOut(Told):
    side: SideName
    text: str
    path: Cells


class ResultOut(Told):
    by: str
    winner: SideName | None
    sentence: str
    score: str
    lines: list[Cells]


class CheckOut(Told):
    line: str
    cells: Cells
    marks: list[str]


class AnsweredOut(Told):
    seat: int
    kind: Literal["confirm", "dispute", "withdraw"]
    text: str = Field(description="why it was disputed")


class ClaimOut(Told):
    side: SideName
    cells: Cells
    answer: AnsweredOut | None
    verdict: str | None
    lines: list[CheckOut]


class OfferOut(Told):
    seat: int
    what: str


class ClockOut(Told):
    X: int
    O: int
    running: SideName | None
    increment: int
    at: Millis


class SaidOut(Told):
    index: int = Field(description="of the event")
    seat: int
    text: str
    at: Millis


class ViewOut(Told):
    """A match as its reader sees it."""

    id: str
    game: str
    title: str
    options: dict[str, str]
    private: bool
    created_at: Millis
    status: Literal["open", "live", "ended"]
    version: int = Field(description="counts the events that change the game")
    size: int = Field(description="counts all events")
    seats: list[SeatOut]
    position: str
    turn: SideName | None
    asked: int | None = Field(description="the seat that has to act")
    board: BoardOut
    show_moves: bool = Field(description="whether the legal moves are told; they are not when this is false")
    moves: list[MoveOut]
    history: list[PlayedOut]
    result: ResultOut | None
    game_status: Literal["in_progress", "claimed_win_X", "claimed_win_O", "won", "draw"]
    claim: ClaimOut | None
    barred: list[SideName]
    offer: OfferOut | None
    watching: int
    clock: ClockOut | None
    claim_due: Millis | None
    absent_due: Millis | None
    rematch: str | None
    said: list[SaidOut]
    now: Millis


class TimesOut(Told):
    """In milliseconds."""

    initial: int
    increment: int


class ShortOut(Told):
    """A match in the list."""

    id: str
    game: str
    title: str
    status: Literal["open", "live", "ended"]
    created_at: Millis
    version: int
    moves: int = Field(description="how many were made")
    seats: list[SeatOut]
    clock: TimesOut | None
    board: BoardOut


class MatchesOut(Told):
    matches: list[ShortOut]
    next: str | None = Field(description="where those that are left begin; ask for what is before it")


class HealthOut(Told):
    status: Literal["ok"]
