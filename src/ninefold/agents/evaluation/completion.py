"""Chat completions: what the response of an endpoint says, whether it came as one document or as a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from ninefold.agents.evaluation.usage import Tokens, read_tokens

FILTERED = ("content_filter", "safety", "prohibited_content", "blocklist")  # reasons for which an answer ends
# What endpoints write into the code, the type or the message of an error when a filter has stopped the prompt.
_FILTER_CODE = re.compile(r"(?i)content_?filter|content_policy|responsible_?ai|moderation|data_inspection|safety")
_FILTER_WORDS = re.compile(
    r"(?i)content[- ](management )?polic|content filter|safety (system|filter)|responsible ai|moderation|moderator"
)
# Words that filters use, and others too. They count with a status that filters have, if nothing in the error is about
# who asks: "blocked by our usage policy" is a filter, "your key is blocked by the policy of your organisation" is not.
_PERHAPS_FILTER = re.compile(r"(?i)polic(y|ies)|flagged|safety|unsafe|harmful|inappropriate|guardrail")
_ABOUT_ACCESS = re.compile(
    r"(?i)\b(api[-_ ]?)?(keys?|tokens?|credentials?)\b|account|permi(t|ssion)|authori[sz]|authenticat|organi[sz]ation"
    r"|billing|region|country|\bip\b|\biam\b|subscription|access"
)
_FILTER_STATUSES = (403, 451)
_STREAM = (b"data:", b"event:", b"id:", b"retry:", b":")  # how the lines of a stream begin
_NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_credits")
# Words about money. With 429 they do not count: endpoints write "check your billing details" when a minute is too full.
_NO_MONEY_WORDS = re.compile(r"(?i)insufficient (balance|credit|funds)|(credit )?balance is too low|out of credits")


class ToolCall(NamedTuple):
    """A call of a function by a model. ``arguments`` should be a JSON object, as text."""

    name: str
    arguments: str
    id: str = ""


class Completion(NamedTuple):
    """The first choice of a chat completion."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    refusal: str = ""
    finish_reason: str = ""
    model: str = ""

    @property
    def is_cut(self) -> bool:
        return self.finish_reason in ("length", "max_tokens")

    @property
    def is_filtered(self) -> bool:
        return self.finish_reason.lower() in FILTERED


class ResponseBody:
    """The body of a response: a document, or the events of a stream put together into one."""

    def __init__(self, body: bytes) -> None:
        is_stream = body.lstrip().startswith(_STREAM)
        content = "" if is_stream else body.decode(errors="replace").strip()
        self.document: Any = _joined(body) if is_stream else _parse(content)
        self._plain = content if self.document is None and not content.startswith("<") else ""

    @property
    def tokens(self) -> Tokens | None:
        """The tokens that it reports, also in an error or in a stream that broke off."""
        return read_tokens(self.document.get("usage")) if isinstance(self.document, dict) else None

    @property
    def completion(self) -> Completion | None:
        """None if it is not a whole completion."""
        try:
            choice = self.document["choices"][0]
            if choice.get("incomplete"):
                return None
            return _completion(choice, self.document)
        except (LookupError, TypeError, AttributeError, ValueError):
            return None

    @property
    def complaint(self) -> str:
        """The error message. Endpoints put it in one of a few places."""
        document = self.document
        for _ in range(3):
            if not isinstance(document, dict):
                break
            document = next((document[name] for name in ("error", "message", "detail") if document.get(name)), None)
        return document if isinstance(document, str) else self._plain

    def is_filter(self, status: int) -> bool:
        """True if the error is that of a content filter: by its code, or as far as its words tell."""
        words = self.complaint
        if any(_FILTER_CODE.search(code) for code in self._codes()) or _FILTER_WORDS.search(words):
            return True
        may_be = status in _FILTER_STATUSES and bool(_PERHAPS_FILTER.search(words))
        return may_be and not _ABOUT_ACCESS.search(words)

    def is_out_of_money(self, status: int) -> bool:
        """True if the account has no money left: by the status or the code of the error, or by its words."""
        if status == HTTPStatus.PAYMENT_REQUIRED or any(code in _NO_MONEY for code in self._codes()):
            return True
        return status in (400, 401, 403) and bool(_NO_MONEY_WORDS.search(self.complaint))

    def _codes(self) -> Iterator[str]:
        """The codes and types of the error, and of the errors inside it."""
        error = self.document
        for name in ("error", "innererror", "innererror"):
            error = error.get(name) if isinstance(error, dict) else None
            if isinstance(error, dict):
                found = (error.get(field) for field in ("code", "type", "status"))
                yield from (one for one in found if isinstance(one, str))


def _completion(choice: dict[str, Any], document: dict[str, Any]) -> Completion:
    message = choice["message"]
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    calls = tuple(_calls(message))
    if content is None and ("content" in message or calls or message.get("refusal")):
        content = ""
    if not isinstance(content, str):
        raise TypeError
    return Completion(
        content, calls, _word(message.get("refusal")), _word(choice.get("finish_reason")), _word(document.get("model"))
    )


def _calls(message: dict[str, Any]) -> Iterator[ToolCall]:
    """The calls of functions in a message, in the form of today or in the one before it."""
    for call in message.get("tool_calls") or ():
        yield _call(call["function"], _word(call.get("id")))
    if message.get("function_call"):
        yield _call(message["function_call"])


def _call(function: dict[str, Any], call_id: str = "") -> ToolCall:
    arguments = function.get("arguments")
    return ToolCall(
        _word(function.get("name")), arguments if isinstance(arguments, str) else json.dumps(arguments or {}), call_id
    )


def _word(given: object) -> str:
    return given if isinstance(given, str) else ""


def _parse(text: str) -> Any:
    """The JSON of a text; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _joined(body: bytes) -> Any:
    """The document that the events of a stream amount to. A stream without an end is marked as incomplete."""
    message: dict[str, Any] = {"content": "", "refusal": ""}
    choice: dict[str, Any] = {"message": message, "finish_reason": "", "incomplete": True}
    document: dict[str, Any] = {"choices": [choice]}
    calls: dict[object, dict[str, Any]] = {}
    for event in _events(body):
        document |= {name: event[name] for name in ("model", "usage", "error") if event.get(name)}
        for one in _first(event):
            delta = one.get("delta") or {}
            for name in ("content", "refusal"):
                message[name] += _word(delta.get(name))
            for call in delta.get("tool_calls") or ():
                _add_call(calls.setdefault(call.get("index"), {"function": {"name": "", "arguments": ""}}), call)
            if one.get("finish_reason"):
                choice |= {"finish_reason": one["finish_reason"], "incomplete": False}
    message["tool_calls"] = list(calls.values())
    return document


def _events(body: bytes) -> Iterator[dict[str, Any]]:
    """The documents of a stream of server-sent events. A last one that was cut off is left out."""
    for line in body.decode(errors="replace").splitlines():
        field, _, value = line.partition(":")
        event = _parse(value.strip()) if field == "data" else None
        if isinstance(event, dict):
            yield event


def _first(event: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The part of an event about the first choice; one about tokens has none."""
    choices = event.get("choices")
    found = choices if isinstance(choices, list) else []
    return [one for one in found if isinstance(one, dict) and one.get("index", 0) == 0]


def _add_call(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add a part of a call to what came before."""
    function = part.get("function") or {}
    whole["id"] = _word(part.get("id")) or whole.get("id", "")
    for name in ("name", "arguments"):
        whole["function"][name] += _word(function.get(name))
