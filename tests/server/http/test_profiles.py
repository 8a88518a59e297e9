"""Profiles over HTTP: the key in the header, what others may see, blocks, reports, export and deletion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ninefold.server.hosting import tokens
from ninefold.server.http.config import Limits, Rate
from tests.support.http_server import API, NO_RATES, Running, act, bearer, running

if TYPE_CHECKING:
    import httpx

ANN, BOB = "A" * 32, "B" * 40
CLOCK = {"initial_seconds": 300}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("profiles")) as server:
        yield server


def put(server: Running, key: str | None, **body: Any) -> httpx.Response:
    return server.http.put(f"{API}/profile", json=body, headers=bearer(key))


def delete(server: Running, path: str, key: str | None) -> httpx.Response:
    return server.http.delete(API + path, headers=bearer(key))


def rated_match(server: Running) -> dict[str, Any]:
    """A match of two profiles that has ended: Ann has won."""
    put(server, ANN, name="Ann", shared=True)
    put(server, BOB, name="Bob")
    body = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}], "clock": CLOCK}
    created: dict[str, Any] = server.post("/matches", body, ANN).json()
    match = created["match"]
    joined = server.post(f"/matches/{match}/join", {"invitation": created["invitations"]["2"]}, BOB).json()
    seats = {1: created["seats"]["1"], 2: joined["token"]}
    server.post(f"/matches/{match}/actions", {"request": "end", "action": {"kind": "resign"}}, seats[2])
    return {"match": match, "seats": seats}


def test_a_profile_is_made_by_its_key_and_made_once(server: Running) -> None:
    made = put(server, "C" * 32, name=" Cy\x1b ", kind="agent").json()
    assert (made["name"], made["kind"], made["shared"], made["standings"]) == ("Cy", "agent", False, [])
    again = put(server, "C" * 32, name="Cyd", kind="person", shared=True).json()
    assert (again["id"], again["name"], again["kind"], again["shared"]) == (made["id"], "Cyd", "agent", True)
    assert server.get("/profile", "C" * 32).json() == again


@pytest.mark.parametrize(
    ("key", "body", "status", "reason"),
    [
        (None, {"name": "Ann"}, 401, "no_profile_key"),
        ("short-but-a-secret", {"name": "Ann"}, 422, "guessable_key"),
        ("E" * 32, {"name": " \u202e "}, 409, "bad_name"),
        ("E" * 32, {"name": "Deleted"}, 409, "bad_name"),
        ("E" * 32, {"name": "x" * 201}, 422, "wrong_field"),
        ("E" * 32, {"name": "Ann", "kind": "computer"}, 422, "wrong_field"),
    ],
)
def test_a_profile_that_cannot_be_is_refused(
    server: Running, key: str | None, body: dict[str, str], status: int, reason: str
) -> None:
    response = put(server, key, **body)
    assert (response.status_code, response.json()["reason"]) == (status, reason)
    assert server.get("/profile", "E" * 32).status_code == 401


def test_a_profile_is_private_unless_it_is_shared(server: Running) -> None:
    played = rated_match(server)
    ann, bob = (server.get("/profile", key).json() for key in (ANN, BOB))
    seats = server.get(f"/matches/{played['match']}").json()["seats"]
    assert [seat["profile"] for seat in seats] == [ann["id"], None]
    assert [seat["rating"] for seat in seats] == ["1500?", None]
    assert server.get(f"/profiles/{ann['id']}").json()["standings"][0]["wins"] == 1
    assert [one["match"] for one in server.get(f"/profiles/{ann['id']}/matches").json()["matches"]] == [played["match"]]
    for path in (f"/profiles/{bob['id']}", f"/profiles/{bob['id']}/matches", "/profiles/nobody"):
        refused = server.get(path)
        assert (refused.status_code, refused.json()["reason"]) == (404, "no_such_profile")
    mine = server.get(f"/profile/matches/{played['match']}", BOB).json()
    assert (mine["score"], mine["opponent"]) == ("loss", "Ann")
    assert mine["rating_after"] < mine["rating_before"] == 1500
    assert delete(server, "/profile", ANN).status_code == 200


def test_the_other_player_can_be_blocked_and_reported(server: Running) -> None:
    played = rated_match(server)
    assert server.post("/profile/blocks", {"match": played["match"]}, BOB).json()["blocks"][0]["name"] == "Ann"
    pairing = {"game": "classic", "clock": CLOCK}
    assert [server.post("/pairings", pairing, key).json()["waiting"] for key in (ANN, BOB)] == [True, True]
    blocked = tokens.profile_id(ANN)
    assert delete(server, f"/profile/blocks/{blocked}", BOB).json() == {"blocks": []}
    path = f"/matches/{played['match']}/reports"
    assert server.post(path, {"reason": "chat", "text": "rude"}, played["seats"][2]).json() == {"reported": True}
    assert server.post(path, {"reason": "chat"}).status_code == 401
    assert server.post(path, {"reason": "weather"}, played["seats"][2]).status_code == 422
    assert server.post("/profile/blocks", {"match": played["match"]}, "Z" * 32).json()["reason"] == "bad_key"


def test_who_is_blocked_watches_a_rematch_and_takes_no_seat_in_it(server: Running) -> None:
    played = rated_match(server)
    again = server.post(f"/matches/{played['match']}/rematch", {"request": "again"}, played["seats"][1]).json()["match"]
    server.post("/profile/blocks", {"match": played["match"]}, ANN)
    client, welcome = server.welcome(again, played["seats"][2])
    with client:
        assert (welcome["seat"], welcome["view"]["status"]) == (2, "open")
        refused = client.ask(act("m1", 0, kind="move", move="5"))
        assert (refused["type"], refused["reason"]) == ("refused", "blocked")
    assert delete(server, f"/profile/blocks/{tokens.profile_id(BOB)}", ANN).json() == {"blocks": []}


def test_an_export_is_one_file_of_json_lines_and_a_deleted_key_opens_nothing(server: Running) -> None:
    played = rated_match(server)
    exported = server.get("/profile/export", BOB)
    assert exported.headers["content-disposition"] == 'attachment; filename="ninefold-profile.jsonl"'
    head, *matches = [json.loads(line) for line in exported.text.splitlines()]
    assert head["profile"]["name"] == "Bob"
    assert played["match"] in [line["match"]["match"] for line in matches]
    assert delete(server, "/profile", BOB).json() == {"deleted": True}
    for path in ("/profile", "/profile/export", "/profile/matches", "/profile/blocks"):
        assert server.get(path, BOB).json()["reason"] == "bad_key"
    assert server.get(f"/matches/{played['match']}").json()["seats"][1]["name"] == "deleted"
    assert server.post("/matches", {"game": "classic", "seats": [{"player": "human"}] * 2}, BOB).status_code == 401


def test_every_match_of_an_export_is_paid_for(tmp_path: Path) -> None:
    """There may be any number of them: exports of one address must not keep the server from others."""
    with running(tmp_path, NO_RATES._replace(reads=Rate(1e-9, 100)), lambda: 0.0) as server:
        put(server, ANN, name="Ann")
        body = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}]}
        created = [server.post("/matches", body, ANN).json()["match"] for _ in range(2)]
        exported = server.get("/profile/export", ANN).text  # 40 and twice 10
        assert [json.loads(line)["match"]["match"] for line in exported.splitlines()[1:]] == created[::-1]
        statuses = [server.get("/profile", ANN).status_code for _ in range(21)]
        assert statuses == [200] * 20 + [429]


def test_profiles_and_exports_are_limited_like_other_requests(tmp_path: Path) -> None:
    with running(tmp_path, Limits(writes=Rate(0.01, 15), reads=Rate(0.01, 50)), lambda: 0.0) as server:
        assert [put(server, key * 32, name="Ann").status_code for key in "AB"] == [200, 429]
        assert [server.get("/profile/export", "A" * 32).status_code for _ in range(2)] == [200, 429]
