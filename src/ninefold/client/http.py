"""An HTTP client that repeats what failed. It knows nothing of the services that it is used for."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold import __version__
from ninefold.core.errors import NotAllowed
from ninefold.core.messages import Message

if TYPE_CHECKING:
    import httpx

LONGEST_PAUSE = 2.0  # seconds between two attempts, unless the server asks for more
LONGEST_RETRY_AFTER = 60.0  # seconds that a server may ask for
LARGEST_RESPONSE = 8 * 2**20
ATTEMPT_SECONDS = 10.0
TIMEOUT = 30.0  # seconds after the first attempt in which another one may begin
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


# Meanings of statuses. The numbers are here alone, without the standard library's names, which are slow to import.


def is_ok(status: int) -> bool:
    return status == 200


def is_refusal(status: int) -> bool:
    """True if the request was not carried out."""
    return status >= 400


def is_unreadable(status: int) -> bool:
    """True if the server could not read the request."""
    return status in (400, 413, 415, 422)


def is_rejected(status: int) -> bool:
    """True if the request is wrong, so that a repeat would be refused too."""
    return status in (400, 401, 403, 404, 422)


def is_retryable(status: int) -> bool:
    """True if the server, or a proxy in front of it, is unavailable for now."""
    return status in (429, 502, 503, 504)


class HttpResponse(NamedTuple):
    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def retry_after(self) -> float:
        """The seconds that the server asks to wait for; 0 where it does not say."""
        if _SECONDS.fullmatch(asked := self.headers.get("retry-after-ms", "").strip()):
            return float(asked) / 1000
        asked = self.headers.get("retry-after", "").strip()
        return float(asked) if _SECONDS.fullmatch(asked) else self._seconds_until(asked)

    def _seconds_until(self, date: str) -> float:
        """The seconds until a date, by the clock of the server if it sends its time; 0 if it is not a date."""
        until, now = _timestamp(date), _timestamp(self.headers.get("date", ""))
        return max(until - (time.time() if now is None else now), 0.0) if until is not None else 0.0


def _timestamp(date: str) -> float | None:
    """The time of an HTTP date; None if it is not one."""
    from email.utils import parsedate_to_datetime  # slow to import, and rarely needed

    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


class HttpFailure(Exception):
    """A request without a response. Its text holds no words of the other side: they may repeat what was sent.

    ``partial`` is the part of a body that came before the connection broke or the time was over.
    """

    partial: bytes = b""


class ConnectionFailed(HttpFailure):
    """The server could not be reached, or the connection broke."""


class DeadlineExceeded(HttpFailure):
    """The time that was given for the whole request is over."""


class ResponseTooLarge(HttpFailure):
    """The response has more bytes than are read."""


class RetryPolicy(NamedTuple):
    """When a request is repeated, word for word: what it asks for must be safe to be asked for twice."""

    timeout: float = TIMEOUT
    attempts: int | None = None  # at most so many
    retry_immediately: bool = True  # the first time: a connection that was idle breaks when it is used
    first_pause: float = 0.1
    longest_pause: float = LONGEST_PAUSE
    longest_retry_after: float = LONGEST_RETRY_AFTER
    jitter: float = 0.0  # the share of a pause that is random
    when_never_reached: bool = False  # True: a server that has not responded yet is waited for too

    def pauses(self) -> Iterator[float]:
        """The seconds before each further attempt: exponential backoff."""
        if self.retry_immediately:
            yield 0.0
        pause = self.first_pause
        while True:
            yield pause * (1 - self.jitter * random.random())
            pause = min(2 * pause, self.longest_pause)


class HttpClient:
    """Requests to one server, over connections that are kept alive. Threads may share it.

    A response for which ``is_retryable`` is True is not accepted: the request is repeated. ``on_retry`` is called when
    the first two attempts of a request have failed, before the third. After ``close`` a request opens a new connection.
    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        retry: RetryPolicy = RetryPolicy(),
        is_retryable: Callable[[HttpResponse], bool] = lambda response: is_retryable(response.status),
        on_retry: Callable[[], object] | None = None,
        attempt_seconds: float = ATTEMPT_SECONDS,
        largest: int = LARGEST_RESPONSE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._base_url = base_url
        self._headers = {"User-Agent": f"ninefold/{__version__}", "Accept-Encoding": "identity", **(headers or {})}
        self._retry, self._is_retryable, self._on_retry = retry, is_retryable, on_retry
        self._attempt_seconds, self._largest = attempt_seconds, largest
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._was_reached = False

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> HttpResponse:
        return self.request("GET", path, headers=headers)

    def post(
        self, path: str, document: object, headers: Mapping[str, str] | None = None, *, seconds: float | None = None
    ) -> HttpResponse:
        """Send a JSON document."""
        given = {"Content-Type": "application/json", **(headers or {})}
        return self.request("POST", path, json.dumps(document).encode(), given, seconds=seconds)

    def put(self, path: str, document: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
        """Send a JSON document that replaces what is there."""
        given = {"Content-Type": "application/json", **(headers or {})}
        return self.request("PUT", path, json.dumps(document).encode(), given)

    def request(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        seconds: float | None = None,
    ) -> HttpResponse:
        """The response, whatever its status. ``seconds`` bounds all attempts together; without it an attempt that has
        begun before the timeout may end after it."""
        began = self._clock()
        until = began + (self._retry.timeout if seconds is None else seconds)
        for attempt, pause in enumerate(self._retry.pauses(), 1):
            response: HttpResponse | None = None
            failure: ConnectionFailed | None = None
            try:
                response = self._attempt(method, path, content, headers, until if seconds is not None else None)
            except ConnectionFailed as failed:
                failure = failed
            if response and not self._is_retryable(response):
                return response
            asked = min(response.retry_after, self._retry.longest_retry_after) if response else 0.0
            if self._gives_up(attempt, self._clock() + max(pause, asked), until):
                break
            if attempt == 2 and self._on_retry:
                self._on_retry()
            self._sleep(max(pause, asked))
        if response:
            return response
        raise failure or ConnectionFailed

    def _gives_up(self, attempt: int, next_at: float, until: float) -> bool:
        retry = self._retry
        is_hopeless = not (self._was_reached or retry.when_never_reached)
        return is_hopeless or next_at > until or (retry.attempts is not None and attempt >= retry.attempts)

    def _attempt(
        self, method: str, path: str, content: bytes | None, headers: Mapping[str, str] | None, deadline: float | None
    ) -> HttpResponse:
        httpx = import_httpx()
        end = self._clock() + self._attempt_seconds
        if deadline is not None:
            end = min(end, deadline)
        left, client, data = self._remaining_seconds(end, deadline), None, bytearray()
        try:
            client = self._open()
            with client.stream(method, path, content=content, headers=headers, timeout=left) as response:
                self._read(response, data, end, deadline)
        except (httpx.TransportError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as error:
            if deadline is not None and self._clock() >= deadline:
                raise _failure(DeadlineExceeded(), data) from None
            raise _failure(ConnectionFailed(type(error).__name__), data) from None
        except RuntimeError:
            if client is None or not client.is_closed:
                raise
            raise ConnectionFailed(Message("no_response.closed")) from None  # by another thread
        except HttpFailure as failure:
            raise _failure(failure, data) from None
        self._was_reached = True
        return HttpResponse(response.status_code, bytes(data), response.headers)

    def _read(self, response: httpx.Response, data: bytearray, end: float, deadline: float | None) -> None:
        """Read the whole body: one that trickles in has no more time than any other."""
        for part in response.iter_raw():
            data += part
            if len(data) > self._largest:
                raise ResponseTooLarge
            self._remaining_seconds(end, deadline)

    def _remaining_seconds(self, end: float, deadline: float | None) -> float:
        """The seconds until the end of an attempt."""
        left = end - self._clock()
        if left > 0:
            return left
        raise DeadlineExceeded if end == deadline else ConnectionFailed(Message("no_response.too_slow"))

    def _open(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                # Proxies and keys of the environment are not meant for us.
                self._client = import_httpx().Client(base_url=self._base_url, headers=self._headers, trust_env=False)
            return self._client

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client:
            client.close()


def _failure(failure: HttpFailure, partial: bytearray) -> HttpFailure:
    failure.partial = bytes(partial)
    return failure


def import_httpx() -> Any:
    """httpx, imported when the first request is made: it is slow to import, and belongs to an extra."""
    try:
        import httpx
    except ImportError:
        raise NotAllowed("not_installed.online", package="httpx") from None
    return httpx
