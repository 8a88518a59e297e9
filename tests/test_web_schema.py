"""Everything that the API's own document allows, and much that it does not: no crash, no answer it does not tell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
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

from ninefold.web.app import create_app
from ninefold.web.config import Config
from web_server import Running, bearer, running

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
def doors(server: Running) -> Iterator[tuple[str, str | None]]:
    """Matches and tokens, in turn: most made-up ones would only ever be told that they do not exist."""
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


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_document_tells(
    case: schemathesis.Case[Any], server: Running, doors: Iterator[tuple[str, str | None]]
) -> None:
    match, token = next(doors)
    allowed = case.meta is None or case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE
    if case.path_parameters and allowed:  # what breaks the rules has to be refused as it is
        case.path_parameters["match"] = match
        case.headers.update(bearer(token))
    case.call_and_validate(base_url=f"http://127.0.0.1:{server.port}", checks=CHECKS)
