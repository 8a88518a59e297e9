"""Who may do what: every role at every door. A door without a row in these tables fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Route

from ninefold.server.http import websocket
from ninefold.server.http.app import create_app
from ninefold.server.http.config import Config
from ninefold.server.http.routes import router
from tests.support.http_server import API, Running, act, bearer, running

BAD = "0123456789abcdefghijklmnopqrstuv"
ROLES = ("nobody", "bad", "other", "X", "O", "spectator", "left")
PRIVACIES = ("public", "private")

# What each role is answered at a public and at a private match; "in" stands for being let in, whatever the rules say.
Answers = dict[str, dict[str, Any]]

READER: Answers = {
    "public": {"nobody": 200, "bad": 401, "other": 401, "X": 200, "O": 200, "spectator": 401, "left": 200},
    "private": {"nobody": 404, "bad": 404, "other": 404, "X": 200, "O": 200, "spectator": 200, "left": 200},
}
SEAT: Answers = {
    "public": {"nobody": 401, "bad": 401, "other": 401, "X": "in", "O": "in", "spectator": 401, "left": 410},
    "private": {"nobody": 404, "bad": 404, "other": 404, "X": "in", "O": "in", "spectator": 403, "left": 410},
}
# While a game goes on nobody is told what was refused or what was missed; who has left did so in one that has ended.
ONCE_ENDED = {
    privacy: {role: 409 if answer == 200 and role != "left" else answer for role, answer in roles.items()}
    for privacy, roles in READER.items()
}
# Who has left may do nothing more in that match, and may still want another one.
LEFT_TOO = {privacy: roles | {"left": "in"} for privacy, roles in SEAT.items()}
JOIN = {"public": dict.fromkeys(ROLES, 409), "private": dict.fromkeys(ROLES, 404)}  # no seat is open here
ALL = {privacy: dict.fromkeys(ROLES, 200) for privacy in PRIVACIES}

MATCH = API + "/matches/{match}"
FILE = "favicon.svg"
RECORD = '[Game "classic"]\n\n1. 5 *\n'
CREATE = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}]}


class Door(NamedTuple):
    method: str
    path: str
    answers: Answers
    body: dict[str, Any] | None = None


DOORS = (
    Door("GET", API + "/openapi.json", ALL),
    Door("GET", API + "/games", ALL),
    Door("POST", API + "/matches", {privacy: dict.fromkeys(ROLES, 201) for privacy in PRIVACIES}, CREATE),
    Door("GET", API + "/matches", ALL),
    Door("GET", MATCH, READER),
    Door("POST", MATCH + "/join", JOIN, {}),
    Door("POST", MATCH + "/actions", SEAT, {"request": "say", "action": {"kind": "say", "text": "hello"}}),
    Door("POST", MATCH + "/handover", SEAT, {"request": "carry"}),
    Door("POST", MATCH + "/absent", LEFT_TOO, {"request": "absent"}),
    Door("POST", MATCH + "/rematch", LEFT_TOO, {"request": "again"}),
    Door("GET", MATCH + "/events", READER),
    Door("GET", MATCH + "/refused", ONCE_ENDED),
    Door("GET", MATCH + "/report", ONCE_ENDED),
    Door("GET", MATCH + "/log", READER),
    Door("GET", MATCH + "/record", READER),
    Door("GET", MATCH + "/board.svg", READER),
    Door("POST", API + "/records", ALL, {"text": RECORD}),
    Door("POST", API + "/analysis", ALL, {"game": "classic", "position": "X../.O./... X"}),
    Door("GET", "/healthz", ALL),
    Door("GET", "/", ALL),
    Door("GET", "/m/{match}", ALL),
    Door("GET", "/review", ALL),
    Door("GET", "/favicon.svg", ALL),
    Door("GET", "/favicon.ico", ALL),
    Door("GET", "/static/{file:path}", ALL),
)
MESSAGES: dict[str, dict[str, Any]] = {
    "hello": {"type": "hello"},
    "act": act("say", None, kind="say", text="hello"),
    "ping": {"type": "ping"},
}


class SeatRequest(NamedTuple):
    """A match and the token of every role; who left did so in a match of his own."""

    match: str
    tokens: dict[str, str | None]
    left: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("access")) as server:
        yield server


@pytest.fixture(scope="module")
def places(server: Running) -> dict[str, SeatRequest]:
    return {privacy: _place(server, privacy == "private") for privacy in PRIVACIES}


def _place(server: Running, private: bool) -> SeatRequest:
    match, other, left = (server.create(private=private) for _ in range(3))
    leave = {"request": "go", "action": {"kind": "leave"}}
    assert server.post(f"/matches/{left['match']}/actions", leave, left["seats"]["1"]).status_code == 200
    watch = match["watch"] or server.create(private=True)["watch"]
    tokens = {
        "nobody": None, "bad": BAD, "other": other["seats"]["1"], "X": match["seats"]["1"], "O": match["seats"]["2"],
        "spectator": watch, "left": left["seats"]["1"],
    }  # fmt: skip
    return SeatRequest(match["match"], tokens, left["match"])


def allowed(status: int, expected: int | str) -> bool:
    return status in (200, 409) if expected == "in" else status == expected


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("privacy", PRIVACIES)
@pytest.mark.parametrize("door", DOORS, ids=lambda door: f"{door.method} {door.path}")
def test_every_role_at_every_door(
    server: Running, places: dict[str, SeatRequest], door: Door, privacy: str, role: str
) -> None:
    place = places[privacy]
    path = door.path.replace("{match}", place.left if role == "left" else place.match).replace("{file:path}", FILE)
    answer = server.http.request(door.method, path, headers=bearer(place.tokens[role]), json=door.body)
    assert allowed(answer.status_code, door.answers[privacy][role]), answer.text
    if answer.status_code in (401, 403, 404):
        assert place.match not in answer.text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("privacy", PRIVACIES)
@pytest.mark.parametrize("message", MESSAGES)
def test_every_role_with_every_message(
    server: Running, places: dict[str, SeatRequest], message: str, privacy: str, role: str
) -> None:
    place = places[privacy]
    token = place.tokens[role]
    with server.socket(place.left if role == "left" else place.match) as talking:
        talking.say({"type": "hello"} | ({"token": token} if token else {}))
        welcome = talking.hear("welcome", "refused")
        if READER[privacy][role] != 200:
            assert welcome["status"] == READER[privacy][role]
            assert talking.code() == 1008
            return
        assert welcome["role"] == {"X": "1", "O": "2", "left": "1"}.get(role, "spectator")
        if message == "ping":
            talking.say(MESSAGES["ping"])
            assert talking.hear("pong")
        if message == "act":
            answer = talking.ask(MESSAGES["act"])
            assert allowed(answer.get("status", 200), SEAT[privacy][role])


def test_a_socket_takes_no_other_messages() -> None:
    assert set(MESSAGES) == set(websocket._MODELS)


def test_every_door_of_the_app_has_its_row(tmp_path: Path) -> None:
    routes = [*create_app(Config(tmp_path)).routes, *router.routes]
    doors = {
        (method, route.path)
        for route in routes
        if isinstance(route, APIRoute | Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert doors == {(door.method, door.path) for door in DOORS}
    assert [route.path for route in routes if isinstance(route, APIWebSocketRoute)] == [MATCH + "/socket"]


@pytest.mark.parametrize("path", ["/", "/m/0123456789abcdef", "/review"])
def test_each_page_is_its_own_and_all_that_it_names_is_there(server: Running, path: str) -> None:
    page = server.http.get(path).text
    assert {"/": "Choose a game", "/review": "Open a record"}.get(path, "Opening the match") in page
    named = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert len(named) > 2
    for file in named:
        assert server.http.get(file).status_code == 200


def test_no_file_but_those_of_the_client_is_served(server: Running) -> None:
    for file in ("x", "../app.py", "..%2fapp.py", "%2e%2e/app.py", ""):
        assert server.http.get(f"/static/{file}").status_code == 404


def test_nothing_of_a_private_match_is_in_the_list(server: Running, places: dict[str, SeatRequest]) -> None:
    for state in ("open", "live"):
        listed = server.get(f"/matches?state={state}")
        assert listed.status_code == 200
        assert places["private"].match not in listed.text


def test_no_view_has_a_token(server: Running, places: dict[str, SeatRequest]) -> None:
    for place in places.values():
        for path in ("", "/events", "/log", "/record", "/board.svg"):
            for role in ("X", "O"):
                text = server.get(f"/matches/{place.match}{path}", place.tokens[role]).text
                assert [token for token in place.tokens.values() if token and token in text] == []


def test_a_seat_cannot_move_for_the_other(server: Running) -> None:
    match = server.create()
    answer = server.move(match["match"], match["seats"]["2"], 0, "5")
    assert (answer.status_code, answer.json()["reason"]) == (409, "not_your_turn")
