"""An OpenAI-compatible chat endpoint: one request, one reply, within a time limit. Texts of it never contain a key."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ninefold.agents.evaluation.loop import AgentCrashed, AgentRejected, AgentTimedOut
from ninefold.client.http import (
    ConnectionFailed,
    DeadlineExceeded,
    HttpClient,
    HttpResponse,
    ResponseTooLarge,
    RetryPolicy,
    is_ok,
    is_rejected,
)
from ninefold.core.text import clean

RETRY = RetryPolicy(attempts=3, retry_immediately=False, first_pause=1.0, when_never_reached=True)
LARGEST = 4 * 2**20  # bytes of a response
LONGEST_COMPLAINT = 200  # characters of an endpoint's error message

ChatMessage = dict[str, str]


class ChatReply(NamedTuple):
    """The reply of a model, and True if it was cut off."""

    text: str
    is_cut: bool = False


class ChatEndpoint:
    """``hide`` takes keys out of a text. Whatever the endpoint says goes through it before anybody else sees it."""

    def __init__(
        self,
        url: str,
        key: str = "",
        hide: Callable[[str], str] = str,
        *,
        retry: RetryPolicy = RETRY,
        largest: int = LARGEST,
    ) -> None:
        self._hide = hide
        self._http = HttpClient(
            url,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            retry=retry,
            is_retryable=lambda response: not is_rejected(response.status) and _reply(response) is None,
            attempt_seconds=math.inf,
            largest=largest,
        )

    def ask(
        self, model: str, messages: Sequence[ChatMessage], parameters: Mapping[str, Any], seconds: float
    ) -> ChatReply:
        """The reply to a conversation. Failed requests are repeated while there is time."""
        request = {**parameters, "model": model, "messages": list(messages)}
        try:
            response = self._http.post("/chat/completions", request, seconds=seconds)
        except DeadlineExceeded:
            raise AgentTimedOut("no_answer") from None
        except ResponseTooLarge:
            raise AgentCrashed("crashed.too_large") from None
        except ConnectionFailed as failure:
            raise AgentCrashed("crashed.connection", error=failure) from None
        reply = _reply(response)
        if reply is None:
            raise self._failure(response)
        return reply._replace(text=self._hide(reply.text))

    def close(self) -> None:
        self._http.close()

    def _failure(self, response: HttpResponse) -> AgentCrashed | AgentRejected:
        status, document = response.status, _parse(response.body)
        complaint = self._complaint(document)
        if is_rejected(status):  # as it would be in every match
            code = "rejected.because" if complaint else "rejected"
            return AgentRejected(code, status=status, complaint=complaint)
        if not is_ok(status):
            return AgentCrashed(
                "crashed.status.because" if complaint else "crashed.status", status=status, complaint=complaint
            )
        if document is None:
            return AgentCrashed("crashed.not_json")
        return AgentCrashed("crashed.not_chat.because" if complaint else "crashed.not_chat", complaint=complaint)

    def _complaint(self, document: object) -> str:
        """The endpoint's error message, safe and short. Keys are hidden before and after control characters are
        removed, because either step could put one together."""
        complaint = self._hide(clean(self._hide(_error_message(document)))).rstrip(".")
        return complaint if len(complaint) <= LONGEST_COMPLAINT else f"{complaint[:LONGEST_COMPLAINT]} ..."


def _parse(body: bytes) -> Any:
    """The JSON of a body; None if it is not JSON."""
    try:
        return json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def _reply(response: HttpResponse) -> ChatReply | None:
    """The first choice in a response; None if there is none."""
    if not is_ok(response.status):
        return None
    try:
        choice = _parse(response.body)["choices"][0]
        content = choice["message"]["content"]
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        if content is None:
            content = ""
        if isinstance(content, str):
            return ChatReply(content, choice.get("finish_reason") == "length")
    except (LookupError, TypeError, AttributeError):
        pass
    return None


def _error_message(document: object) -> str:
    """The error message in a response. Endpoints put it in one of a few places."""
    for _ in range(3):
        if not isinstance(document, dict):
            break
        document = next((document[name] for name in ("error", "message", "detail") if document.get(name)), None)
    return document if isinstance(document, str) else ""
