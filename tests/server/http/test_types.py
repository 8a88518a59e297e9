"""The types of the browser client say what the server's documents are."""

from __future__ import annotations

import re
from types import NoneType
from typing import TYPE_CHECKING, get_args

import pytest

from ninefold.server.http import models, report, review_models
from ninefold.server.http.static_files import STATIC

if TYPE_CHECKING:
    from pydantic import BaseModel

MODELS: dict[str, type[BaseModel]] = {
    "Layout": models.LayoutOut,
    "Option": models.OptionOut,
    "Game": models.GameOut,
    "Board": models.BoardOut,
    "Move": models.MoveOut,
    "Seat": models.SeatOut,
    "Line": models.CheckOut,
    "Claim": models.ClaimOut,
    "Clock": models.ClockOut,
    "Result": models.ResultOut,
    "View": models.ViewOut,
    "Short": models.ShortOut,
    "Page": models.MatchesOut,
    "PositionView": review_models.PositionOut,
    "RecordView": review_models.RecordOut,
    "MoveValue": review_models.WorthOut,
    "Analysis": review_models.AnalysisOut,
    "Agent": report.AgentOut,
    "Report": report.ReportOut,
}
_TYPE = re.compile(r"@typedef \{object\} (\w+)(.*?)(?=@typedef|\*/)", re.DOTALL)
_FIELD = re.compile(r"@property \{(.*)\} \[?(\w+)")
_OWN = {("Move", "claim")}  # what the client writes down for itself

TYPES = {
    name: {field: type for type, field in _FIELD.findall(fields) if (name, field) not in _OWN}
    for name, fields in _TYPE.findall((STATIC / "lib" / "types.js").read_text(encoding="utf-8"))
}


def words(type: object) -> set[str]:
    """The texts that a type allows, where it names them."""
    found = {argument for argument in get_args(type) if isinstance(argument, str)}
    return found.union(*(words(argument) for argument in get_args(type) if not isinstance(argument, str)))


def test_every_type_of_the_client_has_its_model() -> None:
    assert set(TYPES) == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_a_type_has_the_fields_of_its_model(name: str) -> None:
    assert set(TYPES[name]) == set(MODELS[name].model_fields)


@pytest.mark.parametrize("name", MODELS)
def test_a_type_names_the_same_words_as_its_model(name: str) -> None:
    for field, told in MODELS[name].model_fields.items():
        type = TYPES[name][field].replace("Side", '"X" | "O"')
        assert ("null" in type) == (NoneType in get_args(told.annotation)), field
        if "{" not in type:
            assert set(re.findall(r'"(\w+)"', type)) == words(told.annotation), field
