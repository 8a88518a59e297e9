"""An OpenAI-compatible chat endpoint: one question, one answer, within a time. Its words never carry a key further."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ninefold import __version__
from ninefold.agents.evaluation.loop import Crashed, Rejected, TooLate
from ninefold.core.text import clean

PAUSES = (1.0, 2.0)  # seconds, before an endpoint that has trouble is asked again, and once more
LARGEST = 4 * 2**20
REJECTED = (400, 401, 403, 404, 422)  # it is asked in a wrong way: no match would go any better
LONGEST_COMPLAINT = 200

Message = dict[str, str]


class Said(NamedTuple):
    """What a model said, and whether it was cut off."""

    text: str
    cut: bool = False


class _Trouble(Exception):
    """An attempt that may go better the next time; ``wait`` is how long the endpoint wants us to wait."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class Endpoint:
    """``hide`` takes keys out of a text; what a model says goes through it before anybody else sees it."""

    def __init__(self, url: str, key: str = "", hide: Callable[[str], str] = str) -> None:
        parts = urlsplit(url)
        self._connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._path = parts.netloc, f"{parts.path}/chat/completions"
        self._key, self._hide = key, hide

    def ask(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any], seconds: float) -> Said:
        """The answer to a conversation. What goes wrong on the way is tried again while there is time."""
        body = json.dumps({**parameters, "model": model, "messages": list(messages)}).encode()
        until = time.monotonic() + seconds
        pauses = iter(PAUSES)
        while True:
            try:
                answer = self._once(body, until)
                if said := _said(answer):
                    return said._replace(text=self._hide(said.text))
                raise _Trouble(f"does not answer like a chat{self._complaint(answer)}")
            except _Trouble as trouble:
                wait = max(next(pauses, math.inf), trouble.wait)
                if time.monotonic() + wait > until:
                    raise Crashed("crashed", f"Its endpoint {trouble}.") from None
            time.sleep(wait)

    def _once(self, body: bytes, until: float) -> object:
        connection = self._connect(self._host, timeout=_left(until))
        try:
            connection.request("POST", self._path, body, self._headers())
            line = connection.sock  # the connection forgets it when the endpoint closes
            with connection.getresponse() as response:
                data = _whole(line, response, until)
        except TimeoutError:
            raise _too_late() from None
        except (OSError, HTTPException) as error:  # their words are not repeated: they may hold what was sent
            raise _Trouble(f"cannot be reached or broke off ({type(error).__name__})") from None
        finally:
            connection.close()
        self._check(response, data)
        return _read(data)

    def _check(self, response: HTTPResponse, data: bytes) -> None:
        status = response.status
        if status == 200:
            return
        try:
            said = self._complaint(_read(data))
        except _Trouble:
            said = ""
        if status in REJECTED:
            raise Rejected(
                "rejected",
                f"Its endpoint refuses us ({status}){said}.",
                "Check the key, the model, the parameters and the address.",
            )
        wait = response.headers.get("Retry-After", "")
        after = float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 4 else 0.0
        raise _Trouble(f"answers {status}{said}", after)

    def _complaint(self, answer: object) -> str:
        """What an endpoint says is wrong, made safe and short; keys are hidden before anything is taken out of it,
        and after that, since both could put one together."""
        said = self._hide(clean(self._hide(_error_in(answer)))).rstrip(".")
        short = said if len(said) <= LONGEST_COMPLAINT else f"{said[:LONGEST_COMPLAINT]} ..."
        return f": {short}" if short else ""

    def _headers(self) -> dict[str, str]:
        told = {"Content-Type": "application/json", "User-Agent": f"ninefold/{__version__}"}
        return told | ({"Authorization": f"Bearer {self._key}"} if self._key else {})


def _read(data: bytes) -> object:
    try:
        return json.loads(data.decode(errors="replace"))
    except (ValueError, RecursionError):
        raise _Trouble("does not answer in JSON") from None


def _whole(line: socket, response: HTTPResponse, until: float) -> bytes:
    """The whole body, and no more than that much of it: one that trickles in must not hold a match up."""
    data = bytearray()
    while True:
        line.settimeout(_left(until))
        part = response.read1(65_536)
        data += part
        if not part:
            break
        if len(data) > LARGEST:
            raise _Trouble("answers without an end")
    if response.length:
        raise _Trouble("broke off in the middle of an answer")
    return bytes(data)


def _left(until: float) -> float:
    if (left := until - time.monotonic()) <= 0:
        raise _too_late()
    return left


def _too_late() -> TooLate:
    return TooLate("no_answer", "It gave no answer in its time.")


def _error_in(answer: object) -> str:
    """The sentence in an answer that is none: endpoints put it in one of a few places."""
    for _ in range(3):
        if not isinstance(answer, dict):
            break
        answer = next((answer[name] for name in ("error", "message", "detail") if answer.get(name)), None)
    return answer if isinstance(answer, str) else ""


def _said(answer: Any) -> Said | None:
    """What stands in the first choice, if there is one."""
    try:
        choice = answer["choices"][0]
        content = choice["message"]["content"]
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        if content is None:
            content = ""
        if isinstance(content, str):
            return Said(content, choice.get("finish_reason") == "length")
    except (LookupError, TypeError, AttributeError):
        pass
    return None
