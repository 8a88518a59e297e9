"""Authorization: every role at every route. A route without a row in these tables fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Route

from ninefold.server.http.app import create_app
from ninefold.server.http.config import Config
from ninefold.server.http.requests import MESSAGES as SOCKET_MESSAGES
from ninefold.server.http.static_files import STATIC, digest_of
from tests.support.http_server import API, Running, act, bearer, running

BAD = "0123456789abcdefghijklmnopqrstuv"
ROLES = ("nobody", "bad", "other", "X", "O", "spectator", "left")
PRIVACIES = ("public", "private")

# The status for each role at a public and at a private match; "in": allowed, whatever the rules say to the action.
Statuses = dict[str, dict[str, Any]]

READER: Statuses = {
    "public": {"nobody": 200, "bad": 401, "other": 401, "X": 200, "O": 200, "spectator": 401, "left": 200},
    "private": {"nobody": 404, "bad": 404, "other": 404, "X": 200, "O": 200, "spectator": 200, "left": 200},
}
SEAT: Statuses = {
    "public": {"nobody": 401, "bad": 401, "other": 401, "X": "in", "O": "in", "spectator": 401, "left": 410},
    "private": {"nobody": 404, "bad": 404, "other": 404, "X": "in", "O": "in", "spectator": 403, "left": 410},
}
# The audit and the report are only for ended matches; a match that somebody has left has ended.
ONCE_ENDED = {
    privacy: {role: 409 if answer == 200 and role != "left" else answer for role, answer in roles.items()}
    for privacy, roles in READER.items()
}
# A player who has left can do nothing more in that match, and may still want a rematch.
LEFT_TOO = {privacy: roles | {"left": "in"} for privacy, roles in SEAT.items()}
INVITED = {"public": dict.fromkeys(ROLES, 403), "private": dict.fromkeys(ROLES, 404)}  # to no seat
# The page of a game is there once it has ended; of a private one with a key of its own, whatever the token.
SHARED: Statuses = {
    "public": {role: 200 if role == "left" else 409 for role in ROLES},
    "private": dict.fromkeys(ROLES, 404),
}
ALL = {privacy: dict.fromkeys(ROLES, 200) for privacy in PRIVACIES}


def _without_key(status: int, privacy_status: int | None = None) -> Statuses:
    """For routes that take the key of a profile: the token of a seat is none."""
    public, private = status, privacy_status or status
    with_token = dict.fromkeys(ROLES[1:], 401)
    return {"public": {"nobody": public, **with_token}, "private": {"nobody": private, **with_token}}


NEEDS_KEY = _without_key(401)
NOT_FOUND = {privacy: dict.fromkeys(ROLES, 404) for privacy in PRIVACIES}
NAMELESS = {privacy: {"nobody": 401, **dict.fromkeys(ROLES[1:], 409)} for privacy in PRIVACIES}

MATCH = API + "/matches/{match}"
FILE = f"{digest_of(STATIC)}/favicon.svg"
RECORD = '[Game "classic"]\n\n1. 5 *\n'
CREATE = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}]}


class RouteRow(NamedTuple):
    method: str
    path: str
    statuses: Statuses
    body: dict[str, Any] | None = None


ROUTES = (
    RouteRow("GET", API + "/openapi.json", ALL),
    RouteRow("GET", API + "/games", ALL),
    RouteRow("POST", API + "/matches", _without_key(201), CREATE),
    RouteRow("GET", API + "/matches", ALL),
    RouteRow("GET", MATCH, READER),
    RouteRow("POST", MATCH + "/join", _without_key(409, 404), {}),  # no seat is open here
    RouteRow("POST", MATCH + "/invitation", INVITED, {"invitation": BAD}),
    RouteRow("POST", MATCH + "/actions", SEAT, {"request": "say", "action": {"kind": "say", "text": "hello"}}),
    RouteRow("POST", MATCH + "/handover", SEAT, {"request": "carry"}),
    RouteRow("POST", MATCH + "/absent", LEFT_TOO, {"request": "absent"}),
    RouteRow("POST", MATCH + "/rematch", LEFT_TOO, {"request": "again"}),
    RouteRow("POST", MATCH + "/arrive", LEFT_TOO, {"request": "arrive"}),
    RouteRow("POST", API + "/pairings", _without_key(200), {"game": "classic"}),
    RouteRow("POST", MATCH + "/reports", LEFT_TOO, {"reason": "chat"}),
    RouteRow("GET", API + "/profile", NEEDS_KEY),
    # A token would do as a key, but nobody is made without a name.
    RouteRow("PUT", API + "/profile", NAMELESS, {"name": ""}),
    RouteRow("DELETE", API + "/profile", NEEDS_KEY),
    RouteRow("GET", API + "/profile/matches", NEEDS_KEY),
    RouteRow("GET", API + "/profile/matches/{match}", NEEDS_KEY),
    RouteRow("GET", API + "/profile/export", NEEDS_KEY),
    RouteRow("GET", API + "/profile/blocks", NEEDS_KEY),
    RouteRow("POST", API + "/profile/blocks", NEEDS_KEY, {"match": "0123456789abcdef"}),
    RouteRow("DELETE", API + "/profile/blocks/{profile}", NEEDS_KEY),
    RouteRow("GET", API + "/profiles/{profile}", NOT_FOUND),
    RouteRow("GET", API + "/profiles/{profile}/matches", NOT_FOUND),
    RouteRow("GET", MATCH + "/share", ONCE_ENDED),
    RouteRow("GET", MATCH + "/events", READER),
    RouteRow("GET", MATCH + "/refused", ONCE_ENDED),
    RouteRow("GET", MATCH + "/report", ONCE_ENDED),
    RouteRow("GET", MATCH + "/log", READER),
    RouteRow("GET", MATCH + "/record", READER),
    RouteRow("GET", MATCH + "/board.svg", READER),
    RouteRow("POST", API + "/records", ALL, {"text": RECORD}),
    RouteRow("POST", API + "/analysis", ALL, {"game": "classic", "position": "X../.O./... X"}),
    RouteRow("POST", API + "/positions", ALL, {"game": "classic"}),
    RouteRow("GET", API + "/puzzles", ALL),
    RouteRow("GET", API + "/puzzles/today", ALL),
    RouteRow("GET", API + "/puzzles/{puzzle}", ALL),
    RouteRow("GET", API + "/lessons/{game}", ALL),
    RouteRow("GET", MATCH + "/hint", LEFT_TOO),
    RouteRow("GET", "/healthz", ALL),
    RouteRow("GET", "/", ALL),
    RouteRow("GET", "/m/{match}", ALL),
    RouteRow("GET", "/review", ALL),
    RouteRow("GET", "/puzzle", ALL),
    RouteRow("GET", "/learn", ALL),
    RouteRow("GET", "/service-worker.js", ALL),
    RouteRow("GET", "/manifest.webmanifest", ALL),
    RouteRow("GET", "/profile", ALL),
    RouteRow("GET", "/p/{profile}", ALL),
    RouteRow("GET", "/favicon.svg", ALL),
    RouteRow("GET", "/favicon.ico", ALL),
    RouteRow("GET", "/static/{file:path}", ALL),
    RouteRow("GET", "/g/{key}", SHARED),
    *(
        RouteRow("GET", f"/g/{{key}}/{part}", SHARED)
        for part in ("embed", "positions", "board.png", "game.gif", "record", "log")
    ),
)
MESSAGES: dict[str, dict[str, Any]] = {
    "hello": {"type": "hello"},
    "act": act("say", None, kind="say", text="hello"),
    "ping": {"type": "ping"},
}


class MatchOfRoles(NamedTuple):
    """A match and the token of every role; the one who left did so in another match."""

    match: str
    tokens: dict[str, str | None]
    left: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("access"), plain_modules=True) as server:
        yield server


@pytest.fixture(scope="module")
def matches(server: Running) -> dict[str, MatchOfRoles]:
    return {privacy: _match_of_roles(server, privacy == "private") for privacy in PRIVACIES}


def _match_of_roles(server: Running, private: bool) -> MatchOfRoles:
    match, other, left = (server.create(private=private) for _ in range(3))
    leave = {"request": "go", "action": {"kind": "leave"}}
    assert server.post(f"/matches/{left['match']}/actions", leave, left["seats"]["1"]).status_code == 200
    watch = match["watch"] or server.create(private=True)["watch"]
    tokens = {
        "nobody": None, "bad": BAD, "other": other["seats"]["1"], "X": match["seats"]["1"], "O": match["seats"]["2"],
        "spectator": watch, "left": left["seats"]["1"],
    }  # fmt: skip
    return MatchOfRoles(match["match"], tokens, left["match"])


def allowed(status: int, expected: int | str) -> bool:
    return status in (200, 409) if expected == "in" else status == expected


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("privacy", PRIVACIES)
@pytest.mark.parametrize("row", ROUTES, ids=lambda row: f"{row.method} {row.path}")
def test_every_role_at_every_route(
    server: Running, matches: dict[str, MatchOfRoles], row: RouteRow, privacy: str, role: str
) -> None:
    tested = matches[privacy]
    match = tested.left if role == "left" else tested.match
    path = row.path.replace("{match}", match).replace("{key}", match).replace("{file:path}", FILE)
    path = path.replace("{puzzle}", "classic-1").replace("{game}", "classic").replace("{profile}", "0" * 32)
    answer = server.http.request(row.method, path, headers=bearer(tested.tokens[role]), json=row.body)
    assert allowed(answer.status_code, row.statuses[privacy][role]), answer.text
    if answer.status_code in (401, 403, 404):
        assert tested.match not in answer.text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("privacy", PRIVACIES)
@pytest.mark.parametrize("message", MESSAGES)
def test_every_role_with_every_message(
    server: Running, matches: dict[str, MatchOfRoles], message: str, privacy: str, role: str
) -> None:
    tested = matches[privacy]
    token = tested.tokens[role]
    with server.socket(tested.left if role == "left" else tested.match) as client:
        client.send({"type": "hello"} | ({"token": token} if token else {}))
        welcome = client.receive("welcome", "refused")
        if READER[privacy][role] != 200:
            assert welcome["status"] == READER[privacy][role]
            assert client.close_code() == 1008
            return
        assert welcome["role"] == {"X": "1", "O": "2", "left": "1"}.get(role, "spectator")
        if message == "ping":
            client.send(MESSAGES["ping"])
            assert client.receive("pong")
        if message == "act":
            answer = client.ask(MESSAGES["act"])
            assert allowed(answer.get("status", 200), SEAT[privacy][role])


def test_a_socket_accepts_no_other_messages() -> None:
    assert set(MESSAGES) == set(SOCKET_MESSAGES)


def test_every_route_of_the_app_has_its_row(tmp_path: Path) -> None:
    routes = create_app(Config(tmp_path)).routes
    found = {
        (method, route.path)
        for route in routes
        if isinstance(route, APIRoute | Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert found == {(row.method, row.path) for row in ROUTES}
    assert [route.path for route in routes if isinstance(route, APIWebSocketRoute)] == [MATCH + "/socket"]


def test_private_matches_are_not_listed(server: Running, matches: dict[str, MatchOfRoles]) -> None:
    for state in ("open", "live"):
        listed = server.get(f"/matches?state={state}")
        assert listed.status_code == 200
        assert matches["private"].match not in listed.text


def test_no_response_holds_a_token(server: Running, matches: dict[str, MatchOfRoles]) -> None:
    for tested in matches.values():
        for path in ("", "/events", "/log", "/record", "/board.svg"):
            for role in ("X", "O"):
                text = server.get(f"/matches/{tested.match}{path}", tested.tokens[role]).text
                assert [token for token in tested.tokens.values() if token and token in text] == []


def test_a_seat_cannot_move_for_the_other_seat(server: Running) -> None:
    match = server.create()
    answer = server.move(match["match"], match["seats"]["2"], 0, "5")
    assert (answer.status_code, answer.json()["reason"]) == (409, "not_your_turn")
