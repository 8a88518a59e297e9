"""An OpenAI-compatible chat endpoint: one question, one reply, within a time limit. Texts of it never contain a key."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ninefold.agents.evaluation.completion import Completion, ResponseBody
from ninefold.agents.evaluation.ledger import SeatAccount
from ninefold.agents.evaluation.limits import EndpointThrottle
from ninefold.agents.evaluation.loop import AgentCrashed, AgentRejected, AgentTimedOut, OutOfMoney, TurnForfeited
from ninefold.agents.evaluation.usage import CHARACTERS_PER_TOKEN, RequestUsage, Tokens
from ninefold.client.http import (
    ConnectionFailed,
    DeadlineExceeded,
    HttpClient,
    HttpFailure,
    ResponseTooLarge,
    RetryPolicy,
    is_ok,
    is_rejected,
)
from ninefold.core.errors import NotAllowed
from ninefold.core.text import clean

# ``attempts`` is for what will hardly pass. An endpoint that is busy or away is waited for as long as there is time.
RETRY = RetryPolicy(
    attempts=3, retry_immediately=False, first_pause=1.0, longest_pause=15.0, jitter=0.5, longest_retry_after=math.inf
)
RETRY_AFTER_JITTER = 0.1  # of what an endpoint asks for, so that not all matches come back at once
LARGEST = 4 * 2**20  # bytes of a response
LONGEST_COMPLAINT = 200  # characters of an endpoint's error message
PICTURE_TOKENS = 1_000  # of an estimate
LONGEST_NAME = 100  # characters of the name of a model, and of a reason
BUSY = (408, 409, 425, 429)  # statuses that pass, beside those of a server that has failed

NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")  # requests that cannot have used tokens

ChatMessage = dict[str, Any]


class ChatReply(NamedTuple):
    """The reply of a model, and what it took to get it."""

    completion: Completion
    attempts: int = 1
    usage: RequestUsage | None = None  # of the last attempt

    @property
    def text(self) -> str:
        return self.completion.text


class _Attempt(NamedTuple):
    """One request: its completion, if it got one, and why that is not accepted."""

    completion: Completion = Completion()
    error: NotAllowed | None = None
    status: int = 0
    tokens: Tokens | None = None
    is_passing: bool = False  # the endpoint is busy or away
    retry_after: float = 0.0


class ChatEndpoint:
    """``hide`` takes keys out of a text. Whatever the endpoint says goes through it before anybody else sees it.
    ``throttle`` is what all matches share that ask this endpoint."""

    def __init__(
        self,
        url: str,
        key: str = "",
        hide: Callable[[str], str] = str,
        *,
        retry: RetryPolicy = RETRY,
        largest: int = LARGEST,
        throttle: EndpointThrottle | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._hide, self._retry, self._throttle = hide, retry, throttle or EndpointThrottle(clock=clock)
        self._clock, self._sleep = clock, sleep
        self._http = HttpClient(
            url,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            retry=RetryPolicy(attempts=1),
            is_retryable=lambda _: False,
            attempt_seconds=math.inf,
            largest=largest,
        )

    def ask(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        parameters: Mapping[str, Any],
        seconds: float,
        account: SeatAccount | None = None,
    ) -> ChatReply:
        """The reply to a conversation. Failed requests are repeated while there is time; the time that a request waits
        for limits of the plan does not count."""
        data = json.dumps({**parameters, "model": model, "messages": list(messages)}).encode()
        estimate = _estimate(messages)
        until = self._clock() + seconds
        failure: NotAllowed | None = None
        for number, pause in enumerate(self._retry.pauses(), 1):
            asked_at = self._clock()
            with self._throttle.passing(estimate) as ticket:
                began = self._clock()
                until += began - asked_at
                begun = account.begin(number, estimate) if account else None
                attempt, usage = self._counted_attempt(data, until, begun, account)
                ticket.tokens = attempt.tokens.total if attempt.tokens else ticket.tokens
            if isinstance(attempt.error, AgentTimedOut) and failure and until - began < seconds / 2:
                raise failure  # most of the time was the endpoint's
            if (failure := attempt.error) is None:
                return ChatReply(self._accepted(attempt.completion), number, usage)
            wait = self._pause(attempt, pause)
            if not self._is_repeated(attempt, number, wait, until - self._clock()):
                break
            if attempt.retry_after:
                self._throttle.hold(wait)
            self._sleep(wait)
        raise failure or AgentCrashed("crashed.not_chat")

    def close(self) -> None:
        self._http.close()

    def _pause(self, attempt: _Attempt, pause: float) -> float:
        """The seconds before the next attempt. One who always asks for next to nothing is backed off from too."""
        if not attempt.retry_after:
            return pause
        return max(attempt.retry_after * (1 + RETRY_AFTER_JITTER * random.random()), pause / 10)

    def _is_repeated(self, attempt: _Attempt, number: int, wait: float, left: float) -> bool:
        if not isinstance(attempt.error, AgentCrashed) or wait > left:
            return False
        return attempt.is_passing or self._retry.attempts is None or number < self._retry.attempts

    def _counted_attempt(
        self, data: bytes, until: float, begun: RequestUsage | None, account: SeatAccount | None
    ) -> tuple[_Attempt, RequestUsage | None]:
        """One request, with its accounts."""
        began = self._clock()
        attempt = self._attempt(data, until - began, begun.request if begun else "")
        if not account or not begun:
            return attempt, None
        return attempt, account.end(
            begun,
            attempt.tokens,
            status=attempt.status,
            milliseconds=round((self._clock() - began) * 1000),
            served_model=self._name(attempt.completion.model),
            finish_reason=self._name(attempt.completion.finish_reason),
            error=attempt.error.sentence if attempt.error else "",
        )

    def _attempt(self, data: bytes, seconds: float, request: str) -> _Attempt:
        headers = {"Content-Type": "application/json"} | ({"X-Client-Request-Id": request} if request else {})
        try:
            response = self._http.request("POST", "/chat/completions", data, headers, seconds=max(seconds, 0.0))
        except HttpFailure as failure:
            tokens = Tokens() if str(failure) in NEVER_SENT else ResponseBody(failure.partial).tokens
            is_passing = self._throttle.was_reached and isinstance(failure, ConnectionFailed)
            return _Attempt(error=_no_response(failure), tokens=tokens, is_passing=is_passing)
        self._throttle.was_reached = True
        body = ResponseBody(response.body)
        status, completion = response.status, body.completion if is_ok(response.status) else None
        error = self._withheld(status, body, completion) or (None if completion else self._failure(status, body))
        is_passing = status in BUSY or status >= 500
        return _Attempt(completion or Completion(), error, status, body.tokens, is_passing, response.retry_after)

    def _withheld(self, status: int, body: ResponseBody, completion: Completion | None) -> TurnForfeited | None:
        """The refusal if a filter or the model itself withholds an answer to this position, which another may get."""
        if completion:
            if completion.is_filtered:
                return TurnForfeited("filtered")
            words = completion.refusal if not completion.text.strip() and not completion.calls else ""
            return TurnForfeited("refused_to_answer", words=self._safe(words)) if words.strip() else None
        if not is_ok(status) and status < 500 and status not in BUSY and body.is_filter(status):
            return TurnForfeited("filtered.because", complaint=self._safe(body.complaint))
        return None

    def _failure(self, status: int, body: ResponseBody) -> AgentCrashed | AgentRejected:
        complaint = self._safe(body.complaint)
        is_out_of_money = body.is_out_of_money(status)
        if is_rejected(status) or is_out_of_money:  # as it would be in every match
            code = "rejected.because" if complaint else "rejected"
            return (OutOfMoney if is_out_of_money else AgentRejected)(code, status=status, complaint=complaint)
        if not is_ok(status):
            return AgentCrashed(
                "crashed.status.because" if complaint else "crashed.status", status=status, complaint=complaint
            )
        if body.document is None:
            return AgentCrashed("crashed.not_json")
        return AgentCrashed("crashed.not_chat.because" if complaint else "crashed.not_chat", complaint=complaint)

    def _accepted(self, completion: Completion) -> Completion:
        """A completion without keys."""
        hide = self._hide
        calls = tuple(call._replace(name=hide(call.name), arguments=hide(call.arguments)) for call in completion.calls)
        return completion._replace(text=hide(completion.text), calls=calls)

    def _safe(self, words: str) -> str:
        """Words of an endpoint, safe and short. Keys are hidden before and after control characters are removed,
        because either step could put one together."""
        safe = self._hide(clean(self._hide(words))).rstrip(".")
        return safe if len(safe) <= LONGEST_COMPLAINT else f"{safe[:LONGEST_COMPLAINT]} ..."

    def _name(self, given: str) -> str:
        return self._hide(clean(self._hide(given)))[:LONGEST_NAME]


def _estimate(messages: Sequence[ChatMessage]) -> int:
    """The tokens of a conversation, estimated by its characters. A picture counts as so many as it roughly takes."""
    parts = [part for message in messages for part in _parts(message)]
    texts = sum(len(json.dumps(part)) for part in parts if "image_url" not in part)
    return texts // CHARACTERS_PER_TOKEN + PICTURE_TOKENS * sum("image_url" in part for part in parts)


def _parts(message: ChatMessage) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else [message]


def _no_response(failure: HttpFailure) -> NotAllowed:
    if isinstance(failure, DeadlineExceeded):
        return AgentTimedOut("no_answer")
    if isinstance(failure, ResponseTooLarge):
        return AgentCrashed("crashed.too_large")
    return AgentCrashed("crashed.connection", error=failure)
