"""What clients are sent about matches that are over, as models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ninefold.server.http.models import BoardOut, Cells, ResultOut, SideName, Told


class SetupSeatOut(Told):
    side: SideName
    name: str
    player: str


class SetupOut(Told):
    options: dict[str, str]
    seats: list[SetupSeatOut]


class PositionOut(Told):
    position: str
    board: BoardOut
    turn: SideName | None
    move: str | None = Field(description="that led here")
    side: SideName | None = Field(description="who made it")


class RecordOut(Told):
    game: str
    title: str
    setup: SetupOut
    result: ResultOut | None
    record: str
    positions: list[PositionOut]


class WorthOut(Told):
    text: str
    path: Cells
    value: Literal["win", "draw", "loss"] | None
    score: Annotated[float, Field(ge=-1, le=1, description="for the side to move")]
    proven: bool
    plies: int | None


class AnalysisOut(Told):
    exact: bool
    turn: SideName | None
    depth: int | None
    moves: list[WorthOut]
    score: Annotated[float, Field(ge=-1, le=1, description="for X")]
