"""The WebSocket of a match: it reconnects on its own and misses nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ninefold.client.errors import refusal_of
from ninefold.client.http import LARGEST_RESPONSE, LONGEST_RETRY_AFTER, RetryPolicy, is_retryable
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.strict_json import read_json

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

API = "/api/v1"
SILENCE = 45.0  # seconds; the server sends something every 15
SHORTEST_PAUSE = 0.1  # seconds before another attempt

Document = dict[str, Any]
ChangeKind = Literal["events", "presence", "moved", "lost"]


class MatchChange(NamedTuple):
    """A change: events with the view after them (at first, the view as it is); which seats are connected; the
    seat was moved to another device; or the connection was lost, and is opened again.

    >>> MatchChange("presence", seats={"1": True, "2": False}).seats["2"]
    False
    """

    kind: ChangeKind
    view: Mapping[str, Any] = {}
    events: tuple[Document, ...] = ()
    seats: Mapping[str, bool] = {}
    clock: Mapping[str, Any] | None = None  # of events that come without a view


class _Disconnected(Exception):
    """The connection has ended and may be opened again, after so many seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class ChangeStream:
    """The changes of a match, as its socket delivers them. Iterate over it once. ``close``, from any thread, ends that.

    >>> from ninefold.client import Server
    >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats[1]
    >>> stream = seat.changes()
    >>> for change in stream:
    ...     change.kind, len(change.view["history"])
    ...     stream.close()
    ('events', 0)
    """

    def __init__(
        self,
        address: str,
        match: str,
        token: str | None,
        after: int | None = None,
        *,
        views: bool = True,
        longest_wait: float = LONGEST_RETRY_AFTER,
    ) -> None:
        self._url = f"ws{address.removeprefix('http')}{API}/matches/{match}/socket"
        self._token = token
        self._after = after  # the index of the last event that is known
        self._views = views  # False if events come without a view
        self._longest_wait = longest_wait
        self._moved = False
        self._closed = threading.Event()
        self._socket: ClientConnection | None = None

    def close(self) -> None:
        """End the iteration, and close the socket.

        >>> from ninefold.client import Server
        >>> stream = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats[1].changes()
        >>> stream.close()
        >>> list(stream)
        []
        """
        self._closed.set()
        if self._socket:
            self._socket.close()

    def __iter__(self) -> Iterator[MatchChange]:
        pauses, is_lost = RetryPolicy().pauses(), False
        while not self._closed.is_set():
            pause = 0.0
            try:
                for change in self._connect():
                    pauses, is_lost = RetryPolicy().pauses(), False
                    yield change
            except _Disconnected as disconnected:
                pause = disconnected.seconds
            if self._closed.is_set():
                return
            if not is_lost:
                is_lost = True
                yield MatchChange("lost")
            self._closed.wait(max(pause, next(pauses), SHORTEST_PAUSE))

    def _connect(self) -> Iterator[MatchChange]:
        """One connection, from its first message to its end."""
        connect = _import_connect()
        from websockets.exceptions import ConnectionClosedOK, InvalidStatus, WebSocketException

        try:
            with connect(self._url, proxy=None, max_size=LARGEST_RESPONSE, close_timeout=2) as socket:
                self._socket = socket
                hello: Document = {"type": "hello", "token": self._token, "after": self._after, "view": self._views}
                socket.send(json.dumps({name: value for name, value in hello.items() if value is not None}))
                while not self._closed.is_set():
                    yield from self._changes(_read(socket.recv(SILENCE, decode=True)))
        except InvalidStatus as error:
            response = error.response
            if is_retryable(response.status_code):
                raise _Disconnected from None
            raise refusal_of(response.status_code, bytes(response.body or b"")) from None
        except ConnectionClosedOK:
            if not self._moved:
                raise _Disconnected from None
            self._closed.set()  # a private match shows nothing to those who have no seat any more
        except (OSError, UnicodeError, WebSocketException):  # silence for too long is an OSError too
            raise _Disconnected from None
        except (AttributeError, LookupError, TypeError):
            raise _invalid_message() from None

    def _changes(self, message: Any) -> Iterator[MatchChange]:
        match message.get("type"):
            case "events" if not self._views and "view" not in message:
                events = tuple(message["events"])
                self._after = events[-1]["index"]
                yield MatchChange("events", events=events, clock=message.get("clock"))
            case "welcome" | "events":
                view, events = message["view"], tuple(message.get("events", ()))
                self._after = view["size"] - 1
                yield MatchChange("events", view, events)
            case "presence":
                yield MatchChange("presence", seats=message["seats"])
            case "moved":
                self._token, self._moved = None, True
                yield MatchChange("moved")
            case "bye":
                raise _Disconnected(min(message.get("retry_ms", 0) / 1000, self._longest_wait))
            case "refused" if is_retryable(message["status"]):
                raise _Disconnected
            case "refused":
                raise refusal_of(message["status"], message)


def _read(message: str) -> Any:
    try:
        return read_json(message)
    except ValueError:
        raise _invalid_message() from None


def _invalid_message() -> Unreadable:
    return Unreadable("not_a_server.socket")


def _import_connect() -> Any:
    """websockets' connect, imported when the first connection is opened: it belongs to an extra."""
    try:
        from websockets.sync.client import connect
    except ImportError:
        raise NotAllowed("not_installed.online", package="websockets") from None
    return connect
