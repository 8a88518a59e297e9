"""The types of the browser client are the types of the server's documents."""

from __future__ import annotations

import re
from types import NoneType
from typing import get_args, get_type_hints

import pytest

from ninefold.match.shared_board import ClaimDoc, LineDoc
from ninefold.server.hosting import view
from ninefold.server.http import models
from ninefold.server.http.static_files import STATIC

DOCUMENTS: dict[str, type] = {
    "Layout": models.LayoutDoc,
    "Option": models.OptionDoc,
    "Game": models.GameDoc,
    "Board": view.BoardDoc,
    "Move": view.LegalMove,
    "Seat": view.SeatDoc,
    "Line": LineDoc,
    "Claim": ClaimDoc,
    "Clock": view.ClockDoc,
    "Result": view.MatchResult,
    "View": view.MatchView,
    "Short": view.MatchSummary,
    "Page": models.MatchPageDoc,
    "PositionView": models.RecordPositionDoc,
    "RecordView": models.RecordDoc,
    "MoveValue": models.MoveValueDoc,
    "Analysis": models.AnalysisDoc,
    "Agent": models.AgentReportDoc,
    "Report": models.ReportDoc,
}
_TYPE = re.compile(r"@typedef \{object\} (\w+)(.*?)(?=@typedef|\*/)", re.DOTALL)
_FIELD = re.compile(r"@property \{(.*)\} \[?(\w+)")
_OWN = {("Move", "claim")}  # fields that the client adds

TYPES = {
    name: {field: type for type, field in _FIELD.findall(fields) if (name, field) not in _OWN}
    for name, fields in _TYPE.findall((STATIC / "types.js").read_text(encoding="utf-8"))
}


def words(type: object) -> set[str]:
    """The texts that a type allows, where it names them."""
    found = {argument for argument in get_args(type) if isinstance(argument, str)}
    return found.union(*(words(argument) for argument in get_args(type) if not isinstance(argument, str)))


def test_every_type_of_the_client_has_its_document() -> None:
    assert set(TYPES) == set(DOCUMENTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_type_has_the_fields_of_its_document(name: str) -> None:
    assert set(TYPES[name]) == set(get_type_hints(DOCUMENTS[name]))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_type_allows_the_same_words_as_its_document(name: str) -> None:
    for field, hint in get_type_hints(DOCUMENTS[name]).items():
        type = TYPES[name][field].replace("Side", '"X" | "O"')
        assert ("null" in type) == (NoneType in get_args(hint)), field
        if "{" not in type:
            assert set(re.findall(r'"(\w+)"', type)) == words(hint), field
