"""What a model is asked for beside its prompt: a JSON object, one by a schema, or the call of a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ninefold.agents.evaluation.agent_specs import AnswerMode

_Schema = dict[str, Any]

_MOVE: _Schema = {"type": "string", "description": "the move, as players type it"}
_CLAIM: _Schema = {
    "type": "array",
    "items": {"type": "string"},
    "description": "the three cells of a line of yours, as players type them",
}
_SAY: _Schema = {"type": "string", "description": "a message to your opponent"}
_REASON: _Schema = {"type": "string", "description": "why the claim is false"}
_WHY = {
    "move": "Make a move.",
    "claim": "Claim a line of yours that is on the board.",
    "confirm": "The claim of your opponent is true.",
    "dispute": "The claim of your opponent is false.",
    "resign": "Give the game up.",
}


def mode_parameters(mode: AnswerMode, *, has_claims: bool) -> Mapping[str, Any]:
    """The parameters of a request that ask for an answer in this form."""
    match mode:
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "json_schema":
            schema = {"name": "action", "strict": True, "schema": _schema(has_claims)}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        case "tools":
            return {"tools": _tools(has_claims), "tool_choice": "required"}
    return {}


def _kinds(has_claims: bool) -> list[str]:
    return list(_WHY) if has_claims else ["move", "resign"]


def _schema(has_claims: bool) -> _Schema:
    """One object for all actions. Strict schemas have no optional fields, so those that an action lacks are null."""
    fields = {"move": _MOVE, "say": _SAY} | ({"cells": _CLAIM, "reason": _REASON} if has_claims else {})
    properties: _Schema = {"action": {"type": "string", "enum": _kinds(has_claims)}} | {
        name: {**field, "type": [field["type"], "null"]} for name, field in fields.items()
    }
    return _object(properties, list(properties))


def _tools(has_claims: bool) -> list[dict[str, Any]]:
    """A function for each action."""
    with_claim = {"cells": _CLAIM} if has_claims else {}
    arguments = {
        "move": _object({"move": _MOVE, "say": _SAY} | with_claim, ["move"]),
        "claim": _object({"cells": _CLAIM}, ["cells"]),
        "dispute": _object({"reason": _REASON}, []),
    }
    return [
        {
            "type": "function",
            "function": {"name": kind, "description": _WHY[kind], "parameters": arguments.get(kind, _object({}, []))},
        }
        for kind in _kinds(has_claims)
    ]


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
