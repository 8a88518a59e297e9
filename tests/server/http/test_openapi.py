"""The OpenAPI document: everything that it allows, and much that it does not, gets a response that it describes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.hosting.view import MatchView
from ninefold.server.http import models
from ninefold.server.http.app import create_app
from ninefold.server.http.config import Config, Limits, Rate
from ninefold.server.http.models import model_of
from tests.support.http_server import Running, act, bearer, running
from tests.support.waiting import PATIENCE

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
    unsupported_method,
    allow_header_conformance,
]
schema = schemathesis.openapi.from_dict(create_app(Config(Path("unused"))).openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("schema")) as server:
        yield server


@pytest.fixture(scope="module")
def matches(server: Running) -> Iterator[tuple[str, str | None]]:
    """Matches and tokens, in turn: with random ones almost everything would be not found."""
    games = [server.create(game) for game in ("classic", "agents", "squared", "swap-nine")]
    for game, move in zip(games, ("5", "[1,1]", "55", "5"), strict=True):
        token = game["seats"]["2" if game is games[1] else "1"]
        assert server.move(game["match"], token, 0, move).status_code == 200
    games.append(server.create("agents", "human", "open", private=True, clock={"initial_seconds": 300}))
    ended = server.create()
    server.post(
        f"/matches/{ended['match']}/actions", {"request": "r", "action": {"kind": "resign"}}, ended["seats"]["1"]
    )
    games.append(ended)
    return cycle([(game["match"], token) for game in games for token in (*game["seats"].values(), None)])


def described(document: type, value: Any) -> Any:
    """A value, if it is what the OpenAPI document says."""
    return TypeAdapter(model_of(document)).validate_python(value)


def test_everything_that_a_view_can_hold_is_described(server: Running) -> None:
    match = server.create("agents", clock={"initial_seconds": 300}, first="X")
    path, tokens = f"/matches/{match['match']}", match["seats"]

    def act(seat: str, version: int, **action: object) -> None:
        answer = server.post(
            f"{path}/actions", {"request": f"{version}", "version": version, "action": action}, tokens[seat]
        )
        described(models.ActedDoc, answer.json())

    act("1", 0, kind="move", move="[1,1]", text="good luck")
    act("2", 1, kind="offer", text="draw")
    for version, action in ((2, {"kind": "claim", "cells": [0, 4, 8]}), (3, {"kind": "dispute", "text": "no"})):
        view = described(MatchView, server.get(path).json())
        assert view["offer"] if version == 2 else view["claim"]
        act("1" if version == 2 else "2", version, **action)
    view = described(MatchView, server.get(path).json())
    assert all((view["said"], view["clock"], view["claim"]["answer"]))
    described(models.MatchPageDoc, server.get("/matches?state=live").json())
    described(models.EventsDoc, server.get(f"{path}/events").json())
    for move in ("[1,1]", [0, 0, 0]):
        tried = {"request": "x", "version": 5, "action": {"kind": "move", "move": move, "cells": [0, 1, 2]}}
        assert server.post(f"{path}/actions", tried, tokens["2"]).status_code in (409, 422)
    server.post(f"{path}/actions", {"request": "end", "action": {"kind": "resign"}}, tokens["1"])
    described(models.ReportDoc, server.get(f"{path}/report").json())
    refused = described(models.RefusedAttemptsDoc, server.get(f"{path}/refused").json())["refused"]
    assert [(one["seat"], one.get("text"), one.get("move"), one["cells"]) for one in refused] == [
        (2, "[1,1]", None, [0, 1, 2]),
        (2, None, [0, 0, 0], [0, 1, 2]),
    ]


def test_everything_that_a_problem_can_hold_is_described(tmp_path: Path) -> None:
    with running(tmp_path, Limits(writes=Rate(0.01, 15)), lambda: 0.0) as server:
        match = server.create()
        path, token = f"/matches/{match['match']}", match["seats"]["1"]
        stale = {"request": "r", "version": 7, "action": {"kind": "move", "move": "5"}}
        problems = [
            server.post(f"{path}/actions", stale, token),
            server.post(f"{path}/actions", {}, token),
            server.post(f"{path}/actions", {**stale, "version": 0, "action": {"kind": "move", "move": "0"}}, token),
            server.post(f"{path}/absent", {"request": "r"}, match["seats"]["2"]),
            server.post(f"{path}/absent", {"request": "r"}, match["seats"]["2"]),
            server.post(f"{path}/absent", {"request": "r"}, match["seats"]["2"]),
        ]
    documents = [described(models.ProblemDoc, problem.json()) for problem in problems]
    for name, document in zip(("match", "errors", "moves", "until", "until", "retry_after"), documents, strict=True):
        assert document[name]


def test_the_messages_of_the_socket_are_described(server: Running) -> None:
    match = server.create()
    client, welcome = server.welcome(match["match"], match["seats"]["1"], after=-1)
    with client:
        answer = client.ask(act("m1", 0, kind="move", move="5"))
        events = client.receive_events()
        refused = client.ask(act("m2", 0, kind="move", move="1"))
        client.send({"type": "ping"})
        pong = client.receive("pong")
        client.send({"type": "nothing"})
        unreadable = client.receive("refused")
        other, _ = server.welcome(match["match"], match["seats"]["2"])
        with other:
            presence = client.receive("presence")
    any_message: TypeAdapter[Any] = TypeAdapter(models.server_message())
    messages = [welcome, answer, events, refused, pong, unreadable, presence]
    for message in messages:
        any_message.validate_python(message)
    types = ["welcome", "answer", "events", "refused", "pong", "refused", "presence"]
    assert [message["type"] for message in messages] == types


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_response_is_one_that_the_document_describes(
    case: schemathesis.Case[Any], server: Running, matches: Iterator[tuple[str, str | None]]
) -> None:
    match, token = next(matches)
    allowed = case.meta is None or case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE
    if case.path_parameters and allowed:  # what breaks the rules has to be refused as it is
        case.path_parameters["match"] = match
        case.headers.update(bearer(token))
    case.call_and_validate(base_url=f"http://127.0.0.1:{server.port}", checks=CHECKS)


def test_descriptions_come_from_the_docstrings_of_the_documents() -> None:
    schemas = create_app(Config(Path("unused"))).openapi()["components"]["schemas"]
    assert schemas["MatchView"]["description"] == "A match as its reader sees it."
    assert schemas["MatchView"]["properties"]["version"]["description"] == "Counts the events that change the game."
    assert schemas["MatchView"]["additionalProperties"] is False
    assert "owners" not in schemas["BoardDoc"]["required"]


def test_the_request_for_a_match_has_the_defaults_of_hosting() -> None:
    properties = create_app(Config(Path("unused"))).openapi()["components"]["schemas"]["MatchBody"]["properties"]
    defaults = {name: field["default"] for name, field in properties.items() if "default" in field}
    assert {"claim_seconds", "absent_seconds", "show_moves", "sides", "private"} <= defaults.keys()
    assert defaults == {name: MatchRequest._field_defaults[name] for name in defaults}


def test_a_start_reads_no_source() -> None:
    """The texts of the OpenAPI document come from the source of classes: they are read when somebody asks for it."""
    code = (
        "import inspect\n"
        "inspect.getsource = None\n"
        "from pathlib import Path\n"
        "from ninefold.server.http.app import create_app\n"
        "from ninefold.server.http.config import Config\n"
        "create_app(Config(Path('unused')))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
