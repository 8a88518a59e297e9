"""What a model answered, as an action: the last JSON object in its words. Nothing else it says counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ninefold.agents.evaluation.loop import Answer
from ninefold.agents.parsing import as_typed, parse_cells
from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.strict_json import read_json
from ninefold.match.actions import Action, Kind

LONGEST = 20_000  # characters of an answer that are looked at, from its end
MOST_TRIED = 200  # places at which an object may begin
KINDS: tuple[Kind, ...] = ("move", "claim", "confirm", "dispute", "resign")


def read_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """The action that an object asks for; fields that it does not need are passed over."""
    kind = next((kind for kind in KINDS if kind == told.get("action")), None)
    match kind:
        case "move":
            claimed = told.get("claim")
            cells = None if claimed is None else _cells(game, claimed)
            return Answer(Action("move", cells=cells, text=_words(told, "say")), _cell(told.get("move"), "move"))
        case "claim":
            return Answer(Action("claim", cells=_cells(game, told.get("claim"))))
        case "dispute":
            return Answer(Action("dispute", text=_words(told, "reason")))
        case None:
            raise not_an_answer(f'"action" is one of {" ".join(KINDS)}.')
    return Answer(Action(kind))


def find_object(text: str) -> Mapping[str, Any]:
    """The last JSON object in a text; models like to talk around it."""
    text = text[-LONGEST:]
    ends = json.JSONDecoder()
    found = None
    start = text.find("{")
    for _ in range(MOST_TRIED):
        if start < 0:
            break
        try:
            _, end = ends.raw_decode(text, start)
            found = text[start:end]
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    try:
        value = read_json(found or "")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise not_an_answer("There is no JSON object in it.")
    return value


def not_an_answer(why: str) -> Unreadable:
    return Unreadable("not_an_answer", f"The answer cannot be read. {why}")


def _cell(told: object, field: str) -> str:
    typed = as_typed(told)
    if not isinstance(typed, str) or not typed.strip():
        raise not_an_answer(f'"{field}" is text, as players type it.')
    return typed.strip()


def _cells(game: Game, told: object) -> tuple[int, ...]:
    if not isinstance(told, list) or len(told) > 9:
        raise not_an_answer('"claim" is a list of three cells.')
    return parse_cells(game.naming, [_cell(cell, "claim") for cell in told])


def _words(told: Mapping[str, Any], field: str) -> str:
    words = told.get(field)
    if words is not None and not isinstance(words, str):
        raise not_an_answer(f'"{field}" is text.')
    return words or ""
