"""Servers, matches that are watched, and seats that are played from."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self
from weakref import WeakSet

from ninefold.client.http import Calls, Document, no_connection
from ninefold.client.links import INVITATION, TO_WATCH, Link, read_address, read_link
from ninefold.client.socket import Changes
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import UNVERSIONED, Action
from ninefold.match.log import read_log
from ninefold.match.match import Match

PATIENCE = 30.0


def new_request() -> str:
    """A name for a write: sent again under the same name, it is done once."""
    return secrets.token_hex(16)  # of a join, whoever guesses it gets the seat


def _nothing() -> None:
    pass


class Server:
    """One server. A call whose connection breaks is made again, for ``patience`` seconds; the server does it once.

    From one thread at a time; a Changes may be iterated in another.
    """

    def __init__(self, url: str, *, patience: float = PATIENCE, on_trouble: Callable[[], None] = _nothing) -> None:
        self.address = read_address(url)
        self.calls = Calls(self.address, patience=patience, on_trouble=on_trouble)
        self.listening: WeakSet[Changes] = WeakSet()

    def games(self) -> list[Document]:
        """The games there are, with their options, levels and words."""
        found: list[Document] = self.calls.get("/games")
        return found

    def matches(self, state: str = "open") -> list[Document]:
        """Public matches that are open or live, the newest first."""
        found: list[Document] = self.calls.get(f"/matches?state={state}")["matches"]
        return found

    def create(
        self,
        game: str,
        players: tuple[str, str] = ("human", "open"),
        *,
        names: tuple[str, str] = ("", ""),
        options: Mapping[str, str] | None = None,
        private: bool = False,
        clock: tuple[int, int] | None = None,
        **more: object,
    ) -> Created:
        """A new match. Players are human (you), open, or a level of the computer; a clock is in seconds, with its
        increment. ``more`` is as the protocol has it: sides, first, claim_seconds, absent_seconds,
        show_moves, seed."""
        places = [{"player": player, "name": name} for player, name in zip(players, names, strict=True)]
        body = {"game": game, "seats": places, "options": dict(options or {}), "private": private, **more}
        if clock:
            body["clock"] = {"initial_seconds": clock[0], "increment_seconds": clock[1]}
        return self._created(self.calls.post("/matches", {**body, "request": new_request()}))

    def _created(self, found: Document) -> Created:
        match = found["match"]
        return Created(
            match,
            {int(seat): Seat(self, match, token, int(seat)) for seat, token in found["seats"].items()},
            {int(seat): Link(self.address, match, "invite", one) for seat, one in found["invitations"].items()},
            Link(self.address, match, "watch", found["watch"]) if found["watch"] else Link(self.address, match),
        )

    def join(self, link: str | Link, name: str = "", *, request: str = "") -> Seat:
        """Take the seat that a link opens; without a secret, an open seat of a public match."""
        to = self._mine(link)
        if to.kind == "watch":
            raise NotAllowed("only_watching", "This link is for watching.", "Ask for an invitation.")
        secret = {"invite": {"invitation": to.secret}, "code": {"code": to.secret}}.get(to.kind, {})
        body = {**secret, "name": name, "request": request or new_request()}
        found = self.calls.post(f"/matches/{to.match}/join", body)
        return Seat(self, to.match, found["token"], found["seat"])

    def watch(self, link: str | Link) -> Watch:
        """A match to look at; a private one needs the link for watching."""
        to = self._mine(link, TO_WATCH)
        return Watch(self, to.match, to.secret if to.kind == "watch" else None)

    def _mine(self, link: str | Link, example: str = INVITATION) -> Link:
        to = link if isinstance(link, Link) else read_link(link, self.address, example)
        if to.server != self.address:
            raise NotAllowed("another_server", f"This link leads to {to.server}.", f"This is {self.address}.")
        return to

    def close(self) -> None:
        """Close what is open, also the sockets of matches that came from here. Calls may be made all the same."""
        for changes in list(self.listening):
            changes.close()
        self.calls.close()


def join(link: str, name: str = "") -> Seat:
    """Take the seat that a link opens."""
    server = Server(read_link(link).server)
    try:
        return server.join(link, name)
    except Refusal:
        server.close()
        raise


def watch(link: str) -> Watch:
    return Server(read_link(link, example=TO_WATCH).server).watch(link)


class Watch:
    """A match as somebody who may read it sees it."""

    def __init__(self, server: Server, match: str, token: str | None) -> None:
        self.server, self.id, self.token = server, match, token
        self._path = f"/matches/{match}"
        self._changes: Changes | None = None
        self._seen: Mapping[str, Any] = {}

    def view(self) -> Mapping[str, Any]:
        """The match as it is now; docs/protocol.md has every field."""
        self._seen = self._get("")
        return self._seen

    def match(self) -> Match:
        """The match itself, rebuilt here from its log."""
        return read_log(self.server.calls.text(f"{self._path}/log", self.token))

    def record(self) -> str:
        return self.server.calls.text(f"{self._path}/record", self.token)

    def report(self) -> Document:
        """How each seat of a match that is over played and refereed."""
        found: Document = self._get("/report")
        return found

    def events(self, after: int = -1) -> list[Document]:
        """What happened, after the event with an index."""
        found: list[Document] = self._get("/events" if after < 0 else f"/events?after={after}")["events"]
        return found

    def changes(self, after: int | None = None) -> Changes:
        """What happens from now on; with ``after``, also the events since the one with that index."""
        changes = Changes(self.server.address, self.id, self.token, after)
        self.server.listening.add(changes)
        return changes

    def wait(self, version: int | None = None) -> Mapping[str, Any]:
        """The view, once the game has gone on from a version (that of the last view, when none is given)."""
        known = self._version() if version is None else version
        return self._wait_for(lambda view: view["version"] > known)

    def _wait_for(self, is_there: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        """The first view of which something is true, or after which nothing more can come."""
        if self._changes is None:
            self._changes = self.changes()
            self._coming = iter(self._changes)
        while not self._seen or not (self._seen["result"] or is_there(self._seen)):
            change = next(self._coming, None)
            if change is None:  # it was closed
                raise no_connection(self.server.address)
            self._seen = change.view or self._seen
        return self._seen

    def close(self) -> None:
        """Close the server that this came from, with everything of it."""
        self.server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _version(self) -> int:
        version: int = (self._seen or self.view())["version"]
        return version

    def _get(self, what: str) -> Any:
        return self.server.calls.get(f"{self._path}{what}", self.token)


class Seat(Watch):
    """A seat of yours: everything that a player can do."""

    def __init__(self, server: Server, match: str, token: str, number: int) -> None:
        super().__init__(server, match, token)
        self.number = number

    @property
    def side(self) -> Side:
        return Side[(self._seen or self.view())["seats"][self.number - 1]["side"]]

    def my_turn(self) -> Mapping[str, Any]:
        """The view, once this seat is asked to act, or once the game has ended."""
        return self._wait_for(lambda view: view["asked"] == self.number)

    def act(self, action: Action, version: int | None = None, *, typed: str = "") -> Acted:
        """Do something, in the game as it was at a version (that of the last view, when none is given). A move may be
        given as players type it."""
        if action.kind not in UNVERSIONED and version is None:
            version = self._version()
        return self._act(self._fields(action) | ({"move": typed} if typed else {}), version)

    def play(self, move: str, say: str = "") -> Acted:
        """Make a move, as players of the game type it."""
        return self._act({"kind": "move", "move": move} | ({"text": say} if say else {}), self._version())

    def say(self, text: str) -> Acted:
        return self.act(actions.say(text))

    def handover(self) -> Link:
        """A link that carries this seat to another device, once, within ten minutes; this one is then over."""
        found = self._post("/handover", {"request": new_request()})
        return Link(self.server.address, self.id, "code", found["code"])

    def claim_absent(self) -> Acted:
        """Win against an opponent who has gone for too long."""
        return self._acted(self._post("/absent", {"request": new_request()}))

    def rematch(self) -> Seat:
        """The same players once more, with sides swapped."""
        found = self._post("/rematch", {"request": new_request()})
        return Seat(self.server, found["match"], self.token or "", self.number)

    def _act(self, fields: Document, version: int | None) -> Acted:
        body = {"request": new_request(), "action": fields}
        return self._acted(self._post("/actions", body if version is None else {**body, "version": version}))

    def _acted(self, found: Document) -> Acted:
        if self._seen and found["version"] > self._seen["version"]:  # the rest of that view is over
            self._seen = {**self._seen, "version": found["version"], "asked": None}
        return Acted(found["version"], tuple(found["events"]), found["replayed"])

    def _fields(self, action: Action) -> Document:
        fields: Document = {"kind": action.kind}
        if action.move is not None:
            fields["move"] = list(self._path_of(action.move))
        if action.cells is not None:
            fields["cells"] = list(action.cells)
        return fields | ({"text": action.text} if action.text else {})

    def _path_of(self, move: int | tuple[int, ...]) -> tuple[int, ...]:
        if isinstance(move, tuple):
            return move
        paths = find_game((self._seen or self.view())["game"]).paths
        if not 0 <= move < len(paths):
            raise Unreadable("not_a_move", "There is no such move.", f"Moves are numbers from 0 to {len(paths) - 1}.")
        return paths[move]

    def _post(self, what: str, body: Document) -> Document:
        return self.server.calls.post(f"{self._path}{what}", body, self.token)


class Created(NamedTuple):
    """A new match: your seats, invitations to the open ones, and the link for spectators."""

    match: str
    seats: dict[int, Seat]
    invitations: dict[int, Link]
    watch: Link


class Acted(NamedTuple):
    """What an action became. ``replayed``: the server had done it already, when it was asked first."""

    version: int
    events: tuple[Document, ...]
    replayed: bool
