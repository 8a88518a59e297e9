"""A server and its matches from Python: create, join, watch and play them. Blocking, and without HTTP in it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self
from weakref import WeakSet

from ninefold.client.errors import invalid_response, no_connection, refusal_of
from ninefold.client.http import (
    LARGEST_RESPONSE,
    TIMEOUT,
    ConnectionFailed,
    HttpClient,
    HttpResponse,
    ResponseTooLarge,
    RetryPolicy,
    is_refusal,
)
from ninefold.client.links import INVITATION, TO_WATCH, Link, read_address, read_link
from ninefold.client.socket import API, ChangeStream, Document
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import Message
from ninefold.core.position import Path, Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import UNVERSIONED, Action
from ninefold.match.log import read_log
from ninefold.match.match import Match
from ninefold.server.hosting.commands import SEATS, ClockRequest, MatchRequest, action_document
from ninefold.server.hosting.model import ROLE


def new_request() -> str:
    """A new idempotency key. It is unguessable: a server gives a seat to whoever repeats the key of its join."""
    return secrets.token_hex(16)


class ApiCalls:
    """Requests to the API of a server. Refusals are raised as such."""

    def __init__(self, address: str, *, timeout: float, on_retry: Callable[[], object] | None = None) -> None:
        self.address = address
        self._http = HttpClient(
            address + API,
            headers={"Accept": "application/json, */*"},
            retry=RetryPolicy(timeout=timeout),
            on_retry=on_retry,
        )

    def get(self, path: str, token: str | None = None) -> Any:
        return self._parsed(self._send("GET", path, token).body)

    def get_with_role(self, path: str, token: str | None = None) -> tuple[Any, str]:
        """A document, and as whom the server has answered us: the number of a seat, or spectator; "" if it does not say
        so, as earlier versions."""
        response = self._send("GET", path, token)
        return self._parsed(response.body), response.headers.get(ROLE, "")

    def post(self, path: str, body: Mapping[str, object] | None = None, token: str | None = None) -> Document:
        found: Document = self._parsed(self._send("POST", path, token, body).body)
        return found

    def put(self, path: str, body: Mapping[str, object], token: str | None = None) -> Document:
        found: Document = self._parsed(self._send("PUT", path, token, body).body)
        return found

    def text(self, path: str, token: str | None = None) -> str:
        return self._send("GET", path, token).body.decode(errors="replace")

    def close(self) -> None:
        self._http.close()

    def _send(
        self, method: str, path: str, token: str | None, body: Mapping[str, object] | None = None
    ) -> HttpResponse:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            if method == "GET":
                response = self._http.get(path, headers)
            else:
                response = (self._http.put if method == "PUT" else self._http.post)(path, body, headers)
        except ConnectionFailed:
            raise no_connection(self.address) from None
        except ResponseTooLarge:
            most = LARGEST_RESPONSE // 2**20
            raise Unreadable("not_a_server.too_large", server=quoted(self.address, 60), most=most) from None
        if is_refusal(response.status):
            raise refusal_of(response.status, response.body)
        return response

    def _parsed(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise invalid_response(self.address) from None


class Server:
    """One server. A request whose connection breaks is repeated for ``timeout`` seconds; the server does it once.
    ``key`` opens a profile there, with which seats are taken.

    >>> server = Server("http://127.0.0.1:8090")
    >>> created = server.create("classic", ("human", "perfect"))
    >>> created.seats[1].play("5").events[0]["event"]
    'moved'
    >>> server.close()
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = TIMEOUT,
        on_retry: Callable[[], object] | None = None,
        key: str | None = None,
    ) -> None:
        self.address: str = read_address(url)
        self.key: str | None = key
        self.calls: ApiCalls = ApiCalls(self.address, timeout=timeout, on_retry=on_retry)
        self.streams: WeakSet[ChangeStream] = WeakSet()

    def profile(self) -> Document:
        """The profile of the key, with its results and ratings.

        >>> import secrets
        >>> server = Server("http://127.0.0.1:8090", key=secrets.token_urlsafe(32))
        >>> saved = server.save_profile("Ann")
        >>> server.profile()["name"], server.profile()["standings"]
        ('Ann', [])
        """
        found: Document = self.calls.get("/profile", self.key)
        return found

    def save_profile(self, name: str, kind: str = "person", *, shared: bool = False) -> Document:
        """Make the profile of the key, or change its name and whether others may see it.

        >>> import secrets
        >>> server = Server("http://127.0.0.1:8090", key=secrets.token_urlsafe(32))
        >>> server.save_profile("Ann", "agent", shared=True)["kind"]
        'agent'
        """
        return self.calls.put("/profile", {"name": name, "kind": kind, "shared": shared}, self.key)

    def games(self) -> list[Document]:
        """The games there are, with their options, levels and words.

        >>> [game["id"] for game in Server("http://127.0.0.1:8090").games()]
        ['classic', 'agents', 'swap-nine', 'squared', 'ultimate']
        """
        found: list[Document] = self.calls.get("/games")
        return found

    def matches(self, state: str = "open") -> list[Document]:
        """Public matches that are open or live, the newest first.

        >>> server = Server("http://127.0.0.1:8090")
        >>> created = server.create("classic", ("human", "open"))
        >>> created.match in [match["id"] for match in server.matches("open")]
        True
        """
        found: list[Document] = self.calls.get(f"/matches?state={state}")["matches"]
        return found

    def create(
        self,
        game: str,
        players: tuple[str, str] | None = None,
        *,
        names: tuple[str, str] | None = None,
        clock: tuple[int, int] | None = None,
        **more: Any,
    ) -> CreatedMatch:
        """Start a match. Players are human (you), open, or a level of the computer; a clock is in seconds, with its
        increment. ``more`` are other fields of ``MatchRequest``, which has the defaults.

        >>> server = Server("http://127.0.0.1:8090")
        >>> created = server.create("ultimate", ("human", "open"), names=("Ann", ""), clock=(300, 5))
        >>> list(created.seats), created.invitations[2].kind
        ([1], 'invite')
        """
        one, two = SEATS
        if players:
            one, two = one._replace(player=players[0]), two._replace(player=players[1])
        if names:
            one, two = one._replace(name=names[0]), two._replace(name=names[1])
        timed = clock and ClockRequest(*clock)
        return self.request_match(MatchRequest(game, seats=(one, two), clock=timed, **more))

    def request_match(self, request: MatchRequest, *, idempotency_key: str = "") -> CreatedMatch:
        """Start a match, as it is requested.

        >>> from ninefold.server.hosting.commands import MatchRequest
        >>> created = Server("http://127.0.0.1:8090").request_match(MatchRequest("classic"))
        >>> created.seats[1].view()["game"]
        'classic'
        """
        body = {**request.document(), "request": idempotency_key or new_request()}
        found = self.calls.post("/matches", body, self.key)
        match = found["match"]
        return CreatedMatch(
            match,
            {int(seat): RemoteSeat(self, match, token, int(seat)) for seat, token in found["seats"].items()},
            {int(seat): Link(self.address, match, "invite", one) for seat, one in found["invitations"].items()},
            Link(self.address, match, "watch", found["watch"]) if found["watch"] else Link(self.address, match),
        )

    def join(self, link: str | Link, name: str = "", *, request: str = "") -> RemoteSeat:
        """Take the seat that a link opens; without a secret, an open seat of a public match.

        >>> server = Server("http://127.0.0.1:8090")
        >>> created = server.create("classic", ("human", "open"))
        >>> seat = server.join(created.invitations[2], "Ben")
        >>> seat.number, seat.side.name
        (2, 'O')
        """
        to = self._link(link)
        if to.kind == "watch":
            raise NotAllowed("only_watching.link")
        secret = {"invite": {"invitation": to.secret}, "code": {"code": to.secret}}.get(to.kind, {})
        body = {**secret, "name": name, "request": request or new_request()}
        found = self.calls.post(f"/matches/{to.match}/join", body, self.key)
        return RemoteSeat(self, to.match, found["token"], found["seat"])

    def watch(self, link: str | Link) -> RemoteMatch:
        """A match to look at; a private one needs the link for watching.

        >>> server = Server("http://127.0.0.1:8090")
        >>> created = server.create("classic", ("human", "perfect"))
        >>> server.watch(created.watch).view()["turn"]
        'X'
        """
        to = self._link(link, TO_WATCH)
        return RemoteMatch(self, to.match, to.secret if to.kind == "watch" else None)

    def _link(self, link: str | Link, example: str | Message = INVITATION) -> Link:
        to = link if isinstance(link, Link) else read_link(link, self.address, example)
        if to.server != self.address:
            raise NotAllowed("another_server", server=to.server, client=self.address)
        return to

    def close(self) -> None:
        """Close all connections, also the sockets of matches that came from here. Requests open new ones.

        >>> server = Server("http://127.0.0.1:8090")
        >>> created = server.create("classic", ("human", "open"))
        >>> server.close()
        """
        for stream in list(self.streams):
            stream.close()
        self.calls.close()


