"""Refusals are problem documents with a status and a reason, and repeat nothing secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ninefold.core.errors import IllegalMove, NotAllowed, Unreadable
from ninefold.server.http.errors import invalid, problem_document, problem_response, status_of
from tests.support.http_server import API, Running, running
from tests.support.refused_moves import EVERY_REFUSED_MOVE, OPENING, RefusedMove

if TYPE_CHECKING:
    import httpx

FIELDS = {"type", "title", "status", "reason", "code", "params", "detail", "instead"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("problems")) as server:
        yield server


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem.keys() >= FIELDS
    assert problem["status"] == answer.status_code
    return answer.status_code, problem["reason"]


def send(server: Running, path: str, content: bytes, kind: str = "application/json") -> httpx.Response:
    return server.http.post(API + path, content=content, headers={"Content-Type": kind})


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b"\xff", b'{"a": 1, "a": 2}', b"NaN", b'{"a": 1e999}', b'{"a": "\\ud800"}', b"[" * 16_000,
     b"9" * 10_000, b"\xef\xbb\xbf{}", b'{"a": Infinity}'],
)  # fmt: skip
def test_a_body_that_is_not_json_is_400(server: Running, body: bytes) -> None:
    assert problem_of(send(server, "/matches", body)) == (400, "not_json")


CLASSIC = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}]}


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("game", {"game": 5}),
        ("game", {"game": "x" * 41}),
        ("seats", {"seats": [{"player": "human"}]}),
        ("seats.0.player", {"seats": [{"player": True}, {"player": "open"}]}),
        ("seats.1.name", {"seats": [{"player": "human"}, {"player": "open", "name": "x" * 201}]}),
        ("private", {"private": "yes"}),
        ("private", {"private": 1}),
        ("seed", {"seed": True}),
        ("seed", {"seed": 1.0}),
        ("seed", {"seed": "1"}),
        ("seed", {"seed": -1}),
        ("seed", {"seed": 2**63}),
        ("claim_seconds", {"claim_seconds": 4}),
        ("clock.initial_seconds", {"clock": {"initial_seconds": 0}}),
        ("options.first", {"options": {"first": 1}}),
        ("more", {"more": 1}),
    ],
)
def test_a_wrong_field_is_422_and_named(server: Running, field: str, change: dict[str, Any]) -> None:
    answer = server.post("/matches", CLASSIC | change)
    assert problem_of(answer) == (422, "wrong_field")
    assert field in [error["field"] for error in answer.json()["errors"]]


@pytest.mark.parametrize(
    ("status", "reason", "change"),
    [
        (422, "no_such_game", {"game": "chess"}),
        (422, "no_such_option", {"options": {"size": "4"}}),
        (422, "no_such_value", {"options": {"first": "Y"}}),
        (422, "no_such_player", {"seats": [{"player": "human"}, {"player": "grandmaster"}]}),
        (422, "no_such_player", {"game": "ultimate", "seats": [{"player": "human"}, {"player": "mcts:10"}]}),
        (422, "no_such_player", {"seats": [{"player": "human"}, {"player": "mcts-python:10"}]}),
        (422, "no_such_player", {"seats": [{"player": "human"}, {"player": "alphazero:/etc/passwd"}]}),
        (409, "line_ends", {"options": {"claims": "yes"}}),
    ],
)
def test_refusals_of_the_rules_keep_their_reason(
    server: Running, status: int, reason: str, change: dict[str, Any]
) -> None:
    assert problem_of(server.post("/matches", CLASSIC | change)) == (status, reason)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_of_another_content_type_is_415(server: Running, kind: str) -> None:
    assert problem_of(send(server, "/matches", json.dumps(CLASSIC).encode(), kind)) == (415, "not_json")


def test_the_content_type_may_have_a_charset(server: Running) -> None:
    assert send(server, "/matches", json.dumps(CLASSIC).encode(), "application/json; charset=utf-8").status_code == 201


def test_an_unknown_page_is_404_and_a_wrong_method_405(server: Running) -> None:
    assert problem_of(server.http.get("/nowhere")) == (404, "not_found")
    assert problem_of(server.http.get(API + "/nowhere")) == (404, "not_found")


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_browser_that_looks_for_no_page_gets_a_page_with_a_link_to_the_first(server: Running) -> None:
    response = server.http.get("/nowhere", headers=BROWSER)
    assert (response.status_code, response.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "<h1>There is no such page.</h1>" in response.text
    assert '<a class="strong" href="/">To the games</a>' in response.text
    (sheet, *_) = re.findall(r'rel="stylesheet" href="([^"]+)"', response.text)
    assert server.http.get(sheet).status_code == 200
    assert "{" not in response.text


def test_a_browser_gets_a_page_for_every_refusal_of_a_page(server: Running) -> None:
    response = server.http.post("/review", headers=BROWSER)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
    assert "<h1>This address does not take this method.</h1>" in response.text
    foreign = server.http.get("/", headers={**BROWSER, "Host": "elsewhere.example"})
    assert (foreign.status_code, foreign.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "<h1>This server does not serve that host name.</h1>" in foreign.text


@pytest.mark.parametrize(
    "path",
    ["/?game=%00", "/m", "/m/%00", "/m/%ff", "/m/" + "x" * 300, "/review?match=%00&ply=x", "/review/", "/puzzle?id=%ff",
     "/learn?game=chess", "/g", "/g/%00", "/g/none?move=x", "/g/none/embed?move=-1", "/g/none/board.png?move=x",
     "/g/none/game.gif", "/g/none/record", "/g/none/log", "/g/none/positions", "/robots.txt", "/a/b/c", "/%ff"],
)  # fmt: skip
def test_no_address_of_a_page_shows_a_browser_a_document_for_programs(server: Running, path: str) -> None:
    response = server.http.get(path, headers=BROWSER, follow_redirects=True)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.status_code in (200, 404, 422)
    for words in ('"reason"', "wrong_field", "whole number", "should be"):
        assert words not in response.text


@pytest.mark.parametrize("path", [API + "/nowhere", "/static/nowhere.js"])
def test_a_browser_too_gets_a_problem_document_where_programs_ask(server: Running, path: str) -> None:
    assert problem_of(server.http.get(path, headers=BROWSER)) == (404, "not_found")
    answer = server.http.delete(API + "/matches")
    assert problem_of(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize("match", ["0123456789abcdef", "x" * 33, "a-b", "%00", "%F0%9F%92%A9", "..%2f..", "%ff"])
def test_an_unknown_match_is_404(server: Running, match: str) -> None:
    for path in ("", "/log", "/events"):
        assert server.get(f"/matches/{match}{path}").status_code == 404


@pytest.mark.parametrize("query", ["after=-1", "after=1_0", "after=%D9%A3", "after=1.0", "after=", "after=" + "9" * 20])
def test_a_number_in_a_query_has_only_ascii_digits(server: Running, query: str) -> None:
    match = server.create()["match"]
    assert problem_of(server.get(f"/matches/{match}/events?{query}")) == (422, "wrong_field")


@pytest.mark.parametrize(
    ("status", "codes"),
    [
        (400, "bad_request not_json not_json.cut not_json.message"),
        (401, "bad_token bad_token.form no_token"),
        (403, "bad_invitation foreign_host foreign_origin spectator"),
        (404, "no_such_match not_found"),
        (405, "method_not_allowed"),
        (408, "no_hello.late too_slow"),
        (409, "code_used ended ended.join invitation_used no_seat nobody not_absent not_absent.yet not_ended.rematch"),
        (409, "not_ended.report not_started request_reused stale_version taken too_long.match too_much_talk"),
        (410, "left"),
        (413, "too_large too_large.chunks"),
        (414, "url_too_long"),
        (415, "not_json.type"),
        (422, "guessable_request no_hello no_such_action.seat no_such_message no_version not_a_move not_a_request"),
        (422, "wrong_field wrong_field.unknown"),
        (429, "too_many too_many.matches too_many.spectators too_many_connections too_many_sockets"),
        (431, "head_too_large"),
        (500, "unexpected unreadable_match"),
        (503, "busy come_back full stopping"),
    ],
)
def test_every_reason_has_its_status(status: int, codes: str) -> None:
    kinds = (Unreadable,) if status == 422 else (NotAllowed, IllegalMove) if status == 409 else (NotAllowed, Unreadable)
    statuses = {(code, kind): status_of(kind.from_text(code, "Text.", "")) for code in codes.split() for kind in kinds}
    assert statuses == dict.fromkeys(statuses, status)


def test_a_problem_holds_its_details_and_when_to_retry() -> None:
    problem = NotAllowed("busy").with_details(retry_after=7, moves=["5"], match=None)
    assert problem_document(problem)["moves"] == ["5"]
    assert "match" not in problem_document(problem)
    assert problem_response(problem).headers["retry-after"] == "7"
    assert problem_response(NotAllowed("bad_token")).headers["www-authenticate"] == "Bearer"


def test_a_problem_has_the_code_of_its_message_with_parameters_for_other_languages(server: Running) -> None:
    match = server.create("classic", "human", "human", show_moves=False)
    token = match["seats"]["1"]
    problem = server.post(
        f"/matches/{match['match']}/actions",
        {"request": "r1", "version": 0, "action": {"kind": "move", "move": [9]}},
        token,
    ).json()
    assert (problem["code"], problem["params"]) == ("outside", {})  # without the free cells, which are hidden
    wrong = server.post("/matches", CLASSIC | {"seed": -1}).json()
    assert (wrong["code"], wrong["params"]) == ("wrong_field", {"error": "'seed' is less than 0."})
    assert wrong["errors"] == [
        {
            "field": "seed",
            "sentence": "'seed' is less than 0.",
            "code": "field.greater_than_equal",
            "params": {"field": "'seed'", "ge": 0},
        }
    ]
    late = problem_document(NotAllowed("not_absent.yet", seconds=7))
    assert (late["reason"], late["code"], late["params"]) == ("not_absent", "not_absent.yet", {"seconds": 7})


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ({"kind": "say", "text": "hi", "cells": [1]}, "cells does not go with say."),
        ({"kind": "fly"}, "'action.kind' has to be 'move', 'claim'"),
        ([], "'action' has to be an object."),
        ({"kind": "resign", "why": "tired"}, "'action.why' does not belong here."),
    ],
)
def test_what_is_wrong_with_a_field_is_said_in_words_of_the_catalogue(
    server: Running, action: object, sentence: str
) -> None:
    match = server.create("classic", "human", "human")
    body = {"request": "r1", "version": 0, "action": action}
    problem = server.post(f"/matches/{match['match']}/actions", body, match["seats"]["1"]).json()
    assert problem["detail"].startswith(sentence)
    assert problem["errors"][0]["code"] != "field.other"


def test_values_of_wrong_fields_are_not_repeated() -> None:
    secret = "s3cret" * 5
    errors = [{"loc": ("body", "code"), "type": "string_pattern_mismatch", "msg": "", "input": secret}]
    assert secret not in json.dumps(problem_document(invalid(errors)))


def after_the_opening(server: Running) -> tuple[str, str]:
    """A match of the agents' game in which X is to move, and the token of X."""
    created = server.create("agents")
    assert server.move(created["match"], created["seats"]["2"], 0, OPENING).status_code == 200
    return created["match"], created["seats"]["1"]


@EVERY_REFUSED_MOVE
def test_what_cannot_be_read_is_422_and_what_is_not_allowed_is_409(server: Running, refused: RefusedMove) -> None:
    match, token = after_the_opening(server)
    expected = (409 if refused.is_readable else 422, refused.reason)
    assert problem_of(server.move(match, token, 1, refused.text)) == expected


@pytest.mark.parametrize("path", [[9], [-1], [81], [999]])
def test_a_path_outside_the_board_can_be_read_and_is_not_allowed(server: Running, path: list[int]) -> None:
    match, token = after_the_opening(server)
    assert problem_of(server.move(match, token, 1, path)) == (409, "outside")


def test_what_the_framework_refuses_says_what_is_possible_instead(server: Running) -> None:
    for answer in (server.get("/nowhere"), server.http.delete(f"{API}/games")):
        assert answer.status_code in (404, 405)
        assert answer.json()["instead"]
