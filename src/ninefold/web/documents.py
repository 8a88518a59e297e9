"""What clients are sent, as models: they describe the answers in the API's own document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

SideName = Literal["X", "O"]
Cells = list[int]
Millis = Annotated[int, Field(description="UTC, in milliseconds since 1970")]


class ProblemOut(BaseModel):
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


class FieldOut(BaseModel):
    field: str
    sentence: str


class OptionOut(BaseModel):
    name: str
    values: list[str]
    default: str
    help: str


class NamingOut(BaseModel):
    cells: list[str]


class LayoutOut(BaseModel):
    kind: Literal["grid", "boards"]
    naming: NamingOut


class GameOut(BaseModel):
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


class LinksOut(BaseModel):
    play: str
    invite: dict[str, str]
    watch: str


class CreatedOut(BaseModel):
    match: str
    seats: dict[str, str] = Field(description="the token of each seat that is yours")
    invitations: dict[str, str] = Field(description="the secret that opens each open seat")
    watch: str | None = Field(description="the secret that opens a private match to spectators")
    links: LinksOut


class JoinedOut(BaseModel):
    seat: int
    side: SideName
    token: str


class EventOut(BaseModel):
    index: int
    event: str
    seat: int
    at: Millis
    move: int | None = None
    cells: Cells | None = None
    text: str | None = None
    number: int | None = None


class ActedOut(BaseModel):
    version: int
    index: int = Field(description="of the first event it became")
    events: list[EventOut]
    replayed: bool = Field(description="whether this is the answer to an earlier request of that name")


class CodeOut(BaseModel):
    code: str
    expires_at: Millis


class RematchOut(BaseModel):
    match: str


class EventsOut(BaseModel):
    events: list[EventOut]


class SeatOut(BaseModel):
    seat: int
    side: SideName
    name: str
    player: Literal["person", "computer", "open", "left"]
    level: str | None
    present: bool


class BoardOut(BaseModel):
    cells: list[str]
    owners: list[str] = Field([], description="of boards: X, O, XO or = when drawn, empty while alive")
    open: Cells = Field([], description="the boards that may be played in")
    last: Cells = Field([], description="the cells that the last move changed")
    lines: list[Cells] = Field([], description="that decided")


class MoveOut(BaseModel):
    move: int
    text: str
    path: Cells
    cells: dict[str, str]
    boards: dict[str, str]
    opens: Cells
    ends: bool


class PlayedOut(BaseModel):
    side: SideName
    text: str
    path: Cells


class ResultOut(BaseModel):
    by: str
    winner: SideName | None
    sentence: str
    score: str
    lines: list[Cells]


class CheckOut(BaseModel):
    line: str
    cells: Cells
    marks: list[str]


class AnsweredOut(BaseModel):
    seat: int
    kind: Literal["confirm", "dispute", "withdraw"]
    text: str = Field(description="why it was disputed")


class ClaimOut(BaseModel):
    side: SideName
    cells: Cells
    answer: AnsweredOut | None
    verdict: str | None
    lines: list[CheckOut]


class OfferOut(BaseModel):
    seat: int
    what: str


class ClockOut(BaseModel):
    X: int
    O: int
    running: SideName | None
    increment: int
    at: Millis


class SaidOut(BaseModel):
    seat: int
    text: str
    at: Millis


class ViewOut(BaseModel):
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


class TimesOut(BaseModel):
    """In milliseconds."""

    initial: int
    increment: int


class ShortOut(BaseModel):
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


class MatchesOut(BaseModel):
    matches: list[ShortOut]
    next: str | None = Field(description="where those that are left begin; ask for what is before it")


class SetupSeatOut(BaseModel):
    side: SideName
    name: str
    player: str


class SetupOut(BaseModel):
    options: dict[str, str]
    seats: list[SetupSeatOut]


class PositionOut(BaseModel):
    position: str
    board: BoardOut
    turn: SideName | None
    move: str | None = Field(description="that led here")
    side: SideName | None = Field(description="who made it")


class RecordOut(BaseModel):
    game: str
    title: str
    setup: SetupOut
    result: ResultOut | None
    record: str
    positions: list[PositionOut]


class WorthOut(BaseModel):
    text: str
    path: Cells
    value: Literal["win", "draw", "loss"] | None
    score: Annotated[float, Field(ge=-1, le=1, description="for the side to move")]
    proven: bool
    plies: int | None


class AnalysisOut(BaseModel):
    exact: bool
    turn: SideName | None
    depth: int | None
    moves: list[WorthOut]
    score: Annotated[float, Field(ge=-1, le=1, description="for X")]


class HealthOut(BaseModel):
    status: Literal["ok"]