def join(link: str, name: str = "") -> RemoteSeat:
    """Take the seat that a link opens.

    >>> created = Server("http://127.0.0.1:8090").create("classic", ("human", "open"))
    >>> with join(str(created.invitations[2]), "Ben") as seat:
    ...     seat.view()["seats"][1]["name"]
    'Ben'
    """
    server = Server(read_link(link).server)
    try:
        return server.join(link, name)
    except Refusal:
        server.close()
        raise


def watch(link: str) -> RemoteMatch:
    """A match to look at, by its link.

    >>> created = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect"))
    >>> with watch(str(created.watch)) as match:
    ...     match.view()["history"]
    []
    """
    return Server(read_link(link, example=TO_WATCH).server).watch(link)


class RemoteMatch:
    """A match on a server, for somebody who may read it.

    >>> created = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect"))
    >>> match = watch(str(created.watch))
    >>> match.id == created.match, match.match().game.id
    (True, 'classic')
    """

    server: Server
    id: str
    token: str | None

    def __init__(self, server: Server, match: str, token: str | None) -> None:
        self.server, self.id, self.token = server, match, token
        self._path = f"/matches/{match}"
        self._stream: ChangeStream | None = None
        self._last_view: Mapping[str, Any] = {}

    def view(self) -> Mapping[str, Any]:
        """The match as it is now; docs/protocol.md has every field.

        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect")).seats[1]
        >>> view = seat.view()
        >>> view["asked"], len(view["moves"])
        (1, 9)
        """
        self._last_view = self._get("")
        return self._last_view

    def match(self) -> Match:
        """The match as a value, rebuilt here from its log.

        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats[1]
        >>> result = seat.play("5")
        >>> seat.match()
        <Match of classic: 5, O to act>
        """
        return read_log(self.server.calls.text(f"{self._path}/log", self.token))

    def record(self) -> str:
        """The match as people read it, a record.

        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats[1]
        >>> result = seat.play("5")
        >>> seat.record().splitlines()[-1]
        '1. 5 *'
        """
        return self.server.calls.text(f"{self._path}/record", self.token)

    def report(self) -> Document:
        """The report on how each seat played and refereed, once the match has ended.

        >>> from ninefold import actions
        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect")).seats[1]
        >>> result = seat.act(actions.RESIGN)
        >>> [row["points"] for row in seat.report()["agents"]]
        [0.0, 1.0]
        """
        found: Document = self._get("/report")
        return found

    def refused(self) -> list[Document]:
        """The audit: the latest actions of the players that were refused, once the match has ended.

        >>> from ninefold import Refusal, actions
        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> result = seats[1].play("5")
        >>> try:
        ...     seats[2].play("5")
        ... except Refusal as refusal:
        ...     print(refusal.sentence)
        Cell 5 is taken by X.
        >>> result = seats[1].act(actions.RESIGN)
        >>> [attempt["reason"] for attempt in seats[1].refused()]
        ['taken']
        """
        found: list[Document] = self._get("/refused")["refused"]
        return found

    def events(self, after: int = -1) -> list[Document]:
        """The events after the one with an index.

        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> result = seats[1].play("5"), seats[2].play("1")
        >>> [event["seat"] for event in seats[1].events()]
        [1, 2]
        """
        found: list[Document] = self._get("/events" if after < 0 else f"/events?after={after}")["events"]
        return found

    def changes(self, after: int | None = None, *, views: bool = True) -> ChangeStream:
        """The changes from now on; with ``after``, also the events since the one with that index. Without ``views``
        events come alone, for those who know the rules.

        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> stream = seats[1].changes()
        >>> next(iter(stream)).view["version"]
        0
        >>> stream.close()
        """
        stream = ChangeStream(self.server.address, self.id, self.token, after, views=views)
        self.server.streams.add(stream)
        return stream

    def wait(self, version: int | None = None) -> Mapping[str, Any]:
        """The view, once the game has gone on from a version (that of the last view, if none is given).

        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("perfect", "human")).seats[2]
        >>> len(seat.wait(0)["history"])
        1
        >>> seat.close()
        """
        known = self._version() if version is None else version
        return self._wait_for(lambda view: view["version"] > known)

    def _wait_for(self, holds: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        """The first view for which something holds, or after which nothing can change."""
        if self._stream is None:
            self._stream = self.changes()
            self._changes = iter(self._stream)
        while not self._last_view or not (self._last_view["result"] or holds(self._last_view)):
            change = next(self._changes, None)
            if change is None:  # it was closed
                raise no_connection(self.server.address)
            if change.view and not self._is_outdated(change.view):
                self._last_view = change.view
        return self._last_view

    def _is_outdated(self, view: Mapping[str, Any]) -> bool:
        """True if something newer is known, by a request or an action of ours: the stream may lag behind."""
        return bool(self._last_view) and view["version"] < self._version()

    def close(self) -> None:
        """Close the server that this came from, with everything of it.

        >>> created = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect"))
        >>> match = watch(str(created.watch))
        >>> match.close()
        """
        self.server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _version(self) -> int:
        version: int = (self._last_view or self.view())["version"]
        return version

    def _get(self, what: str) -> Any:
        return self.server.calls.get(f"{self._path}{what}", self.token)


class RemoteSeat(RemoteMatch):
    """Your seat in a match on a server: everything that a player can do.

    >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
    >>> seats[1].play("5").version, seats[2].play("1").version
    (1, 2)
    """

    def __init__(self, server: Server, match: str, token: str, number: int) -> None:
        super().__init__(server, match, token)
        self.number = number

    @property
    def side(self) -> Side:
        """The side that this seat plays.

        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> seats[2].side.name
        'O'
        """
        return Side[(self._last_view or self.view())["seats"][self.number - 1]["side"]]

    def my_turn(self) -> Mapping[str, Any]:
        """The view, once this seat has to act, or once the game has ended.

        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("perfect", "human")).seats[2]
        >>> seat.my_turn()["asked"]
        2
        >>> seat.close()
        """
        return self._wait_for(lambda view: view["asked"] == self.number)

    def act(self, action: Action, version: int | None = None, *, typed: str = "") -> ActionResult:
        """Take an action, in the game as it was at a version (that of the last view, if none is given). A move may be
        given as players type it.

        >>> from ninefold import actions
        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> seats[1].act(actions.move(4)).version
        1
        """
        if action.kind not in UNVERSIONED and version is None:
            version = self._version()
        if isinstance(action.move, int):
            action = action._replace(move=self._path_of(action.move))
        return self._act(action_document(action, typed), version)

    def play(self, move: str, say: str = "") -> ActionResult:
        """Make a move, as players of the game type it.

        >>> seats = Server("http://127.0.0.1:8090").create("ultimate", ("human", "human")).seats
        >>> seats[1].play("55", say="good luck").version
        1
        """
        return self.act(Action("move", text=say), typed=move)

    def say(self, text: str) -> ActionResult:
        """Send a message to the opponent.

        >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
        >>> seats[2].say("good luck").events[0]["text"]
        'good luck'
        """
        return self.act(actions.say(text))

    def handover(self) -> Link:
        """A link that moves this seat to another device, once, within ten minutes; this one has no seat then.

        >>> server = Server("http://127.0.0.1:8090")
        >>> seat = server.create("classic", ("human", "perfect")).seats[1]
        >>> server.join(seat.handover()).number
        1
        """
        found = self._post("/handover", {"request": new_request()})
        return Link(self.server.address, self.id, "code", found["code"])

    def claim_absent(self) -> ActionResult:
        """Win against an opponent who has been disconnected for too long.

        >>> from ninefold import Refusal
        >>> server = Server("http://127.0.0.1:8090")
        >>> seats = server.create("classic", ("human", "human"), clock=(300, 0)).seats
        >>> try:
        ...     seats[1].claim_absent()
        ... except Refusal as refusal:
        ...     print(refusal.reason)
        not_absent
        """
        return self._result(self._post("/absent", {"request": new_request()}))

    def rematch(self) -> RemoteSeat:
        """The seat in the next match of the same players, in which the other one starts.

        >>> from ninefold import actions
        >>> seat = Server("http://127.0.0.1:8090").create("classic", ("human", "perfect")).seats[1]
        >>> result = seat.act(actions.RESIGN)
        >>> seat.rematch().side.name
        'O'
        """
        found = self._post("/rematch", {"request": new_request()})
        return RemoteSeat(self.server, found["match"], self.token or "", self.number)

    def _act(self, fields: Document, version: int | None) -> ActionResult:
        body = {"request": new_request(), "action": fields}
        return self._result(self._post("/actions", body if version is None else {**body, "version": version}))

    def _result(self, found: Document) -> ActionResult:
        if self._last_view and found["version"] > self._last_view["version"]:  # the rest of that view is outdated
            self._last_view = {**self._last_view, "version": found["version"], "asked": None}
        return ActionResult(found["version"], tuple(found["events"]), found["replayed"])

    def _path_of(self, move: int) -> Path:
        paths = find_game((self._last_view or self.view())["game"]).paths
        if not 0 <= move < len(paths):
            raise Unreadable("not_a_move.number", most=len(paths) - 1)
        return paths[move]

    def _post(self, what: str, body: Document) -> Document:
        return self.server.calls.post(f"{self._path}{what}", body, self.token)


class CreatedMatch(NamedTuple):
    """A new match: your seats, invitations to the open ones, and the link for spectators.

    >>> created = Server("http://127.0.0.1:8090").create("classic", ("human", "open"))
    >>> list(created.seats), list(created.invitations), created.watch.match == created.match
    ([1], [2], True)
    """

    match: str
    seats: dict[int, RemoteSeat]
    invitations: dict[int, Link]
    watch: Link


class ActionResult(NamedTuple):
    """The events that an action led to. ``replayed``: the server had taken it already, at an earlier request.

    >>> seats = Server("http://127.0.0.1:8090").create("classic", ("human", "human")).seats
    >>> result = seats[1].play("5")
    >>> result.version, len(result.events), result.replayed
    (1, 1, False)
    """

    version: int
    events: tuple[Document, ...]
    replayed: bool
