"""The reply of a model as an action: a call of a function, the last JSON object in its text, or a move in words."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from ninefold.agents.evaluation.completion import Completion
from ninefold.agents.evaluation.loop import AgentReply
from ninefold.agents.parsing import as_typed, parse_cells
from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.strict_json import read_json
from ninefold.match.actions import Action, Kind
from ninefold.match.match import Match

LONGEST = 20_000  # characters of a reply that are searched, from its end
MOST_STARTS = 200  # places at which an object may begin
MOST_MENTIONS = 200  # of a move in words that are looked at, from the end
KINDS: tuple[Kind, ...] = ("move", "claim", "confirm", "dispute", "resign")
# A number in a sentence is a move only behind such a word, and if it does not count something.
_CHOICE = (
    r"\b(?:cell|square|move|play|take|choose|pick|mark|place|position|answer)\b"
    r"(?: (?:is|number|on|in|at|to|will be|the|my|cell|square))* ?[:=]? ?[\"'`*(\[]*"
)
_PAIR = re.compile(r"[\[(] ?(\d) ?, ?(\d) ?[\])]")
_NO_COUNT = r"(?! [a-z]{3,}s\b)"
_NEARBY = 300  # characters before and after a move that say whether it is chosen
_NEW_THOUGHT = r"[.!?;](?=\W|$)|(?<!\bif )\bso\b|\b(?:but|therefore|thus|hence)\b"
_NEW_CLAUSE = r"[,:] (?=(?:I|my)\b)"
_REASON = r", |\b(?:and|because|since|as|to|which|where)\b"
_CONDITION = re.compile(
    r"(?i)\b(?:if|unless|would|could|might|may|suppose|supposing|whether|when|should (?:I|we|you|it|X|O))\b|\w['’]d\b"
)
_NEGATION = re.compile(
    r"(?i)\b(?:not|never|cannot|avoid\w*|refuse|without|neither|nor|no longer|instead of|rather than|except)\b|n['’]t\b"
)


class ModelAnswer(NamedTuple):
    """What a model has answered, and the form in which it did."""

    reply: AgentReply
    form: Literal["tool", "json", "prose"]

    @property
    def is_repaired(self) -> bool:
        """True if the answer was not in a form that was asked for, and could be understood all the same."""
        return self.form == "prose"


def read_answer(match: Match, completion: Completion, hide: Callable[[Any], Any] = lambda value: value) -> ModelAnswer:
    """The answer in a completion. ``hide`` takes keys out of a value."""
    if completion.calls:
        return ModelAnswer(parse_reply(match.game, hide(_call_fields(completion))), "tool")
    try:
        fields = find_object(completion.text)
    except Unreadable:
        move = None if match.state.pending else move_in_words(match, completion.text)
        if move is None:
            raise
        return ModelAnswer(AgentReply(Action("move"), move), "prose")
    return ModelAnswer(parse_reply(match.game, hide(fields)), "json")


def _call_fields(completion: Completion) -> Mapping[str, Any]:
    """The fields of the first call: its name is the action, unless an argument is."""
    call = completion.calls[0]
    fields = find_object(call.arguments)
    return {"action": call.name, **fields} if call.name in KINDS else fields


def is_object(text: str) -> bool:
    """True if a text is a JSON object."""
    try:
        return isinstance(read_json(text), dict)
    except ValueError:
        return False


def move_in_words(match: Match, text: str) -> str | None:
    """The only legal move that a text names; None if it names none or several, or does not choose it. What a model
    thinks aloud before its answer does not count."""
    text = text.rpartition("</think>")[2]
    text = _PAIR.sub(r"[\1,\2]", " ".join(text[-LONGEST:].split()))
    legal = (match.game.name(move) for move in match.position.moves())
    named = [name for name in legal if _mention(name).search(text)]
    if len(named) != 1:
        return None
    (name,) = named
    return name if text.strip(" \n.!*`\"'") == name or _is_chosen(name, text) else None


def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(name)}(?!\w|[.,]\d)")


def _is_chosen(name: str, text: str) -> bool:
    """True if a text says that it plays a move: not under a condition ("if I play 5"), not as a question, and without
    ruling it out afterwards ("I will not play 5")."""
    is_chosen = False
    for found in deque(_mention(name).finditer(text), maxlen=MOST_MENTIONS):
        before, after = text[max(0, found.start() - _NEARBY) : found.start()], text[found.end() : found.end() + _NEARBY]
        thought = re.split(f"(?i){_NEW_THOUGHT}", before)[-1]
        rest = re.split(f"(?i){_NEW_THOUGHT}|{_REASON}", after, maxsplit=1)[0]
        stop = re.search(r"[.!?;](?=\W|$)", after)
        if _CONDITION.search(thought) or _CONDITION.search(rest) or (stop and stop[0] == "?"):
            continue
        if _NEGATION.search(re.split(f"(?i){_NEW_CLAUSE}", thought)[-1]) or _NEGATION.search(rest):
            is_chosen = False
        elif not name.isdigit() or (re.search(rf"(?i){_CHOICE}\Z", before) and re.match(_NO_COUNT, after)):
            is_chosen = True
    return is_chosen


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
