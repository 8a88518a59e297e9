"""The reply of a model as an action: the last JSON object in its text counts, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ninefold.agents.evaluation.loop import AgentReply
from ninefold.agents.parsing import as_typed, parse_cells
from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.strict_json import read_json
from ninefold.match.actions import Action, Kind

LONGEST = 20_000  # characters of a reply that are searched, from its end
MOST_STARTS = 200  # places at which an object may begin
KINDS: tuple[Kind, ...] = ("move", "claim", "confirm", "dispute", "resign")


def parse_reply(game: Game, fields: Mapping[str, Any]) -> AgentReply:
    """The action that an object asks for. Fields that it does not need are ignored."""
    kind = next((kind for kind in KINDS if kind == fields.get("action")), None)
    if fields.get("claim") is not None:  # not ignored: the move would stand without its claim
        raise Unreadable("not_an_answer.misnamed")
    match kind:
        case "move":
            claimed = fields.get("cells")
            cells = None if claimed is None else _cells(game, claimed)
            return AgentReply(
                Action("move", cells=cells, text=_text(fields, "say")), _typed(fields.get("move"), "move")
            )
        case "claim":
            return AgentReply(Action("claim", cells=_cells(game, fields.get("cells"))))
        case "dispute":
            return AgentReply(Action("dispute", text=_text(fields, "reason")))
        case None:
            raise Unreadable("not_an_answer.action", kinds=" ".join(KINDS))
    return AgentReply(Action(kind))


def find_object(text: str) -> Mapping[str, Any]:
    """The last JSON object in a text; models like to talk around it."""
    text = text[-LONGEST:]
    decoder = json.JSONDecoder()
    found = None
    start = text.find("{")
    for _ in range(MOST_STARTS):
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
            found = text[start:end]
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    try:
        value = read_json(found or "")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Unreadable("not_an_answer.object")
    return value


def _typed(given: object, field: str) -> str:
    """A move or a cell as players type it."""
    typed = as_typed(given)
    if not isinstance(typed, str) or not typed.strip():
        raise Unreadable("not_an_answer.typed", field=field)
    return typed.strip()


def _cells(game: Game, given: object) -> tuple[int, ...]:
    if not isinstance(given, list) or len(given) > 9:
        raise Unreadable("not_an_answer.cells")
    return parse_cells(game.naming, [_typed(cell, "cells") for cell in given])


def _text(fields: Mapping[str, Any], field: str) -> str:
    given = fields.get(field)
    if given is not None and not isinstance(given, str):
        raise Unreadable("not_an_answer.text", field=field)
    return given or ""
