"""A chat endpoint that fails in every way, and knows what it has reported: for runs that must lose and forget nothing.

What it answers depends on the conversation alone, so that a match is the same however often it is asked. How often and
how it fails before it answers depends on a seed too.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from datetime import UTC, datetime
from email.utils import format_datetime
from random import Random
from typing import Any

from ninefold.agents.evaluation.usage import Tokens
from tests.support import chat_server as chat
from tests.support.chat_server import Handler, Request

FAILURES = (
    "429", "429 with a fraction", "429 with a date", "500", "500 with usage", "502 in HTML", "503", "hangs up",
    "breaks off", "cut stream", "slow",
)  # fmt: skip
GOOD = ("json", "fenced", "tool", "prose", "stream")
BAD = ("nonsense", "illegal", "cut off")  # corrected by the referee, and then answered well
WITHHELD = ("refusal", "filtered prompt", "filtered answer")
MOST_FAILURES = 2  # of one conversation in a row


class BadEndpoint:
    """``behave`` is for ``chat_server``. ``reported`` has the tokens that it reported, by the id of the request."""

    def __init__(self, seed: int, *, silences: bool = False) -> None:
        self._seed, self._silences = seed, silences
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self.reported: dict[str, Tokens] = {}
        self.requests: set[str] = set()
        self.met: Counter[str] = Counter()  # failures and forms of answers

    def behave(self, handler: Handler, request: Request) -> None:
        talk = hashlib.sha256(json.dumps(request.conversation).encode()).hexdigest()
        with self._lock:
            number = self._asked[talk]
            self._asked[talk] += 1
            self.requests.add(request.headers["X-Client-Request-Id"])
        failures = self._failures(talk)
        form = self._form(talk, request)
        way = failures[number] if number < len(failures) else form
        with self._lock:
            self.met[way] += 1
        if way in ("slow", "silence"):
            if handler.stopping.wait(0.05 if way == "slow" else None):
                return
            way = form
        self._respond(way, handler, request, _usage(talk))

    def _failures(self, talk: str) -> list[str]:
        rng = Random(f"{self._seed}/{talk}")
        silence = ["silence"] if self._silences and Random(talk).random() < 0.02 else []
        return silence + [rng.choice(FAILURES) for _ in range(rng.randrange(MOST_FAILURES + 1))]

    def _form(self, talk: str, request: Request) -> str:
        """The form of an answer. At a second try at a turn it is one that can be read."""
        rng = Random(talk)
        draw = rng.random()
        if len(request.conversation) > 2 or draw > 0.2:
            return rng.choice(GOOD)
        return rng.choice(BAD if draw > 0.05 else WITHHELD)

    def _respond(self, way: str, handler: Handler, request: Request, usage: dict[str, Any]) -> None:
        if way in (*GOOD, *BAD, "refusal", "filtered answer", "500 with usage", "cut stream"):
            self._report(request, usage)
        handler.extra = {"model": "bad-1", "usage": usage}
        answer = json.dumps(chat.choice(request.board))
        match way:
            case "json" | "fenced":
                handler.say(answer if way == "json" else f"Well {{then}}:\n```json\n{answer}\n```")
            case "tool":
                fields = json.loads(answer)
                function = {"name": fields.pop("action"), "arguments": json.dumps(fields)}
                handler.say(None, "tool_calls", tool_calls=[{"id": "c", "type": "function", "function": function}])
            case "prose":
                handler.say(f"I play {m}." if (m := json.loads(answer).get("move")) else answer)
            case "stream":
                chat.streams(answer, usage)(handler, request)
            case "nonsense":
                handler.say("Let me think about it.")
            case "illegal":
                handler.say('{"action": "move", "move": "[7,7]"}')
            case "cut off":
                handler.say(answer[:12], "length")
            case "refusal":
                handler.say(None, refusal="I do not play.")
            case "filtered answer":
                handler.say("", "content_filter")
            case "filtered prompt":
                chat.error(400, code="content_filter")(handler, request)
            case "500 with usage":
                handler.reply(json.dumps({"error": "out of memory", "usage": usage}).encode(), 500)
            case "cut stream":
                chat.cuts_stream(answer, usage)(handler, request)
            case "429 with a date":
                handler.reply(b"", 429, Retry_After=format_datetime(datetime.now(UTC), usegmt=True))
            case "429 with a fraction":
                handler.reply(b"{}", 429, Retry_After="0.01")
            case "502 in HTML":
                handler.reply(b"<html>Bad gateway</html>", 502)
            case "breaks off":
                chat.breaks_off(handler, request)
            case "429" | "500" | "503":
                chat.status(int(way))(handler, request)
            case "hangs up":
                chat.hangs_up(handler, request)
            case _:
                raise ValueError(way)

    def _report(self, request: Request, usage: dict[str, Any]) -> None:
        tokens = Tokens(
            usage["prompt_tokens"],
            usage["completion_tokens"],
            usage["prompt_tokens_details"]["cached_tokens"],
            usage["completion_tokens_details"]["reasoning_tokens"],
        )
        with self._lock:
            self.reported[request.headers["X-Client-Request-Id"]] = tokens


def _usage(talk: str) -> dict[str, Any]:
    rng = Random(f"tokens/{talk}")
    given, answered = rng.randrange(500, 2000), rng.randrange(5, 300)
    return {
        "prompt_tokens": given,
        "completion_tokens": answered,
        "total_tokens": given + answered,
        "prompt_tokens_details": {"cached_tokens": rng.randrange(given)},
        "completion_tokens_details": {"reasoning_tokens": rng.randrange(answered)},
    }
