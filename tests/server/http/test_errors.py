"""Everything that goes wrong is one kind of document, and says nothing that is nobody's business."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ninefold.core.errors import IllegalMove, NotAllowed, Unreadable
from ninefold.server.http.errors import document, invalid, response, status_of
from tests.support.http_server import API, Running, running

if TYPE_CHECKING:
    import httpx

FIELDS = {"type", "title", "status", "reason", "detail", "instead"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("problems")) as server:
        yield server


def told(answer: httpx.Response) -> tuple[int, str]:
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
def test_a_body_that_is_no_json_is_400(server: Running, body: bytes) -> None:
    assert told(send(server, "/matches", body)) == (400, "not_json")


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
    assert told(answer) == (422, "wrong_field")
    assert field in [error["field"] for error in answer.json()["errors"]]


@pytest.mark.parametrize(
    ("status", "reason", "change"),
    [
        (422, "no_such_game", {"game": "chess"}),
        (422, "no_such_option", {"options": {"size": "4"}}),
        (422, "no_such_value", {"options": {"first": "Y"}}),
        (422, "no_such_player", {"seats": [{"player": "human"}, {"player": "grandmaster"}]}),
        (409, "line_ends", {"options": {"claims": "yes"}}),
    ],
)
def test_what_the_rules_refuse_keeps_its_reason(
    server: Running, status: int, reason: str, change: dict[str, Any]
) -> None:
    assert told(server.post("/matches", CLASSIC | change)) == (status, reason)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_is_not_said_to_be_json_is_415(server: Running, kind: str) -> None:
    assert told(send(server, "/matches", json.dumps(CLASSIC).encode(), kind)) == (415, "not_json")


def test_json_may_say_its_charset(server: Running) -> None:
    assert send(server, "/matches", json.dumps(CLASSIC).encode(), "application/json; charset=utf-8").status_code == 201


def test_a_page_that_is_not_there_is_404_and_a_wrong_method_405(server: Running) -> None:
    assert told(server.http.get("/nowhere")) == (404, "not_found")
    assert told(server.http.get(API + "/nowhere")) == (404, "not_found")
    answer = server.http.delete(API + "/matches")
    assert told(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize("match", ["0123456789abcdef", "x" * 33, "a-b", "%00", "%F0%9F%92%A9", "..%2f..", "%ff"])
def test_a_match_that_is_not_there_is_404(server: Running, match: str) -> None:
    for path in ("", "/log", "/events"):
        assert server.get(f"/matches/{match}{path}").status_code == 404


@pytest.mark.parametrize("query", ["after=-1", "after=1_0", "after=%D9%A3", "after=1.0", "after=", "after=" + "9" * 20])
def test_a_number_in_a_query_is_made_of_digits(server: Running, query: str) -> None:
    match = server.create()["match"]
    assert told(server.get(f"/matches/{match}/events?{query}")) == (422, "wrong_field")


@pytest.mark.parametrize(
    ("status", "codes"),
    [
        (400, "not_json not_json.cut not_json.message"),
        (401, "bad_token bad_token.form no_token"),
        (403, "bad_invitation foreign_host foreign_origin spectator"),
        (404, "no_such_match not_found"),
        (408, "no_hello.late too_slow"),
        (409, "code_used ended ended.join invitation_used no_seat nobody not_absent not_absent.yet not_ended.rematch"),
        (409, "not_ended.report not_started request_reused stale_version taken too_long.match too_much_talk"),
        (410, "left"),
        (413, "too_large"),
        (415, "not_json.type"),
        (422, "guessable_request no_hello no_such_action.seat no_such_message no_version not_a_move not_a_request"),
        (422, "wrong_field wrong_field.named"),
        (429, "too_many too_many.matches too_many.spectators too_many_sockets"),
        (500, "unexpected unreadable_match"),
        (503, "busy come_back full stopping"),
    ],
)
def test_every_reason_has_its_status(status: int, codes: str) -> None:
    kinds = (Unreadable,) if status == 422 else (NotAllowed, IllegalMove) if status == 409 else (NotAllowed, Unreadable)
    statuses = {(code, kind): status_of(kind(code, "Text.")) for code in codes.split() for kind in kinds}
    assert statuses == dict.fromkeys(statuses, status)


def test_a_problem_tells_its_extras_and_when_to_come_back() -> None:
    problem = NotAllowed("busy").with_details(retry_after=7, moves=["5"], match=None)
    assert document(problem)["moves"] == ["5"]
    assert "match" not in document(problem)
    assert response(problem).headers["retry-after"] == "7"
    assert response(NotAllowed("bad_token")).headers["www-authenticate"] == "Bearer"


def test_what_was_sent_is_not_repeated() -> None:
    secret = "s3cret" * 5
    errors = [{"loc": ("body", "code"), "msg": "String should match a pattern", "input": secret}]
    assert secret not in json.dumps(document(invalid(errors)))
